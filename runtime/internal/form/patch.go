package form

import (
	"strconv"
	"time"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime"
)

// AppendPatch appends the JSON merge patch (RFC 7386) of an update: the count and the last time. For an aggregate it also holds the
// annotations, and in the core group the message. The latest note is the message in the core group, and an annotation in
// events.k8s.io/v1. A resource version becomes a precondition: the server answers 409 if the event has another. A patch that changes nothing
// is still valid.
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

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string (RFC 8259). A run of invalid UTF-8 becomes one U+FFFD, as in text.
func appendString[T string | []byte](b []byte, s T) []byte {
	b = append(b, '"')
	inRun := false
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			b = appendASCII(b, s[i])
			i, inRun = i+1, false
			continue
		}
		size := runeSize(s[i:])
		if size > 0 {
			b = append(b, s[i:i+size]...)
			i, inRun = i+size, false
			continue
		}
		if !inRun {
			b = append(b, "\uFFFD"...)
		}
		i, inRun = i+1, true
	}
	return append(b, '"')
}

func appendASCII(b []byte, c byte) []byte {
	switch {
	case c == '"' || c == '\\':
		return append(b, '\\', c)
	case c < ' ' || c == 0x7f:
		return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
	}
	return append(b, c)
}

// runeSize is the length of the character that s begins with; 0 if that is not valid UTF-8.
func runeSize[T string | []byte](s T) int {
	var head [utf8.UTFMax]byte
	n := copy(head[:], s)
	if r, size := utf8.DecodeRune(head[:n]); r != utf8.RuneError || size > 1 {
		return size
	}
	return 0
}

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

// annotatesNote reports whether an update holds the note in an annotation of its own. An aggregate has its note among its annotations.
func (f Form) annotatesNote(w *runtime.Write) bool {
	return f == EventsV1 && w.LatestNote && !w.Aggregate
}
