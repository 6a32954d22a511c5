package broadcaster

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/event-gen/event-gen/runtime/correlator"
)

const (
	// outageInterval is the least time between two lines about the start of an outage, so that
	// outages which come and go do not fill the log.
	outageInterval = time.Minute
	// maxOutages bounds the number of remembered outages.
	maxOutages = 1024
	// denialInterval is the least time between two lines about one namespace whose events are lost,
	// and maxDenials bounds the number of such lines within it.
	denialInterval = 10 * time.Minute
	maxDenials     = 20
)

// troubles remembers what takes no events for now, and whether the log shows it: one line at the
// start, and one at the end if the start was logged. It is safe for concurrent use.
type troubles struct {
	mu       sync.Mutex
	outages  map[string]*outage // by namespace; "": the server
	unlogged int                // outages since the last line that were not logged
	next     time.Duration      // the earliest time of the next line
	denials  map[denial]time.Duration
	refusing map[denial]*refusing
}

// outage is a namespace, or the server, that takes no events.
type outage struct {
	since  time.Duration
	err    error
	logged bool
}

// denial is a namespace whose events are lost, and why: Denied or Gone.
type denial struct {
	namespace string
	typ       correlator.NoticeType
}

// refusing is a namespace whose events are refused for now.
type refusing struct {
	since, latest time.Duration
	err           error
}

// troubleOver is the time after which a namespace without a further refusal is not in trouble
// any more. While events come, each 30 s one asks whether the right is there.
const troubleOver = time.Minute

// troubleLine is a change to log.
type troubleLine struct {
	typ       correlator.NoticeType
	namespace string
	err       error
	unlogged  int           // Opened: outages since the last line that were not logged
	took      time.Duration // Closed
	failed    int           // Closed: calls that failed meanwhile
}

func (t *troubleLine) scope() string { return scopeOf(t.namespace) }

func scopeOf(namespace string) string {
	if namespace == "" {
		return "server"
	}
	return "namespace"
}

// take takes up a change, and returns what to log.
func (t *troubles) take(n *correlator.Notice, now time.Duration) []troubleLine {
	t.mu.Lock()
	defer t.mu.Unlock()
	line := troubleLine{typ: n.Type, namespace: n.Namespace, err: n.Err, took: n.Took, failed: n.Calls}
	switch n.Type {
	case correlator.Opened:
		if t.outages == nil {
			t.outages = map[string]*outage{}
		}
		if t.outages[n.Namespace] == nil && len(t.outages) < maxOutages {
			t.outages[n.Namespace] = &outage{since: now, err: n.Err}
		}
		if line, ok := t.due(n.Namespace, now); ok {
			return []troubleLine{line}
		}
		return nil
	case correlator.Closed:
		o := t.outages[n.Namespace]
		delete(t.outages, n.Namespace)
		if o == nil || !o.logged {
			t.unlogged++
			return nil
		}
	case correlator.Granted:
		delete(t.refusing, denial{n.Namespace, correlator.Denied})
	case correlator.Denied, correlator.Gone:
		t.refused(denial{n.Namespace, n.Type}, n.Err, now)
		if !t.dueDenial(denial{n.Namespace, n.Type}, now) {
			return nil
		}
	}
	return []troubleLine{line}
}

// due returns the line for an outage that goes on, if it was not logged yet and the interval allows
// a line. The lock is held.
func (t *troubles) due(namespace string, now time.Duration) (troubleLine, bool) {
	o := t.outages[namespace]
	if o == nil || o.logged || now < t.next {
		return troubleLine{}, false
	}
	line := troubleLine{typ: correlator.Opened, namespace: namespace, err: o.err, unlogged: t.unlogged}
	o.logged, t.unlogged, t.next = true, 0, now+outageInterval
	return line, true
}

// overdue returns the line for the oldest outage that goes on and came too soon after another one
// to be logged at its start.
func (t *troubles) overdue(now time.Duration) (troubleLine, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	oldest, found := "", false
	for namespace, o := range t.outages {
		if !o.logged && (!found || o.since < t.outages[oldest].since) {
			oldest, found = namespace, true
		}
	}
	return t.due(oldest, now)
}

// dueDenial reports whether to log a denial. The lock is held.
func (t *troubles) dueDenial(d denial, now time.Duration) bool {
	maps.DeleteFunc(t.denials, func(_ denial, at time.Duration) bool { return now-at >= denialInterval })
	if _, logged := t.denials[d]; logged || len(t.denials) >= maxDenials {
		return false
	}
	if t.denials == nil {
		t.denials = map[denial]time.Duration{}
	}
	t.denials[d] = now
	return true
}

// refused remembers a refusal of a namespace's events. The lock is held.
func (t *troubles) refused(d denial, err error, now time.Duration) {
	t.forgetRefused(now)
	if r := t.refusing[d]; r != nil {
		r.latest = now
		return
	}
	if t.refusing == nil {
		t.refusing = map[denial]*refusing{}
	}
	if len(t.refusing) < maxOutages {
		t.refusing[d] = &refusing{now, now, err}
	}
}

func (t *troubles) forgetRefused(now time.Duration) {
	maps.DeleteFunc(t.refusing, func(_ denial, r *refusing) bool { return now-r.latest >= troubleOver })
}

// list returns the outages and the namespaces that refuse events, the server first.
func (t *troubles) list(now time.Duration) (all []Trouble) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for namespace, o := range t.outages {
		all = append(all, Trouble{Namespace: namespace, For: now - o.since, Err: textOf(o.err)})
	}
	t.forgetRefused(now)
	for d, r := range t.refusing {
		all = append(all, Trouble{Namespace: d.namespace, For: now - r.since, Err: textOf(r.err)})
	}
	slices.SortFunc(all, func(a, b Trouble) int { return cmp.Compare(a.Namespace, b.Namespace) })
	return all
}
