package form

import (
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime"
)

// AppendPatch appends the JSON merge patch (RFC 7386) of an update: the count and the last time, for an event that stands
// for several its annotations too, and in the core group its message. Of the latest note, events.k8s.io/v1 takes an annotation. A resource version becomes a precondition, which the
// server answers with 409 where it does not hold. A patch that changes nothing is still valid.
func (f Form) AppendPatch(b []byte, w *runtime.Write) []byte {
	b = append(b, '{')
	b = f.appendMeta(b, w)
	switch {
	case f == CoreV1:
		b = appendCore(b, w)
	case w.Count >= minSeriesCount:
		b = appendSeries(b, w)
	}
	return append(b, '}')
}

// appendMeta always writes the metadata, so that what follows it starts with a comma.
func (f Form) appendMeta(b []byte, w *runtime.Write) []byte {
	b = append(b, `"metadata":{`...)
	start := len(b)
	if w.Aggregate && len(w.Annotations) > 0 {
		b = appendAnnotations(b, w.Annotations)
	}
	if f.annotatesNote(w) {
		b = append(b, `"annotations":{"`+runtime.LatestNoteAnnotation+`":`...)
		b = append(appendString(b, w.Note), '}')
	}
	if w.ResourceVersion != 0 {
		if len(b) > start {
			b = append(b, ',')
		}
		b = append(b, `"resourceVersion":"`...)
		b = strconv.AppendUint(b, w.ResourceVersion, 10)
		b = append(b, '"')
	}
	return append(b, '}')
}

func appendAnnotations(b []byte, annotations []runtime.Annotation) []byte {
	b = append(b, `"annotations":{`...)
	for i, a := range annotations {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, a.Key)
		b = append(b, ':')
		b = appendString(b, a.Value)
	}
	return append(b, '}')
}

func appendCore(b []byte, w *runtime.Write) []byte {
	b = append(b, `,"count":`...)
	b = strconv.AppendInt(b, int64(w.Count), 10)
	b = append(b, `,"lastTimestamp":`...)
	b = appendTime(b, w.Last, time.RFC3339)
	if changesNote(w) {
		b = append(b, `,"message":`...)
		b = appendString(b, w.Note)
	}
	return b
}

func appendSeries(b []byte, w *runtime.Write) []byte {
	b = append(b, `,"series":{"count":`...)
	b = strconv.AppendInt(b, int64(w.Count), 10)
	b = append(b, `,"lastObservedTime":`...)
	b = appendTime(b, w.Last, metav1.RFC3339Micro)
	return append(b, '}')
}

// appendTime cuts off what the layout does not show. Like apimachinery's types, it shows the zero time as null.
func appendTime(b []byte, t time.Time, layout string) []byte {
	if t.IsZero() {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = t.UTC().AppendFormat(b, layout)
	return append(b, '"')
}
