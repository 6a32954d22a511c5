package clientgo

import (
	"context"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// seriesTTL is the time after its last write for which a series may be quiet. As that is at most
// 9/20 of it after the last occurrence, a series ends 7 to 11 minutes after that; client-go's after
// 6 to 12 (finishSeries in tools/events/event_broadcaster.go).
const seriesTTL = 7 * time.Minute

// eventsPipeline returns the options of a recording to events.k8s.io, and the policy that
// aggregates its events.
func (c *config) eventsPipeline() (broadcaster.Options, *policy) {
	p := newPolicy(c, c.maxEvents())
	o := c.pipeline(p)
	p.keys.events = true
	o.Correlator.EventTTL = seriesTTL
	return o, p
}

// maxEvents is the number of distinct notes from which events of events.k8s.io are aggregated; 0:
// never.
func (c *config) maxEvents() int {
	if c.merged {
		return 0
	}
	return defaultMaxEvents
}

// eventsSink makes the calls of an events.EventSink that client-go would make (recordEvent in
// tools/events/event_broadcaster.go).
type eventsSink struct {
	sink    events.EventSink
	message record.EventAggregatorMessageFunc // nil: the default
}

func (s *eventsSink) Write(ctx context.Context, w *sink.Write) sink.Answer {
	if w.Operation == sink.Update && w.Mark&apiserver.Renamed != 0 {
		return apiserver.OtherName()
	}
	stored, err := s.call(ctx, w)
	if err != nil {
		return classify(w, eventsv1.GroupName, err)
	}
	isServer := false
	if own, ok := s.sink.(*events.EventSinkImpl); ok && own != nil && own.Interface != nil {
		_, isServer = urlOf(own.Interface.RESTClient())
	}
	if stored == nil {
		return done(w, nil, isServer)
	}
	core := form.ToCore(stored)
	core.Kind = stored.Kind
	return done(w, &core, isServer)
}

func (s *eventsSink) call(ctx context.Context, w *sink.Write) (*eventsv1.Event, error) {
	e := s.event(w)
	if w.Operation == sink.Create {
		return s.sink.Create(ctx, e)
	}
	return s.sink.Patch(ctx, e, patchOf(form.EventsV1, w, nil))
}

func (s *eventsSink) event(w *sink.Write) *eventsv1.Event {
	e := form.Events(written(w))
	if w.Operation == sink.Update {
		e.ResourceVersion = apiserver.FormatVersion(w.ResourceVersion)
	}
	switch {
	case !w.Aggregate:
	case s.message != nil:
		e.Note = fit(aggregateMessage(s.message, form.Core(written(w))), eventrt.MaxNoteBytes)
	default:
		e.Note = fit(e.Note, eventrt.MaxNoteBytes) // the prefix makes it longer
	}
	return e
}
