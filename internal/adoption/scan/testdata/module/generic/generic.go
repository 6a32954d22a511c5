// Package generic has wrappers with type parameters.
package generic

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

type reconciler[T runtime.Object] struct{ record.EventRecorder }

func (r *reconciler[T]) fail(obj T, reason string) {
	r.Event(obj, "Warning", reason, "text") //: in-wrapper Warning ?reason dynamic "text"
}

func emit[T runtime.Object, R ~string](r record.EventRecorder, obj T, reason R) {
	r.Event(obj, "Normal", string(reason), "text") //: in-wrapper Normal ?reason dynamic "text"
}

func use(r *reconciler[*corev1.Pod], pod *corev1.Pod) {
	r.fail(pod, "Generic")          //: through-wrapper Warning Generic literal "text"
	emit(r, pod, "GenericFunction") //: through-wrapper Normal GenericFunction literal "text"
}
