package form

import (
	"encoding/json"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/sink"
)

// patch is a JSON merge patch (RFC 7386).
type patch struct {
	Metadata       *patchMeta          `json:"metadata,omitempty"`
	Count          *int32              `json:"count,omitempty"`
	FirstTimestamp *metav1.Time        `json:"firstTimestamp,omitempty"`
	LastTimestamp  *metav1.Time        `json:"lastTimestamp,omitempty"`
	Message        *string             `json:"message,omitempty"`
	Series         *corev1.EventSeries `json:"series,omitempty"`
}

type patchMeta struct {
	Annotations     map[string]*string `json:"annotations,omitempty"` // nil removes
	ResourceVersion string             `json:"resourceVersion,omitempty"`
}

// NoChange is a merge patch that changes nothing: the server stores nothing, and answers with the
// event. It needs the right that updates need, takes a token of a rate limit, and does not renew
// the event's time to live.
const NoChange = "{}"

// Patch returns the merge patch of an update: the count, the last time and the annotations. For an
// aggregate it also holds the message in the core group. The latest note is the message in the core
// group, and an annotation in events.k8s.io/v1. A resource version becomes a precondition: the
// server answers 409 if the event has another. A patch that changes nothing is still valid.
func (f Form) Patch(w *sink.Write) []byte {
	var p patch
	var meta patchMeta
	f.changeAnnotations(w, func(key string, value *string) {
		if meta.Annotations == nil {
			meta.Annotations = map[string]*string{}
		}
		meta.Annotations[key] = value
	})
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
		if w.Joins {
			p.FirstTimestamp = &changed.FirstTimestamp
		}
	}
	b, _ := json.Marshal(p) // numbers, times and texts can always be encoded
	return b
}

// Apply changes a stored event as the server does that receives the patch of Patch. The event must
// be a copy that nobody else holds.
func (f Form) Apply(e *corev1.Event, w *sink.Write) {
	f.applyFields(e, w)
	f.changeAnnotations(w, func(key string, value *string) {
		if value == nil {
			delete(e.Annotations, key)
			return
		}
		metav1.SetMetaDataAnnotation(&e.ObjectMeta, key, *value)
	})
}

// applyFields changes all but the metadata. At a count of one a series has nothing to change: such
// an update only asks whether the event is there.
func (f Form) applyFields(e *corev1.Event, w *sink.Write) {
	switch {
	case f == EventsV1 && w.Count >= minSeriesCount:
		e.Series = &corev1.EventSeries{Count: w.Count, LastObservedTime: micros(w.Last)}
	case f == CoreV1:
		e.Count, e.LastTimestamp = w.Count, seconds(w.Last)
		if w.Joins {
			e.FirstTimestamp = seconds(w.First)
		}
		if changesNote(w) {
			e.Message = text(string(w.Note))
		}
	}
}

// changeAnnotations calls set for each annotation that an update changes; a nil value removes it.
func (f Form) changeAnnotations(w *sink.Write, set func(key string, value *string)) {
	for _, key := range w.Dropped {
		set(text(key), nil)
	}
	for _, a := range w.Annotations {
		value := text(a.Value)
		set(text(a.Key), &value)
	}
	if f == EventsV1 && w.LatestNote {
		note := text(string(w.Note))
		set(sink.LatestNoteAnnotation, &note)
	}
}

// changesNote reports whether an update changes the note, where the group lets it.
func changesNote(w *sink.Write) bool { return w.Aggregate || w.LatestNote || w.Joins }
