package clientgo

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// coreTTL is how long an event of the core group is remembered after its last occurrence.
const coreTTL = 24 * time.Hour

// corePipeline is what a recording to the core group is made with.
func (c *config) corePipeline(logger klog.Logger) broadcaster.Options {
	o := c.pipeline()
	o.Correlator.EventTTL = coreTTL
	o.Correlator.Fold = newPolicy(c, defaultMaxEvents, logger).fold
	return o
}

// coreSink writes through a record.EventSink what client-go would (recordEvent in tools/record/event.go).
type coreSink struct {
	sink    record.EventSink
	message record.EventAggregatorMessageFunc // nil: the default
	// asEvents says that the events were recorded for events.k8s.io, whose source has no host.
	asEvents bool
}

// Write has no use for the context: record.EventSink takes none.
func (s *coreSink) Write(_ context.Context, w *runtime.Write) runtime.Answer {
	e := s.event(w)
	stored, err := s.send(w, e)
	if err != nil {
		return classify(w, "", err)
	}
	return done(stored, stored == nil)
}

func (s *coreSink) send(w *runtime.Write, e *corev1.Event) (*corev1.Event, error) {
	if w.Operation == runtime.Create {
		return s.sink.Create(e)
	}
	patch, err := corePatch(e)
	if err != nil {
		return nil, err
	}
	return s.sink.Patch(e, patch)
}

func (s *coreSink) event(w *runtime.Write) *corev1.Event {
	from := sourceOf(w.ReportingController)
	e := &corev1.Event{
		ObjectMeta:          writtenMeta(w),
		InvolvedObject:      w.Regarding,
		Reason:              w.Reason,
		Message:             string(w.Note),
		Source:              corev1.EventSource{Component: from.component, Host: from.host},
		FirstTimestamp:      metav1.NewTime(w.First),
		LastTimestamp:       metav1.NewTime(w.Last),
		Count:               w.Count,
		Type:                w.Type,
		Action:              w.Action,
		Related:             writtenRelated(w),
		ReportingController: from.component,
		ReportingInstance:   from.host,
	}
	if s.asEvents {
		e.Source.Host = ""
	}
	if w.Aggregate && s.message != nil {
		e.Message = aggregateMessage(s.message, e)
	}
	return e
}

// aggregateMessage asks the caller's function, which is shown the event as it would be without folding. One that panics
// has no say.
func aggregateMessage(message record.EventAggregatorMessageFunc, e *corev1.Event) (text string) {
	text = e.Message
	defer func() { _ = recover() }()
	shown := *e
	shown.Message = strings.TrimPrefix(e.Message, runtime.AggregatePrefix)
	return fit(message(&shown), maxMessageBytes)
}

// corePatch holds the three fields that change.
func corePatch(e *corev1.Event) ([]byte, error) {
	return json.Marshal(struct {
		Count         int32       `json:"count"`
		LastTimestamp metav1.Time `json:"lastTimestamp"`
		Message       string      `json:"message"`
	}{e.Count, e.LastTimestamp, e.Message})
}
