package correlator

import (
	"fmt"
	"slices"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// simForm is an API group, and the mark of the events that were written through it.
type simForm uint8

const (
	simEvents simForm = 1 + iota // events.k8s.io/v1: a series from the second occurrence on; the note never changes
	simCore                      // core/v1: a count, and a message that can be changed
)

func (f simForm) String() string { return [...]string{"no group", "events.k8s.io/v1", "core/v1"}[f] }

// simSink answers as the sinks of package kube do. One of two groups writes through the first, and through the second where
// that is forbidden; an event always through the same.
type simSink struct {
	server   *simServer
	groups   []simForm
	fellBack bool
	heeded   bool // a mark chose another group than would be chosen without
}

// choose is the group that an event was written through, else the one that last let an event in.
func (s *simSink) choose(w *runtime.Write) simForm {
	preferred := s.groups[0]
	if s.fellBack {
		preferred = s.groups[1]
	}
	for _, f := range s.groups {
		if w.Mark == uint8(f) {
			s.heeded = s.heeded || f != preferred
			return f
		}
	}
	return preferred
}

// request is a write on its way to the server, with the group that it goes through and the version that the event must have.
type request struct {
	write   runtime.Write
	form    simForm
	version uint64
}

// prepare makes the request of a write. An update that does not know the version of its event asks for it, which can answer the
// write already.
func (s *simSink) prepare(w *runtime.Write) (request, *runtime.Answer) {
	f := s.choose(w)
	if w.Operation == runtime.Create && !s.server.allows(w.Namespace, f) && len(s.groups) > 1 {
		if other := s.groups[0] + s.groups[1] - f; s.server.allows(w.Namespace, other) {
			s.fellBack = s.fellBack || other == s.groups[1]
			f = other
		}
	}
	q := request{write: *w, form: f, version: w.ResourceVersion}
	if w.Operation != runtime.Update || q.version != 0 {
		return q, nil
	}
	a := s.server.ask(q)
	q.version = a.ResourceVersion
	if a.Outcome != runtime.Done {
		return q, &a
	}
	return q, nil
}

// send has the server take a write.
func (s *simSink) send(w *runtime.Write) runtime.Answer {
	q, answered := s.prepare(w)
	if answered != nil {
		return *answered
	}
	return s.server.take(q)
}

// simServer stores events as kube-apiserver does: names are unique, a stale precondition conflicts, a change that changes nothing
// is none, and events expire. TestSimulatedServerIsTheRealOne compares it with the in-memory sink, and that is compared with a
// kube-apiserver.
type simServer struct {
	now     *runtime.Instant
	ttl     time.Duration
	stored  map[string]*simEvent
	rights  map[string][]simForm // by namespace; none are those of all groups
	version uint64
	foreign int
	mixed   error    // an event was written through both groups
	twin    *simTwin // nil: none
}

// simEvent is a stored event.
type simEvent struct {
	simContent
	version uint64
	changed time.Duration
	deleted bool // its count stays for the books
}

// simContent is what an update can change, and what it must not.
type simContent struct {
	form        simForm
	count       int32 // of the core group, else 0
	series      int32 // of events.k8s.io/v1; 0: none
	last        time.Time
	note        string
	annotations string
	latest      string // note of events.k8s.io, in an annotation
}

func (s *simServer) allows(namespace string, f simForm) bool {
	rights, limited := s.rights[namespace]
	return !limited || slices.Contains(rights, f)
}

// find is the event of a name, if it is there.
func (s *simServer) find(name string) *simEvent {
	e := s.stored[name]
	if e == nil || e.deleted || s.now.Mono >= e.changed+s.ttl {
		return nil
	}
	return e
}

// ask answers a patch that changes nothing.
func (s *simServer) ask(q request) runtime.Answer {
	e := s.find(q.write.Name)
	switch {
	case !s.allows(q.write.Namespace, q.form):
		return runtime.Answer{Outcome: runtime.Forbidden, Mark: uint8(q.form)}
	case e == nil:
		return runtime.Answer{Outcome: runtime.Gone, Mark: uint8(q.form)}
	}
	return runtime.Answer{Outcome: runtime.Done, ResourceVersion: e.version, Mark: uint8(q.form)}
}

func (s *simServer) take(q request) runtime.Answer {
	a := s.answer(q)
	if s.twin != nil {
		s.twin.compare(q, a)
	}
	a.Mark = uint8(q.form)
	return a
}

func (s *simServer) answer(q request) runtime.Answer {
	w, e := &q.write, s.find(q.write.Name)
	switch {
	case !s.allows(w.Namespace, q.form):
		return runtime.Answer{Outcome: runtime.Forbidden}
	case w.Operation == runtime.Create && e != nil:
		return runtime.Answer{Outcome: runtime.Exists}
	case w.Operation == runtime.Create:
		s.put(w.Name, contentOf(q))
		return runtime.Answer{Outcome: runtime.Done, ResourceVersion: s.version}
	case e == nil:
		return runtime.Answer{Outcome: runtime.Gone}
	case q.version != e.version:
		return runtime.Answer{Outcome: runtime.Retry, Conflict: true}
	case q.form != e.form && s.mixed == nil:
		s.mixed = fmt.Errorf("%s was created through %v and is written through %v", w.Name, e.form, q.form)
	}
	if c := e.updated(q); c != e.simContent {
		s.put(w.Name, c)
	}
	return runtime.Answer{Outcome: runtime.Done, ResourceVersion: s.stored[w.Name].version}
}

func (s *simServer) put(name string, c simContent) {
	s.version++
	s.stored[name] = &simEvent{simContent: c, version: s.version, changed: s.now.Mono}
}

// contentOf is what a create stores.
func contentOf(q request) simContent {
	w := &q.write
	c := simContent{form: q.form, note: string(w.Note), annotations: fmt.Sprint(w.Annotations)}
	if q.form == simCore {
		c.count, c.last = w.Count, w.Last.Truncate(time.Second)
	} else {
		c.observe(w)
	}
	return c
}

// updated is what an update makes of an event.
func (e *simEvent) updated(q request) simContent {
	w, c := &q.write, e.simContent
	if q.form == simCore {
		c.count, c.last = w.Count, w.Last.Truncate(time.Second)
	} else {
		c.observe(w)
	}
	if w.Aggregate {
		c.annotations = fmt.Sprint(w.Annotations)
	}
	if (w.Aggregate || w.LatestNote) && q.form == simCore {
		c.note = string(w.Note)
	}
	if w.LatestNote && q.form == simEvents {
		c.latest = string(w.Note)
	}
	return c
}

// observe sets the series. The server takes none of less than two.
func (c *simContent) observe(w *runtime.Write) {
	if w.Count >= 2 {
		c.series, c.last = w.Count, w.Last.Truncate(time.Microsecond)
	}
}

// stands is how many occurrences people see of an event.
func (c *simContent) stands() uint64 { return uint64(max(c.count, c.series, 1)) }

// expire has an event end before its time.
func (s *simServer) expire(name string) {
	if e := s.stored[name]; e != nil {
		e.deleted = true
	}
}

func (s *simServer) total() (n uint64) {
	for _, e := range s.stored {
		n += e.stands()
	}
	return n
}
