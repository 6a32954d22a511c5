package form

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime"
)

// Apply changes a stored event as the server does that receives the patch of AppendPatch. The event must be a copy that
// nobody else holds.
func (f Form) Apply(e *corev1.Event, w *runtime.Write) {
	if f == CoreV1 {
		applyCore(e, w)
	} else {
		applyEvents(e, w)
	}
	if w.Aggregate {
		e.Annotations = annotations(e.Annotations, w.Annotations)
	}
}
