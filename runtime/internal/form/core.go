package form

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime"
)

// Core is the object that creates the event in the core group. It leaves eventTime unset, so that the server applies the
// rules it has for such events (kubernetes pkg/apis/core/validation/events.go); source and reporting fields say the same.
func Core(w *runtime.Write) *corev1.Event {
	controller, instance := text(w.ReportingController), text(w.ReportingInstance)
	e := &corev1.Event{
		ObjectMeta:          meta(w),
		InvolvedObject:      w.Regarding,
		Reason:              text(w.Reason),
		Message:             text(string(w.Note)),
		Source:              corev1.EventSource{Component: controller, Host: instance},
		FirstTimestamp:      seconds(w.First),
		LastTimestamp:       seconds(w.Last),
		Count:               w.Count,
		Type:                w.Type,
		Action:              text(w.Action),
		ReportingController: controller,
		ReportingInstance:   instance,
	}
	e.Related = related(w)
	return e
}

// applyCore changes a stored event as the patch does.
func applyCore(e *corev1.Event, w *runtime.Write) {
	e.Count = w.Count
	e.LastTimestamp = seconds(w.Last)
	if changesNote(w) {
		e.Message = text(string(w.Note))
	}
}
