package form

import (
	"encoding/json"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime"
)

// patch is a JSON merge patch (RFC 7386).
type patch struct {
	Metadata      *patchMeta          `json:"metadata,omitempty"`
	Count         *int32              `json:"count,omitempty"`
	LastTimestamp *metav1.Time        `json:"lastTimestamp,omitempty"`
	Message       *string             `json:"message,omitempty"`
	Series        *corev1.EventSeries `json:"series,omitempty"`
}

type patchMeta struct {
	Annotations     map[string]string `json:"annotations,omitempty"`
	ResourceVersion string            `json:"resourceVersion,omitempty"`
}

// Patch returns the merge patch of an update: the count and the last time. For an aggregate it also holds the annotations, and in the core
// group the message. The latest note is the message in the core group, and an annotation in events.k8s.io/v1. A resource version becomes a
// precondition: the server answers 409 if the event has another. A patch that changes nothing is still valid.
func (f Form) Patch(w *runtime.Write) []byte {
	var p patch
	meta := patchMeta{Annotations: f.changedAnnotations(nil, w)}
	if w.ResourceVersion != 0 {
		meta.ResourceVersion = strconv.FormatUint(w.ResourceVersion, 10)
	}
	if meta.Annotations != nil || meta.ResourceVersion != "" {
		p.Metadata = &meta
	}
	changed := corev1.Event{}
	f.applyFields(&changed, w)
	p.Series = changed.Series
	if f == CoreV1 {
		p.Count, p.LastTimestamp = &changed.Count, &changed.LastTimestamp
		if changesNote(w) {
			p.Message = &changed.Message
		}
	}
	b, _ := json.Marshal(p) // numbers, times and texts can always be encoded
	return b
}

// Apply changes a stored event as the server does that receives the patch of Patch. The event must be a copy that nobody else holds.
func (f Form) Apply(e *corev1.Event, w *runtime.Write) {
	f.applyFields(e, w)
	e.Annotations = f.changedAnnotations(e.Annotations, w)
}

// applyFields changes all but the metadata. At a count of one a series has nothing to change: such an update only asks whether the event is
// there.
func (f Form) applyFields(e *corev1.Event, w *runtime.Write) {
	switch {
	case f == EventsV1 && w.Count >= minSeriesCount:
		e.Series = &corev1.EventSeries{Count: w.Count, LastObservedTime: micros(w.Last)}
	case f == CoreV1:
		e.Count, e.LastTimestamp = w.Count, seconds(w.Last)
		if changesNote(w) {
			e.Message = text(string(w.Note))
		}
	}
}

// changedAnnotations adds to a map those that an update changes. An aggregate has its note among its annotations.
func (f Form) changedAnnotations(m map[string]string, w *runtime.Write) map[string]string {
	switch {
	case w.Aggregate:
		return annotations(m, w.Annotations)
	case f == EventsV1 && w.LatestNote:
		return annotations(m, []runtime.Annotation{{Key: runtime.LatestNoteAnnotation, Value: string(w.Note)}})
	}
	return m
}

// changesNote reports whether an update changes the note, where the group lets it.
func changesNote(w *runtime.Write) bool { return w.Aggregate || w.LatestNote }
