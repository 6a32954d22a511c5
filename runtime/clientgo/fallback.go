package clientgo

import (
	"context"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/runtime"
)

// Marks of events, by the group that they were written through; 0: none yet.
const (
	markEvents = 1 + iota
	markCore
)

// fallbackSink writes events.k8s.io/v1, and the core group where the server does not let it. An event is only ever written
// through one group.
type fallbackSink struct {
	events, core runtime.Sink
	logger       klog.Logger
	fellBack     atomic.Bool
}

func (s *fallbackSink) Write(ctx context.Context, w *runtime.Write) runtime.Answer {
	first := s.choose(w)
	a := s.through(ctx, first, w)
	if w.Operation != runtime.Create || !closed(a) {
		return a
	}
	second := uint8(markEvents + markCore - int(first))
	b := s.through(ctx, second, w)
	switch {
	case b.Outcome == runtime.Forbidden:
		a.Err = &forbiddenError{namespace: w.Namespace, groups: []string{eventsv1.GroupName, corev1.GroupName}, causes: []error{a.Err, b.Err}}
		return a
	case b.Outcome == runtime.Done && second == markCore && !s.fellBack.Swap(true):
		s.logger.Info("Events are written through the core group from now on", "because", a.Err.Error())
	}
	return b
}

// choose is the group that the event was written through, else the one that was last let in.
func (s *fallbackSink) choose(w *runtime.Write) uint8 {
	switch {
	case w.Mark != 0:
		return w.Mark
	case s.fellBack.Load():
		return markCore
	}
	return markEvents
}

func (s *fallbackSink) through(ctx context.Context, group uint8, w *runtime.Write) runtime.Answer {
	sink := s.events
	if group == markCore {
		sink = s.core
	}
	a := sink.Write(ctx, w)
	a.Mark = group
	return a
}

// closed reports that a group takes no events at all: for want of a right, or because it is not served.
func closed(a runtime.Answer) bool {
	return a.Outcome == runtime.Forbidden || a.Outcome == runtime.Refused && apierrors.IsNotFound(a.Err)
}
