// Package notice has what the correlator tells its owner to log.
package notice

import "time"

// Type is the subject of a Notice.
type Type uint8

const (
	Refused      Type = iota + 1 // the write was refused for itself
	SteppedAside                 // the write fails always; others of its object are tried before it
	// a namespace, or the server, takes no events for now; comes again with each failure
	Opened
	Closed // it takes events again; an Opened may have been before
	Denied // the right to create is missing; the denial is confirmed
	// the right to update is missing; the denial is confirmed; pending occurrences go into new
	// events
	UpdatesDenied
	Granted // a right that was missing is there
	Gone    // the namespace is gone; its pending occurrences are lost
	Evicted // events were lost because a bound was reached; of several, the last
	// a label was left out of an event, because it is none; of several, the last
	LabelLeftOut
)

// Notice is what a line of the log needs.
type Notice struct {
	Type      Type
	Namespace string        // empty: the server, or the event's own
	Err       error         // of the last call
	Took      time.Duration // Closed: how long it was open
	Calls     int           // Closed: failed calls meanwhile
	Bound     string        // Evicted: the option
	Label     string        // LabelLeftOut: the key
}
