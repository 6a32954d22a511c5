package broadcaster

import (
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// outageInterval is the least time between two lines that an outage has begun: a server that comes and goes does not fill
// the log.
const outageInterval = time.Minute

// outages knows since when the server is away, and what of that is to be said: a line when an outage begins, and one when
// it ends if the first was said. Like the gate it has no lock and no clock of its own. The zero value is ready for use.
type outages struct {
	since  time.Duration // when the gate closed
	failed int           // calls, from the one that closed it on
	err    error         // of the last of them
	said   bool          // that this outage has begun
	unsaid int           // outages since the last line that went by without one
	next   time.Duration // when another may be said
}

// news is what is to be said of an outage.
type news struct {
	what   tidings
	err    error         // away: what the last call met
	unsaid int           // away: outages since the last line that were not said
	took   time.Duration // back: how long the server was away
	failed int           // back: calls that failed meanwhile
}

type tidings uint8

const (
	noNews tidings = iota
	away
	back
)

// report takes up an answer, with whether the gate was closed before it and is closed after it.
func (o *outages) report(before, after bool, a runtime.Answer, now time.Duration) news {
	switch {
	case after && !before:
		o.since, o.failed = now, 0
		fallthrough
	case after:
		o.failed++
		o.err = a.Err
		return o.due(now)
	case before:
		return o.end(now)
	}
	return news{}
}

// due says that an outage has begun, unless it was said, or another was said too short a time ago. It is asked again as long
// as the outage goes on.
func (o *outages) due(now time.Duration) news {
	if o.said || now < o.next {
		return news{}
	}
	n := news{what: away, err: o.err, unsaid: o.unsaid}
	o.said, o.unsaid, o.next = true, 0, now+outageInterval
	return n
}

// end says that an outage is over, if it was said that it has begun.
func (o *outages) end(now time.Duration) news {
	o.err = nil
	if !o.said {
		o.unsaid++
		return news{}
	}
	o.said = false
	return news{what: back, took: now - o.since, failed: o.failed}
}

// tellOutage says what is new of an outage. Answers that come after the workers were ended say nothing of the server: their
// writes were cancelled.
func (b *Broadcaster) tellOutage(n news) {
	if n.what != noNews && b.ctx.Err() == nil {
		b.say.outage(n, b.Stats().Pending)
	}
}
