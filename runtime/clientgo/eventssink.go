package clientgo

import (
	"context"
	"encoding/json"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

const (
	// seriesTTL is how long after its last write a series may be quiet. As that is at most 9/20 of it after the last
	// occurrence, a series ends 7 to 11 minutes after that; client-go's after 6 to 12 (finishSeries in
	// tools/events/event_broadcaster.go).
	seriesTTL = 7 * time.Minute
	// minSeriesCount is the least count that the server takes in a series.
	minSeriesCount = 2
)

// eventsPipeline is what a recording to events.k8s.io is made with.
func (c *config) eventsPipeline(logger klog.Logger) broadcaster.Options {
	o := c.pipeline()
	o.Correlator.EventTTL = seriesTTL
	o.Correlator.Fold = newPolicy(c, 0, logger).fold
	return o
}

// eventsSink writes through an events.EventSink what client-go would (recordEvent in tools/events/event_broadcaster.go).
type eventsSink struct {
	sink     events.EventSink
	message  record.EventAggregatorMessageFunc // nil: the default
	versions versions
}

func (s *eventsSink) Write(ctx context.Context, w *runtime.Write) runtime.Answer {
	return s.versions.write(w, func(w *runtime.Write, ask bool) runtime.Answer {
		stored, err := s.call(ctx, w.Operation, s.event(w), ask)
		if err != nil {
			return classify(w, eventsv1.GroupName, err)
		}
		return done(stored, stored == nil)
	})
}

func (s *eventsSink) call(ctx context.Context, op runtime.Operation, e *eventsv1.Event, ask bool) (*eventsv1.Event, error) {
	switch {
	case op == runtime.Create:
		return s.sink.Create(ctx, e)
	case ask:
		return s.sink.Patch(ctx, e, []byte(noChange))
	}
	patch, err := seriesPatch(e)
	if err != nil {
		return nil, err
	}
	return s.sink.Patch(ctx, e, patch)
}

func (s *eventsSink) event(w *runtime.Write) *eventsv1.Event {
	from := sourceOf(w.ReportingController)
	e := &eventsv1.Event{
		ObjectMeta:          writtenMeta(w),
		EventTime:           metav1.NewMicroTime(w.First),
		ReportingController: from.component,
		ReportingInstance:   from.host,
		Action:              w.Action,
		Reason:              w.Reason,
		Regarding:           w.Regarding,
		Related:             writtenRelated(w),
		Note:                fit(s.note(w), runtime.MaxNoteBytes),
		Type:                w.Type,
	}
	if w.Count >= minSeriesCount {
		e.Series = &eventsv1.EventSeries{Count: w.Count, LastObservedTime: metav1.NewMicroTime(w.Last)}
	}
	return e
}

func (s *eventsSink) note(w *runtime.Write) string {
	if !w.Aggregate || s.message == nil {
		return string(w.Note)
	}
	return aggregateMessage(s.message, (&coreSink{}).event(w))
}

// seriesPatch holds the series, if there is one, and the version that the event must have.
func seriesPatch(e *eventsv1.Event) ([]byte, error) {
	return json.Marshal(struct {
		Metadata *precondition         `json:"metadata,omitempty"`
		Series   *eventsv1.EventSeries `json:"series,omitempty"`
	}{preconditionOf(e), e.Series})
}
