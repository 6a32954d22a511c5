package dispatch

import (
	"time"

	"github.com/event-gen/event-gen/runtime/internal/clock"
)

// View shows the state of a dispatcher to tests.
type View struct {
	Calls, Slow, Trials int           // in flight
	Failures            int           // of the server, in a row
	InDoubt             bool          // the server may be away
	Ahead               time.Duration // until the last reserved trial
	Later               int           // items that are due later
	Waiting             int           // entries of items that wait for a token
}

// Look shows the state of a dispatcher.
func (d *Dispatcher) Look() View {
	v := View{len(d.calls), d.slow, d.trials(), d.server.failures, d.inDoubt(), max(0, d.nextTrial-d.now), d.later.Len(), 0}
	for _, b := range d.buckets {
		for w := b.line.First(); w != nil; w = w.line.Following() {
			v.Waiting++
		}
	}
	return v
}

// PauseOf returns how long a lane pauses.
func (d *Dispatcher) PauseOf(namespace string, r Route) time.Duration {
	if l := d.lanes[laneKey{namespace, r}]; l != nil {
		return l.notBefore - d.now
	}
	return 0
}

// ItemView shows the state of an item to tests.
type ItemView struct {
	Due    time.Duration
	Waits  time.Duration // since when, for a token; Never: it does not wait
	Failed bool          // the write at hand has failed
}

// Look shows the state of an item.
func (i *Item) Look() ItemView {
	v := ItemView{i.due, clock.Never, i.failingSince > 0}
	if i.waiter != nil {
		v.Waits = i.waiter.since
	}
	return v
}
