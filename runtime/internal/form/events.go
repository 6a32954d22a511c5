package form

import (
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/event-gen/event-gen/runtime"
)

// minSeriesCount is the least count that the server takes in a series.
const minSeriesCount = 2

// Events is the object that creates the event in events.k8s.io/v1. A write that stands for several occurrences already
// has a series; the deprecated fields stay unset, as the server demands.
func Events(w *runtime.Write) *eventsv1.Event {
	e := &eventsv1.Event{
		ObjectMeta:          meta(w),
		EventTime:           micros(w.First),
		ReportingController: text(w.ReportingController),
		ReportingInstance:   text(w.ReportingInstance),
		Action:              text(w.Action),
		Reason:              text(w.Reason),
		Regarding:           w.Regarding,
		Related:             related(w),
		Note:                text(string(w.Note)),
		Type:                w.Type,
	}
	if w.Count >= minSeriesCount {
		e.Series = &eventsv1.EventSeries{Count: w.Count, LastObservedTime: micros(w.Last)}
	}
	return e
}

// applyEvents changes a stored event as the patch does. At a count of one there is nothing to change: such an update
// only asks whether the event is there.
func applyEvents(e *corev1.Event, w *runtime.Write) {
	if w.Count >= minSeriesCount {
		e.Series = &corev1.EventSeries{Count: w.Count, LastObservedTime: micros(w.Last)}
	}
}
