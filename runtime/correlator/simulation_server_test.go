package correlator

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// simServer is the in-memory sink, once for each API group, with rights that change and with books
// of all that was ever stored. The suite of package sinktest compares that sink with a
// kube-apiserver.
type simServer struct {
	memory  [2]*memory.Sink // by form
	rights  map[string][]form.Form
	stored  map[string]*simEvent // by name: what was last stored
	past    map[string]uint64    // counts of events that have expired and were begun anew
	deleted map[string]int       // how many events of a name were deleted before they had expired
	foreign int
	mixed   error // an event was written in both forms
}

// simEvent is an event as it was last stored.
type simEvent struct {
	*corev1.Event
	form form.Form
}

// timeOf is the time of a history, for an in-memory sink.
func timeOf(now *clock.Instant) func() time.Time {
	return func() time.Time { return time.Unix(0, 0).Add(now.Mono) }
}

func newSimServer(now *clock.Instant, ttl time.Duration) *simServer {
	s := &simServer{rights: map[string][]form.Form{}, stored: map[string]*simEvent{}, past: map[string]uint64{}, deleted: map[string]int{}}
	for f := range s.memory {
		s.memory[f] = memory.New(memory.Options{CoreV1: form.Form(f) == form.CoreV1, TTL: ttl, Now: timeOf(now)})
	}
	return s
}

// do has the store of a form take a write. The store keeps an event that was deleted; the next one
// of that name has a longer name there.
func (s *simServer) do(f form.Form, w sink.Write) sink.Answer {
	name := w.Name
	w.Name += strings.Repeat("0", s.deleted[name])
	a := s.memory[f].Write(context.Background(), &w)
	if a.Stored != nil {
		a.Stored.Name = name
	}
	return a
}

// find is the event of a name, if it is there.
func (s *simServer) find(name string) *simEvent {
	e := s.stored[name]
	if e == nil || s.do(e.form, sink.Write{Operation: sink.Read, Namespace: e.Namespace, Name: name}).Outcome != sink.Done {
		return nil
	}
	return e
}

// take has the server take a write that comes through one API group, in the shape of a form.
func (s *simServer) take(via, shape form.Form, w *sink.Write) sink.Answer {
	if rights, limited := s.rights[w.Namespace]; limited && !slices.Contains(rights, via) {
		return sink.Answer{Outcome: sink.Forbidden}
	}
	at, live := shape, s.find(w.Name)
	if live != nil {
		at = live.form
	}
	switch {
	case w.Operation != sink.Create && !via.Changes(at):
		return apiserver.OtherForm()
	case w.Operation == sink.Update && at != shape && s.mixed == nil:
		s.mixed = fmt.Errorf("%s was created in the form of %v and is written in that of %v", w.Name, at, shape)
	}
	return s.put(at, w)
}

// put has the store of a form take a write, and notes what it has stored.
func (s *simServer) put(f form.Form, w *sink.Write) sink.Answer {
	a := s.do(f, *w)
	if a.Outcome == sink.Done && w.Operation != sink.Read {
		s.note(f, w)
	}
	return a
}

// note enters what was stored into the books. If an event of the name has expired without the
// writer's knowledge, its count stays.
func (s *simServer) note(f form.Form, w *sink.Write) {
	e := &simEvent{s.do(f, sink.Write{Operation: sink.Read, Namespace: w.Namespace, Name: w.Name}).Stored, f}
	if old := s.stored[w.Name]; w.Operation == sink.Create && old != nil && old.Reason != foreignReason {
		if key := writerOf(w); key != "" && old.Annotations[key] == "" {
			own, _ := parseCount(e.Annotations[key])
			// which the writer has read
			s.past[w.Name] += old.stands() - min(old.stands(), uint64(w.Count)-own)
		}
	}
	s.stored[w.Name] = e
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

// live returns the events that are there.
func (s *simServer) live() (events []*simEvent) {
	for _, name := range slices.Sorted(maps.Keys(s.stored)) {
		if e := s.find(name); e != nil {
			events = append(events, e)
		}
	}
	return events
}

// latest is the note of the latest occurrence that people see.
func (e *simEvent) latest() string {
	if note, ok := e.Annotations[sink.LatestNoteAnnotation]; ok {
		return note
	}
	return e.Message
}

// stands returns the number of occurrences that people see of an event.
func (e *simEvent) stands() uint64 {
	if e.Reason == foreignReason {
		return 0
	}
	return storedCount(e.Event)
}

// labels are those of the event, in the order of their keys.
func (e *simEvent) labels() (labels []eventrt.Annotation) {
	for _, key := range slices.Sorted(maps.Keys(e.Labels)) {
		labels = append(labels, eventrt.Annotation{Key: key, Value: e.Labels[key]})
	}
	return labels
}

// expire ends an event before its time.
func (s *simServer) expire(name string) {
	if s.find(name) != nil {
		s.deleted[name]++
	}
}

// annotate changes an event like kubectl annotate, and drops annotations.
func (s *simServer) annotate(e *simEvent, value string, dropped ...string) {
	_, last := storedTimes(e.Event)
	s.put(e.form, &sink.Write{
		Operation: sink.Update, Namespace: e.Namespace, Name: e.Name, Count: int32(storedCount(e.Event)), Last: last,
		Annotations: []eventrt.Annotation{{Key: "example.com/seen", Value: value}}, Dropped: dropped,
	})
}

// foreignReason is the reason of an event that another process has made.
const foreignReason = "Foreign"

// takeAway gives a name to another's event, unless it is taken.
func (s *simServer) takeAway(f form.Form, w sink.Write) {
	s.foreign++
	w.Reason, w.Count, w.Annotations = foreignReason, 1, nil
	s.put(f, &w)
}

func (s *simServer) total() (n uint64) {
	for name, e := range s.stored {
		n += e.stands() + s.past[name]
	}
	return n
}
