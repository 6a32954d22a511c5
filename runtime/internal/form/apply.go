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
	if f.annotatesNote(w) {
		e.Annotations = annotations(e.Annotations, []runtime.Annotation{{Key: runtime.LatestNoteAnnotation, Value: string(w.Note)}})
	}
}

// changesNote reports whether an update changes the note, where the group lets it.
func changesNote(w *runtime.Write) bool { return w.Aggregate || w.LatestNote }

// annotatesNote reports whether an update says the note in an annotation. That of an aggregate is among its own annotations.
func (f Form) annotatesNote(w *runtime.Write) bool {
	return f == EventsV1 && w.LatestNote && !w.Aggregate
}
