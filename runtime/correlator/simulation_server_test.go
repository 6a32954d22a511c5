package correlator

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/sink"
)

// simForm is an API group, and the mark of the events that were written through it.
type simForm uint8

const (
	// events.k8s.io/v1: a series from the second occurrence on; the note never changes
	simEvents simForm = 1 + iota
	simCore           // core/v1: a count, and a message that can be changed
)

func (f simForm) String() string { return [...]string{"no group", "events.k8s.io/v1", "core/v1"}[f] }

// simSink answers as the sinks of package kube do. A sink of two groups writes through the first,
// and through the second if the first is forbidden. It always writes an event through the same
// group.
type simSink struct {
	server   *simServer
	groups   []simForm
	fellBack bool
	heeded   bool // a mark chose another group than would be chosen without
}

// choose returns the group that an event was written through, else the group that last let an event
// in.
func (s *simSink) choose(w *sink.Write) simForm {
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

// request is a write on its way to the server, with the group that it goes through.
type request struct {
	write sink.Write
	form  simForm
}

// prepare makes the request of a write.
func (s *simSink) prepare(w *sink.Write) request {
	f := s.choose(w)
	if w.Operation == sink.Create && !s.server.allows(w.Namespace, f) && len(s.groups) > 1 {
		if other := s.groups[0] + s.groups[1] - f; s.server.allows(w.Namespace, other) {
			s.fellBack = s.fellBack || other == s.groups[1]
			f = other
		}
	}
	q := request{write: *w, form: f}
	q.write.Annotations, q.write.Dropped, q.write.Labels = slices.Clone(w.Annotations), slices.Clone(w.Dropped), slices.Clone(w.Labels)
	return q
}

// send has the server take a write.
func (s *simSink) send(w *sink.Write) sink.Answer { return s.server.take(s.prepare(w)) }

// simServer stores events as kube-apiserver does: names are unique, a stale precondition conflicts,
// a change that changes nothing is none, and events expire. TestSimulatedServerIsTheRealOne
// compares it with the in-memory sink. The suite of package sinktest compares that sink with a
// kube-apiserver.
type simServer struct {
	now     *clock.Instant
	ttl     time.Duration
	stored  map[string]*simEvent
	rights  map[string][]simForm // by namespace; none: all groups
	past    map[string]uint64    // counts of events that have expired and were begun anew
	version uint64
	foreign int
	mixed   error    // an event was written through both groups
	twin    *simTwin // nil: none
}

// simEvent is a stored event.
type simEvent struct {
	simContent
	created     sink.Write // what was created
	annotations map[string]string
	version     uint64
	changed     time.Duration
	deleted     bool // its count stays for the books
	foreign     bool // another's
}

// simContent holds the fields that an update can change.
type simContent struct {
	form   simForm
	count  int32 // of the core group, else 0
	series int32 // of events.k8s.io/v1; 0: none
	first  time.Time
	last   time.Time
	note   string
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

func (s *simServer) take(q request) sink.Answer {
	a := s.answer(q)
	if s.twin != nil {
		s.twin.compare(q, a)
	}
	if a.Stored == nil {
		a.Mark = uint8(q.form)
	}
	return a
}

func (s *simServer) answer(q request) sink.Answer {
	w, e := &q.write, s.find(q.write.Name)
	switch {
	case !s.allows(w.Namespace, q.form):
		return sink.Answer{Outcome: sink.Forbidden}
	case w.Operation == sink.Create && e != nil:
		return sink.Answer{Outcome: sink.Exists}
	case w.Operation == sink.Create:
		s.create(q)
		return sink.Answer{Outcome: sink.Done, ResourceVersion: s.version}
	case e == nil:
		return sink.Answer{Outcome: sink.Gone}
	case w.Operation == sink.Read:
		return sink.Answer{Outcome: sink.Done, ResourceVersion: e.version, Mark: uint8(e.form), Stored: e.object()}
	case w.ResourceVersion != e.version:
		return sink.Answer{Outcome: sink.Retry, Conflict: true}
	case q.form != e.form && s.mixed == nil:
		s.mixed = fmt.Errorf("%s was created through %v and is written through %v", w.Name, e.form, q.form)
	}
	changed := *e
	changed.annotations = maps.Clone(e.annotations)
	changed.update(q)
	if changed.simContent != e.simContent || !maps.Equal(changed.annotations, e.annotations) {
		s.put(&changed)
	}
	return sink.Answer{Outcome: sink.Done, ResourceVersion: s.stored[w.Name].version}
}

// create stores a new event. If an event of its name has expired without the writer's knowledge,
// the expired event stays for the books.
func (s *simServer) create(q request) {
	w := &q.write
	e := &simEvent{simContent: simContent{form: q.form, note: string(w.Note), first: q.form.precise(w.First)}, created: *w, annotations: map[string]string{}}
	e.observe(w)
	e.annotate(w)
	if old := s.stored[w.Name]; old != nil && !old.foreign {
		if key := writerOf(w); key != "" && old.annotations[key] == "" {
			own, _ := parseCount(e.annotations[key])
			// which the writer has read
			s.past[w.Name] += old.stands() - min(old.stands(), uint64(w.Count)-own)
		}
	}
	s.put(e)
}

// writerOf is the key of the writer's annotation; empty: none.
func writerOf(w *sink.Write) string {
	for _, a := range w.Annotations {
		if strings.HasPrefix(a.Key, sink.WriterAnnotation) {
			return a.Key
		}
	}
	return ""
}

func (s *simServer) put(e *simEvent) {
	s.version++
	e.version, e.changed = s.version, s.now.Mono
	s.stored[e.created.Name] = e
}

// precise is a time as a form keeps it.
func (f simForm) precise(t time.Time) time.Time {
	if f == simCore {
		return t.Truncate(time.Second)
	}
	return t.Truncate(time.Microsecond)
}

func (e *simEvent) update(q request) {
	w := &q.write
	e.observe(w)
	e.annotate(w)
	switch {
	case q.form == simEvents && w.LatestNote:
		e.annotations[sink.LatestNoteAnnotation] = string(w.Note)
	case q.form == simCore && (w.Aggregate || w.LatestNote || w.Joins):
		e.note = string(w.Note)
	}
	if q.form == simCore && w.Joins {
		e.first = q.form.precise(w.First)
	}
}

// observe sets the count. The server takes no series of less than two.
func (e *simEvent) observe(w *sink.Write) {
	switch {
	case e.form == simCore:
		e.count, e.last = w.Count, e.form.precise(w.Last)
	case w.Count >= 2:
		e.series, e.last = w.Count, e.form.precise(w.Last)
	}
}

func (e *simEvent) annotate(w *sink.Write) {
	for _, key := range w.Dropped {
		delete(e.annotations, key)
	}
	for _, a := range w.Annotations {
		e.annotations[a.Key] = a.Value
	}
}

// object is the event as a read returns it.
func (e *simEvent) object() *corev1.Event {
	w := &e.created
	o := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Namespace: w.Namespace, Name: w.Name, Annotations: maps.Clone(e.annotations)},
		InvolvedObject: w.Regarding, Reason: w.Reason, Action: w.Action, Type: w.Type, Message: e.note,
		ReportingController: w.ReportingController, ReportingInstance: w.ReportingInstance,
	}
	if e.form == simCore {
		o.Count, o.FirstTimestamp, o.LastTimestamp = e.count, metav1.Time{Time: e.first}, metav1.Time{Time: e.last}
		return o
	}
	o.EventTime = metav1.MicroTime{Time: e.first}
	if e.series > 0 {
		o.Series = &corev1.EventSeries{Count: e.series, LastObservedTime: metav1.MicroTime{Time: e.last}}
	}
	return o
}

// latest is the note of the latest occurrence that people see.
func (e *simEvent) latest() string {
	if note, ok := e.annotations[sink.LatestNoteAnnotation]; ok {
		return note
	}
	return e.note
}

// stands returns the number of occurrences that people see of an event.
func (e *simEvent) stands() uint64 {
	if e.foreign {
		return 0
	}
	return uint64(max(e.count, e.series, 1))
}

// expire ends an event before its time.
func (s *simServer) expire(name string) {
	if e := s.stored[name]; e != nil {
		e.deleted = true
	}
}

// annotate changes an event like kubectl annotate.
func (s *simServer) annotate(name string) {
	e := *s.find(name)
	e.annotations = maps.Clone(e.annotations)
	e.annotations["example.com/seen"] = strconv.FormatUint(s.version, 10)
	s.put(&e)
}

// foreignReason is the reason of an event that another process has made.
const foreignReason = "Foreign"

// takeAway gives a name to another's event.
func (s *simServer) takeAway(q request) {
	s.foreign++
	q.write.Reason, q.write.Annotations = foreignReason, nil
	s.create(q)
	s.stored[q.write.Name].foreign = true
}

func (s *simServer) total() (n uint64) {
	for name, e := range s.stored {
		n += e.stands() + s.past[name]
	}
	return n
}
