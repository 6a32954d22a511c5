package broadcaster

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/notice"
)

const (
	// denialInterval is the least time between two lines about one namespace whose events are lost.
	denialInterval = 10 * time.Minute
	// troubleOver is the time after which a namespace without a further refusal is not in trouble
	// any more. While events come, one request each 30 s checks whether the right is there.
	troubleOver = time.Minute
	// maxTroubles bounds the number of remembered troubles.
	maxTroubles = 2048
)

// troubles remembers the namespaces, or the server, that take no events for now, and the lines
// logged about them: one at the start of an outage, and one at its end if the start was logged. It
// is safe for concurrent use.
type troubles struct {
	mu       sync.Mutex
	all      map[troubleKey]*trouble
	unlogged int  // outages that have ended without a line, since the last line
	outages  rate // so that outages which come and go do not fill the log
	denials  rate
}

// troubleKey is a namespace, or "" for the server, and its sort of trouble: Opened (an outage),
// Denied, UpdatesDenied or Gone.
type troubleKey struct {
	namespace string
	typ       notice.Type
}

// trouble is a trouble that goes on, or that was logged of late.
type trouble struct {
	since time.Duration
	until time.Duration // it is over then, unless there is a further notice
	quiet time.Duration // no line before; 0: none was logged
	err   string        // the text of the notice's that began it, shortened
}

// take processes a notice. It returns whether to log the notice, and how many outages went unlogged
// since the last line.
func (t *troubles) take(n *notice.Notice, now time.Duration) (unlogged int, log bool) {
	text := textOf(n.Err)
	t.mu.Lock()
	defer t.mu.Unlock()
	switch n.Type {
	case notice.Closed:
		k := troubleKey{n.Namespace, notice.Opened}
		o := t.all[k]
		delete(t.all, k)
		if o == nil { // it was too short for an Opened
			return 0, false
		}
		if o.quiet == 0 {
			t.unlogged++
			return 0, false
		}
	case notice.Granted:
		if d := t.all[troubleKey{n.Namespace, notice.Denied}]; d != nil {
			d.until = now
		}
	default:
		k := troubleKey{n.Namespace, n.Type}
		return t.due(k, t.goesOn(k, text, now), now)
	}
	return 0, true
}

// goesOn remembers a trouble that has begun or goes on; nil: there are too many. The lock is held.
func (t *troubles) goesOn(k troubleKey, err string, now time.Duration) *trouble {
	maps.DeleteFunc(t.all, func(_ troubleKey, o *trouble) bool { return now >= max(o.until, o.quiet) })
	o := t.all[k]
	if o == nil {
		if len(t.all) >= maxTroubles {
			return nil
		}
		o = &trouble{}
		t.all[k] = o
	}
	if now >= o.until {
		o.since, o.err = now, err
	}
	o.until = now + troubleOver
	if k.typ == notice.Opened {
		o.until = clock.Never
	}
	return o
}

// due reports whether to log a line about a trouble that goes on. The lock is held.
func (t *troubles) due(k troubleKey, o *trouble, now time.Duration) (unlogged int, log bool) {
	r, quiet := &t.denials, now+denialInterval
	if k.typ == notice.Opened {
		r, quiet = &t.outages, clock.Never
	}
	if o == nil || now < o.quiet || !r.allow(now) {
		return 0, false
	}
	o.quiet = quiet
	if k.typ == notice.Opened {
		unlogged, t.unlogged = t.unlogged, 0
	}
	return unlogged, true
}

// list returns the troubles that go on, the server's first, without those in which events are still
// stored.
func (t *troubles) list(now time.Duration) (all []Trouble) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for k, o := range t.all {
		if now < o.until && k.typ != notice.UpdatesDenied {
			all = append(all, Trouble{Namespace: k.namespace, For: now - o.since, Err: o.err})
		}
	}
	slices.SortFunc(all, func(a, b Trouble) int { return cmp.Compare(a.Namespace, b.Namespace) })
	return all
}
