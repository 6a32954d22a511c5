package apiserver

import (
	"sync"
	"time"

	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// LookAgain is the time between two tries of events.k8s.io while events go to the core group.
const LookAgain = 5 * time.Minute

// maxNamespaces bounds the number of namespaces that are known. A forgotten one is learnt anew, by
// one more call.
const maxNamespaces = 4096

// MarkOf returns the mark of events that are written through the API group of a form. An event
// without a mark has not been tried.
func MarkOf(f form.Form) uint8 { return uint8(f) + 1 }

// Groups chooses the API group that an event is written through: events.k8s.io/v1, or the core
// group where rights demand it. An event keeps the form of the group that it was created through.
//
// If a group is forbidden, this one event goes to the other group at once, unless the group let
// events of the namespace in before: a starting server forbids everything for a moment, and then
// the event waits. The core group goes first only if events.k8s.io has answered the namespace
// nothing but Forbidden for sink.ForbiddenProbe, or is not served, and the core group lets the
// event in. The zero value is not ready for use. Groups is safe for concurrent use.
type Groups struct {
	now        func() time.Duration
	onFallback func(error)

	mu         sync.Mutex
	namespaces map[string]*namespaceState
	core       bool          // the core group goes first in unknown namespaces
	lookAt     time.Duration // when events.k8s.io is tried again
	fellBack   bool
}

// namespaceState is what the answers say about a namespace.
type namespaceState struct {
	core   bool // goes first
	groups [2]record
}

// record describes the answers of one group.
type record struct {
	allowed, refuses bool
	// the first and the last Forbidden with no other answer in between
	since, last time.Duration
}

// NewGroups returns Groups that measure time by a function; nil: by the system's clock. They call
// onFallback, unless it is nil, once with the reason when the core group goes first for the first
// time. The call has a goroutine of its own, and a panic in it ends only the call.
func NewGroups(now func() time.Duration, onFallback func(error)) *Groups {
	if now == nil {
		start := time.Now()
		now = func() time.Duration { return time.Since(start) }
	}
	return &Groups{
		now:        now,
		onFallback: onFallback,
		namespaces: map[string]*namespaceState{},
	}
}

// Sender sends a write through one API group, in the shape of a form.
type Sender func(via, shape form.Form, w *sink.Write) sink.Answer

// Write sends a write through one group by calling send. It sends one that this group does not take
// through the other group, too, unless the first is worth waiting for. An update keeps its shape
// there, since both groups have the same storage; it goes there only if the group is not served, or
// has never let this process in.
func (g *Groups) Write(w *sink.Write, send Sender) sink.Answer {
	first, probe := g.choose(w)
	a := g.through(first, first, w, send)
	if probe && isAllowed(&a) {
		g.preferEvents()
	}
	second := Other(first)
	if !takesNothing(&a) || g.shouldWait(first, w, &a) {
		return a
	}
	shape := first
	if w.Operation == sink.Create {
		shape = second
	}
	b := g.through(second, shape, w, send)
	if takesNothing(&b) {
		return bothTakeNothing(&a, &b)
	}
	if second == form.CoreV1 && isAllowed(&b) && w.Operation == sink.Create {
		g.preferCore(w.Namespace, &a)
	}
	return b
}

// Other is the other form.
func Other(f form.Form) form.Form {
	if f == form.EventsV1 {
		return form.CoreV1
	}
	return form.EventsV1
}

// through sends a write, marks it with its form, and notes the answer.
func (g *Groups) through(via, shape form.Form, w *sink.Write, send Sender) sink.Answer {
	a := send(via, shape, w)
	if a.Stored == nil {
		a.Mark = a.Mark&Renamed | MarkOf(shape)
	}
	g.note(via, w, &a)
	return a
}

// takesNothing reports whether a group takes no events at all, because a right is missing or the
// server does not serve the group.
func takesNothing(a *sink.Answer) bool { return a.Outcome == sink.Forbidden || IsNotServed(a) }

// isAllowed reports whether a write certainly passed authorization.
func isAllowed(a *sink.Answer) bool {
	switch a.Outcome {
	case sink.Done, sink.Exists, sink.Gone, sink.RefusedQuietly:
		return true
	case sink.Retry:
		return a.Conflict
	}
	return false
}

// bothTakeNothing returns the answer of the first group, with an error about both.
func bothTakeNothing(a, b *sink.Answer) sink.Answer {
	switch {
	case a.Outcome == sink.Forbidden && b.Outcome == sink.Forbidden:
		both := *a
		both.Err = bothForbidden(a, b)
		return both
	case b.Outcome == sink.Forbidden:
		return *b
	}
	return *a
}

// choose returns the group that the event was written through, otherwise the group that goes first.
// A probe tries events.k8s.io again.
func (g *Groups) choose(w *sink.Write) (f form.Form, probe bool) {
	switch w.Mark {
	case MarkOf(form.EventsV1):
		return form.EventsV1, false
	case MarkOf(form.CoreV1):
		return form.CoreV1, false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	core := g.core
	if s := g.namespaces[w.Namespace]; s != nil {
		core = s.core
	}
	if !core {
		return form.EventsV1, false
	}
	if now := g.now(); w.Operation == sink.Create && now >= g.lookAt {
		g.lookAt = now + LookAgain
		return form.EventsV1, true
	}
	return form.CoreV1, false
}

// note takes up an answer.
func (g *Groups) note(f form.Form, w *sink.Write, a *sink.Answer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	switch {
	case a.Outcome == sink.Forbidden:
		g.state(w.Namespace).groups[f].forbidden(now)
	case isAllowed(a):
		s := g.state(w.Namespace)
		s.groups[f] = record{allowed: true}
		if f == form.EventsV1 && w.Operation == sink.Create {
			s.core = false
		}
	}
}

// forbidden notes a Forbidden in a row. If the group had let events in before, a row with a long
// gap proves nothing: it may come from two starting servers.
func (r *record) forbidden(now time.Duration) {
	if !r.refuses || r.allowed && now-r.last > sink.ForbiddenProbe {
		r.refuses, r.since = true, now
	}
	r.last = now
}

// state finds or makes the knowledge about a namespace. The lock is held.
func (g *Groups) state(namespace string) *namespaceState {
	s := g.namespaces[namespace]
	if s != nil {
		return s
	}
	for name := range g.namespaces {
		if len(g.namespaces) < maxNamespaces {
			break
		}
		delete(g.namespaces, name)
	}
	s = &namespaceState{core: g.core}
	g.namespaces[namespace] = s
	return s
}

// shouldWait reports whether a group that is closed now let events of the namespace in, for a
// create not long ago.
func (g *Groups) shouldWait(f form.Form, w *sink.Write, a *sink.Answer) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.namespaces[w.Namespace]
	return a.Outcome == sink.Forbidden && s != nil && s.groups[f].allowed &&
		(w.Operation != sink.Create || !s.groups[f].isConfirmed(g.now()))
}

func (r *record) isConfirmed(now time.Duration) bool {
	return r.refuses && now-r.since >= sink.ForbiddenProbe
}

// preferCore makes the core group go first, if the denial of events.k8s.io is confirmed.
func (g *Groups) preferCore(namespace string, because *sink.Answer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s, now := g.state(namespace), g.now()
	if s.core || !IsNotServed(because) && !s.groups[form.EventsV1].isConfirmed(now) {
		return
	}
	s.core, g.core, g.lookAt = true, true, now+LookAgain
	if !g.fellBack && g.onFallback != nil {
		g.fellBack = true
		go call(g.onFallback, because.Err)
	}
}

// preferEvents makes events.k8s.io go first everywhere: a right granted in one namespace may have
// been granted in others, too. Where it was not, one more call shows it.
func (g *Groups) preferEvents() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.core = false
	for _, s := range g.namespaces {
		s.core = false
	}
}

// call calls a function of the host, which may panic.
func call(f func(error), err error) {
	defer func() { _ = recover() }()
	f(err)
}
