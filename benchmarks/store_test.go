package benchmarks

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/event-gen/event-gen/runtime/sink"
)

// store is the server that all three write to. It keeps counts only if keep is set.
type store struct {
	delay time.Duration // of each call
	keep  bool
	// answer, unless nil, decides about a call in a namespace: nil means that it is stored.
	answer func(namespace string) error
	hang   chan struct{} // calls wait for it; nil: they do not

	calls, failed atomic.Int64
	mu            sync.Mutex
	counts        map[string]int32 // by namespace and name
}

var (
	errAway      = errors.New("dial tcp 10.0.0.1:443: connect: connection refused")
	errForbidden = errors.New(`events.events.k8s.io is forbidden: User "u" cannot create resource "events" in API group "events.k8s.io"`)
)

func (s *store) call(namespace, name string, count int32) error {
	s.calls.Add(1)
	if s.hang != nil {
		<-s.hang
	}
	if s.delay > 0 {
		time.Sleep(s.delay)
	}
	if s.answer != nil {
		if err := s.answer(namespace); err != nil {
			s.failed.Add(1)
			return err
		}
	}
	if s.keep {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.counts == nil {
			s.counts = map[string]int32{}
		}
		s.counts[namespace+"/"+name] = count
	}
	return nil
}

// stored is the number of occurrences that the store holds.
func (s *store) stored() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.counts {
		n += int(c)
	}
	return n
}

// Write implements sink.Sink.
func (s *store) Write(_ context.Context, w *sink.Write) sink.Answer {
	switch err := s.call(w.Namespace, w.Name, w.Count); err {
	case nil:
		return sink.Answer{Outcome: sink.Done, ResourceVersion: 1}
	case errForbidden:
		return sink.Answer{Outcome: sink.Forbidden, Scope: sink.ScopeNamespace, Err: err}
	default:
		return sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeServer, Err: err}
	}
}

type coreSink struct{ *store }

func (s coreSink) Create(e *corev1.Event) (*corev1.Event, error) {
	return e, s.call(e.Namespace, e.Name, e.Count)
}
func (s coreSink) Update(e *corev1.Event) (*corev1.Event, error) { return s.Create(e) }
func (s coreSink) Patch(e *corev1.Event, _ []byte) (*corev1.Event, error) {
	return s.Create(e)
}

type eventsSink struct{ *store }

func (s eventsSink) Create(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	count := int32(1)
	if e.Series != nil {
		count = e.Series.Count
	}
	return e, s.call(e.Namespace, e.Name, count)
}
func (s eventsSink) Update(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return s.Create(ctx, e)
}
func (s eventsSink) Patch(ctx context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return s.Create(ctx, e)
}
