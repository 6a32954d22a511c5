package clientgo

import (
	"context"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// coreTTL is the time for which an event of the core group is remembered after its last occurrence.
const coreTTL = 24 * time.Hour

// corePipeline returns the options of a recording to the core group, and the policy that aggregates
// its events.
func (c *config) corePipeline() (broadcaster.Options, *policy) {
	p := newPolicy(c, defaultMaxEvents)
	o := c.pipeline(p)
	o.Correlator.EventTTL = coreTTL
	return o, p
}

// coreSink makes the calls of a record.EventSink that client-go would make (recordEvent in
// tools/record/event.go).
type coreSink struct {
	sink    record.EventSink
	message record.EventAggregatorMessageFunc // nil: the default
	// asEvents is set if the events were recorded for events.k8s.io, whose source has no host.
	asEvents bool
}

func (s *coreSink) Write(ctx context.Context, w *sink.Write) sink.Answer {
	return s.write(ctx, form.CoreV1, w)
}

// write makes the call of a write, in the shape of a form.
func (s *coreSink) write(ctx context.Context, shape form.Form, w *sink.Write) sink.Answer {
	if w.Operation == sink.Update && w.Mark&apiserver.Renamed != 0 {
		return apiserver.OtherName()
	}
	stored, err := s.call(ctx, shape, w)
	if err != nil {
		return classify(w, corev1.GroupName, err)
	}
	_, _, isServer := clientOf(s.sink)
	return done(w, stored, isServer)
}

// call ends with its context if the sink is client-go's own. Otherwise it can't: record.EventSink
// takes no context.
func (s *coreSink) call(ctx context.Context, shape form.Form, w *sink.Write) (*corev1.Event, error) {
	e := s.event(w)
	client, withContext := s.sink.(*typedcorev1.EventSinkImpl)
	if w.Operation == sink.Create {
		if withContext {
			return client.Interface.CreateWithEventNamespaceWithContext(ctx, e)
		}
		return s.sink.Create(e)
	}
	patch := patchOf(shape, w, &e.Message)
	if shape == form.EventsV1 {
		patch = patchOf(shape, w, nil)
	}
	if withContext {
		return client.Interface.PatchWithEventNamespaceWithContext(ctx, e, patch)
	}
	return s.sink.Patch(e, patch)
}

func (s *coreSink) event(w *sink.Write) *corev1.Event {
	e := form.Core(written(w))
	if w.Operation == sink.Update {
		e.ResourceVersion = apiserver.FormatVersion(w.ResourceVersion)
	}
	if s.asEvents {
		e.Source.Host = ""
	}
	if w.Aggregate && s.message != nil {
		e.Message = aggregateMessage(s.message, e)
	}
	return e
}

// aggregateMessage asks the caller's function, which is shown the event as it would be without
// aggregation. One that panics has no say.
func aggregateMessage(message record.EventAggregatorMessageFunc, e *corev1.Event) (text string) {
	text = e.Message
	defer func() { _ = recover() }()
	shown := *e
	shown.Message = strings.TrimPrefix(e.Message, eventrt.AggregatePrefix)
	return fit(message(&shown), maxMessageBytes)
}
