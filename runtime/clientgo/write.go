package clientgo

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// writtenMeta is the metadata of a write. What the correlator says of aggregates in annotations is left out: client-go's
// patches hold no annotations, so that it would not stay true.
func writtenMeta(w *runtime.Write) metav1.ObjectMeta {
	meta := metav1.ObjectMeta{Name: w.Name, Namespace: w.Namespace}
	if w.Operation == runtime.Update && w.ResourceVersion != 0 {
		meta.ResourceVersion = strconv.FormatUint(w.ResourceVersion, 10)
	}
	for _, a := range w.Annotations {
		if a.Key == correlator.DistinctMessagesAnnotation || a.Key == correlator.LastMessageAnnotation {
			continue
		}
		if meta.Annotations == nil {
			meta.Annotations = map[string]string{}
		}
		meta.Annotations[fit(a.Key, len(a.Key)*3)] = fit(a.Value, len(a.Value)*3)
	}
	return meta
}

func writtenRelated(w *runtime.Write) *corev1.ObjectReference {
	if !w.HasRelated {
		return nil
	}
	ref := w.Related
	return &ref
}

// done is the answer to a write that a client called stored. Nil objects, which fakes return, have no version.
func done(stored metav1.Object, isNil bool) runtime.Answer {
	a := runtime.Answer{Outcome: runtime.Done}
	if !isNil {
		a.ResourceVersion, _ = strconv.ParseUint(stored.GetResourceVersion(), 10, 64)
	}
	return a
}
