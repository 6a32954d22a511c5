package form

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime"
)

func meta(w *runtime.Write) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: w.Namespace, Name: w.Name, Annotations: annotations(nil, w.Annotations)}
}

// annotations adds to a map that nobody else holds.
func annotations(m map[string]string, added []runtime.Annotation) map[string]string {
	if m == nil && len(added) > 0 {
		m = make(map[string]string, len(added))
	}
	for _, a := range added {
		m[text(a.Key)] = text(a.Value)
	}
	return m
}

func related(w *runtime.Write) *corev1.ObjectReference {
	if !w.HasRelated {
		return nil
	}
	ref := w.Related
	return &ref
}

// text is valid UTF-8: protobuf would carry anything else as it is, and JSON would change it.
func text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// seconds is the precision of metav1.Time in both encodings (apimachinery pkg/apis/meta/v1/time_proto.go).
func seconds(t time.Time) metav1.Time { return metav1.Time{Time: t.Truncate(time.Second).UTC()} }

// micros is the precision of metav1.MicroTime in both encodings.
func micros(t time.Time) metav1.MicroTime {
	return metav1.MicroTime{Time: t.Truncate(time.Microsecond).UTC()}
}
