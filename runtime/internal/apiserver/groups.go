package apiserver

import (
	"sync"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/form"
)

// LookAgain is how often events.k8s.io is tried again once events go to the core group.
const LookAgain = 5 * time.Minute

// maxNamespaces bounds how many namespaces are known apart. One that is forgotten is learnt anew, by one more call.
const maxNamespaces = 4096

// MarkOf is the mark of events that are written through the API group of a form; no event without one has been tried.
func MarkOf(f form.Form) uint8 { return uint8(f) + 1 }

// Groups chooses the API group that an event is written through: events.k8s.io/v1, or the core group where rights demand it.
// An event is only ever written through the group that it was created through.
//
// A group that is forbidden is left for the other one at once, for this one event, unless it let events of the namespace in
// before: a starting server forbids everything for a moment, and then the event waits. Turning to the core group, so that it
// is tried first, needs more: that events.k8s.io has answered the namespace nothing but Forbidden for
// runtime.ForbiddenDoubt, or is not served, and that the core group lets the event in. The zero value is not ready for use.
// It is safe for concurrent use.
type Groups struct {
	now        func() time.Duration
	onFallback func(error)

	mu         sync.Mutex
	namespaces map[string]*standing
	core       bool          // the core group goes first in unknown namespaces
	lookAt     time.Duration // when events.k8s.io is tried again
	told       bool
}

// standing is the knowledge about a namespace.
type standing struct {
	core   bool // goes first
	groups [2]record
}

// record is what one group answered.
type record struct {
	letIn, refuses bool
	since, last    time.Duration // the first and the last of an unbroken row of Forbidden
}

// NewGroups goes by a clock. onFallback, unless nil, is called once, in a goroutine of its own, when the core group is first
// turned to, with the reason. A panic in it harms nobody.
func NewGroups(clock runtime.Clock, onFallback func(error)) *Groups {
	return &Groups{
		now:        func() time.Duration { return clock.Now().Mono },
		onFallback: onFallback,
		namespaces: map[string]*standing{},
	}
}

// Write sends a write through one group, by a function that does so. A create that this group does not take is sent through
// the other one too, if it is not worth waiting for the first.
func (g *Groups) Write(w *runtime.Write, send func(form.Form, *runtime.Write) runtime.Answer) runtime.Answer {
	first, probe := g.choose(w)
	a := g.through(first, w, send)
	if probe && isLetIn(&a) {
		g.turnBack()
	}
	if w.Operation != runtime.Create || !isClosed(&a) || g.worthWaiting(first, w.Namespace, &a) {
		return a
	}
	second := other(first)
	b := g.through(second, w, send)
	if isClosed(&b) {
		return bothClosed(&a, &b)
	}
	if second == form.CoreV1 && isLetIn(&b) {
		g.turn(w.Namespace, &a)
	}
	return b
}

func other(f form.Form) form.Form {
	if f == form.EventsV1 {
		return form.CoreV1
	}
	return form.EventsV1
}

// through sends a write, marks it with the group, and notes what that tells of the group.
func (g *Groups) through(f form.Form, w *runtime.Write, send func(form.Form, *runtime.Write) runtime.Answer) runtime.Answer {
	a := send(f, w)
	a.Mark = MarkOf(f)
	g.note(f, w, &a)
	return a
}

// isClosed reports that a group takes no events at all: for want of a right, or because it is not served.
func isClosed(a *runtime.Answer) bool { return a.Outcome == runtime.Forbidden || IsNotServed(a) }

// isLetIn reports that a write got past authorization. Other trouble comes from before it or does not tell.
func isLetIn(a *runtime.Answer) bool {
	switch a.Outcome {
	case runtime.Done, runtime.Exists, runtime.Gone, runtime.RefusedQuietly:
		return true
	case runtime.Retry:
		return a.Conflict
	}
	return false
}

// bothClosed speaks of the first group, and in its error of both.
func bothClosed(a, b *runtime.Answer) runtime.Answer {
	switch {
	case a.Outcome == runtime.Forbidden && b.Outcome == runtime.Forbidden:
		both := *a
		both.Err = bothForbidden(a, b)
		return both
	case b.Outcome == runtime.Forbidden:
		return *b
	}
	return *a
}

// choose is the group that the event was written through, else the one that goes first. A probe looks again whether
// events.k8s.io lets events in by now.
func (g *Groups) choose(w *runtime.Write) (f form.Form, probe bool) {
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
	if now := g.now(); w.Operation == runtime.Create && now >= g.lookAt {
		g.lookAt = now + LookAgain
		return form.EventsV1, true
	}
	return form.CoreV1, false
}

// note takes up an answer.
func (g *Groups) note(f form.Form, w *runtime.Write, a *runtime.Answer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	switch {
	case a.Outcome == runtime.Forbidden:
		g.standing(w.Namespace).groups[f].forbidden(now)
	case isLetIn(a):
		s := g.standing(w.Namespace)
		s.groups[f] = record{letIn: true}
		if f == form.EventsV1 && w.Operation == runtime.Create {
			s.core = false
		}
	}
}

// forbidden counts a refusal in a row. Where the group had let events in, a row with a long gap in it proves nothing: there
// may have been two starting servers.
func (r *record) forbidden(now time.Duration) {
	if !r.refuses || r.letIn && now-r.last > runtime.ForbiddenDoubt {
		r.refuses, r.since = true, now
	}
	r.last = now
}

// standing finds or makes a namespace's. The lock is held.
func (g *Groups) standing(namespace string) *standing {
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
	s = &standing{core: g.core}
	g.namespaces[namespace] = s
	return s
}

// worthWaiting reports that a group which is closed now let events of the namespace in, not long ago.
func (g *Groups) worthWaiting(f form.Form, namespace string, a *runtime.Answer) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.namespaces[namespace]
	return a.Outcome == runtime.Forbidden && s != nil && s.groups[f].letIn && !s.groups[f].isBeyondDoubt(g.now())
}

func (r *record) isBeyondDoubt(now time.Duration) bool {
	return r.refuses && now-r.since >= runtime.ForbiddenDoubt
}

// turn has the core group go first, if that is beyond doubt.
func (g *Groups) turn(namespace string, because *runtime.Answer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s, now := g.standing(namespace), g.now()
	if s.core || !IsNotServed(because) && !s.groups[form.EventsV1].isBeyondDoubt(now) {
		return
	}
	s.core, g.core, g.lookAt = true, true, now+LookAgain
	if !g.told && g.onFallback != nil {
		g.told = true
		go tell(g.onFallback, because.Err)
	}
}

// turnBack has events.k8s.io go first everywhere: a right that was given in one namespace may have been given in others.
// Where it was not, one more call tells.
func (g *Groups) turnBack() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.core = false
	for _, s := range g.namespaces {
		s.core = false
	}
}

// tell calls a function of the host's, which may panic.
func tell(f func(error), err error) {
	defer func() { _ = recover() }()
	f(err)
}
