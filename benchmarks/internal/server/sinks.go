package server

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// RecordSink is the server as client-go's tools/record sees it.
func (s *Server) RecordSink() record.EventSink { return recordSink{s} }

// EventsSink is the server as client-go's tools/events sees it.
func (s *Server) EventsSink() events.EventSink { return eventsSink{s} }

// Sink is the server as this module's broadcaster sees it.
func (s *Server) Sink() eventrt.Sink { return sink{s} }

type recordSink struct{ *Server }

func (s recordSink) Create(e *corev1.Event) (*corev1.Event, error) {
	return e, s.call(context.Background(), func() error {
		return s.store.create(e.Namespace+"/"+e.Name, Event{Reason: e.Reason, Type: e.Type, Note: e.Message, Count: int(e.Count)})
	})
}

// Patch is told the new count by the event, which is what the patch was made from.
func (s recordSink) Patch(e *corev1.Event, _ []byte) (*corev1.Event, error) {
	return e, s.call(context.Background(), func() error { return s.store.setCount(e.Namespace+"/"+e.Name, int(e.Count)) })
}

func (s recordSink) Update(*corev1.Event) (*corev1.Event, error) { return nil, errUnused }

type eventsSink struct{ *Server }

func (s eventsSink) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return e, s.call(ctx, func() error {
		return s.store.create(e.Namespace+"/"+e.Name, Event{Reason: e.Reason, Type: e.Type, Note: e.Note, Count: seriesCount(e)})
	})
}

func (s eventsSink) Patch(ctx context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return e, s.call(ctx, func() error { return s.store.setCount(e.Namespace+"/"+e.Name, seriesCount(e)) })
}

func (s eventsSink) Update(context.Context, *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, errUnused
}

func seriesCount(e *eventsv1.Event) int {
	if e.Series == nil {
		return 1
	}
	return int(e.Series.Count)
}

// errUnused answers what no recorder calls.
var errUnused = errors.New("PUT is not used by recorders")

type sink struct{ *Server }

func (s sink) Write(ctx context.Context, w *eventrt.Write) eventrt.Answer {
	err := s.call(ctx, func() error { return s.keep(w) })
	switch {
	case err == nil:
		return eventrt.Answer{Outcome: eventrt.Done, ResourceVersion: 1}
	case apierrors.IsNotFound(err):
		return eventrt.Answer{Outcome: eventrt.Gone, Err: err}
	case apierrors.IsAlreadyExists(err):
		return eventrt.Answer{Outcome: eventrt.Exists, Err: err}
	}
	return eventrt.Answer{Outcome: eventrt.Retry, Err: err}
}

func (s sink) keep(w *eventrt.Write) error {
	name := w.Namespace + "/" + w.Name
	if w.Operation == eventrt.Update {
		return s.store.setCount(name, int(w.Count))
	}
	return s.store.create(name, Event{Reason: w.Reason, Type: w.Type, Note: string(w.Note), Count: int(w.Count)})
}
