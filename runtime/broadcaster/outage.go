package broadcaster

import (
	"sync"
	"time"

	"github.com/event-gen/event-gen/runtime/internal/dispatch"
)

// outageInterval is the least time between two lines about the start of an outage, so that outages which come and go do not fill the log.
const outageInterval = time.Minute

// maxOutages bounds the number of remembered scopes whose trouble is not in the log yet.
const maxOutages = 1024

// outages holds the scopes that take no events, and whether the log shows that: one line at the start, and one at the end if the first
// was logged. It is safe for concurrent use.
type outages struct {
	mu     sync.Mutex
	open   map[scopeName]*outage
	unsaid int           // outages since the last line that were not logged
	next   time.Duration // the earliest time of the next line
}

// scopeName is the name of a scope in the log.
type scopeName struct {
	scope     string
	namespace string
}

// outage is a scope that takes no events.
type outage struct {
	since time.Duration
	err   error
	said  bool
}

// tidings is a change of a scope to log.
type tidings struct {
	scopeName
	begins bool
	err    error         // begins: of the last call
	unsaid int           // begins: outages since the last line that were not logged
	took   time.Duration // ends
	failed int           // ends: calls that failed meanwhile
}

// begin notes that a scope takes no events. It returns what to log, unless another outage was logged within outageInterval.
func (o *outages) begin(n *dispatch.News, now time.Duration) (t tidings, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	name := nameOf(n)
	if o.open == nil {
		o.open = map[scopeName]*outage{}
	}
	if o.open[name] == nil && len(o.open) < maxOutages {
		o.open[name] = &outage{since: now, err: n.Err}
	}
	return o.due(name, now)
}

// due returns the line for an outage that goes on, if it was not logged yet and the interval allows a line. The lock is held.
func (o *outages) due(name scopeName, now time.Duration) (tidings, bool) {
	x := o.open[name]
	if x == nil || x.said || now < o.next {
		return tidings{}, false
	}
	t := tidings{scopeName: name, begins: true, err: x.err, unsaid: o.unsaid}
	x.said, o.unsaid, o.next = true, 0, now+outageInterval
	return t, true
}

// overdue returns the line for an outage that goes on, if it was too early to log it at its start.
func (o *outages) overdue(now time.Duration) (tidings, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var oldest scopeName
	for name, x := range o.open {
		if !x.said && (o.open[oldest] == nil || x.since < o.open[oldest].since) {
			oldest = name
		}
	}
	return o.due(oldest, now)
}

// end notes that a scope takes events again. It returns what to log, if the start was logged.
func (o *outages) end(n *dispatch.News) (tidings, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	name := nameOf(n)
	x := o.open[name]
	delete(o.open, name)
	if x == nil || !x.said {
		o.unsaid++
		return tidings{}, false
	}
	return tidings{scopeName: name, took: n.Took, failed: n.Calls}, true
}

// nameOf returns the scope's name for the log: an unreachable server is "server", even if few namespaces have met that yet.
func nameOf(n *dispatch.News) scopeName {
	return scopeName{scope: n.Scope.String(), namespace: n.Namespace}
}

// tell logs the changes that an answer has caused. It ignores answers after the end of the workers, because their writes were
// cancelled.
func (b *Broadcaster) tell(news []dispatch.News, now time.Duration) {
	for i := range news {
		n := &news[i]
		if b.ctx.Err() != nil {
			return
		}
		switch n.What {
		case dispatch.Sick:
			if t, ok := b.outages.begin(n, now); ok {
				b.say.outage(t, b.Stats().Pending)
			}
		case dispatch.Well:
			if t, ok := b.outages.end(n); ok {
				b.say.outage(t, b.Stats().Pending)
			}
		case dispatch.Denied, dispatch.Gone, dispatch.Granted:
			b.say.denial(n, now)
		}
	}
}
