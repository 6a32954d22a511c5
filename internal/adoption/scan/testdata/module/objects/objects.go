// Package objects has objects in every form.
package objects

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

func kinds(r record.EventRecorder, pod *corev1.Pod, any runtime.Object, ref *corev1.ObjectReference, deployment *appsv1.Deployment) {
	r.Event(pod, "Normal", "A", "text") //: direct Normal A literal "text" *v1.Pod
	r.Event(any, "Normal", "A", "text") //: direct Normal A literal "text" runtime.Object
	r.Event(ref, "Normal", "A", "text") //: direct Normal A literal "text" *v1.ObjectReference
	r.Event(nil, "Normal", "A", "text") //: direct Normal A literal "text" nil
	var obj runtime.Object = pod
	if deployment != nil {
		obj = deployment
	}
	r.Event(obj, "Normal", "A", "text") //: direct Normal A literal "text" runtime.Object
	forward(r, deployment, "B")         //: through-wrapper Normal B literal "text" *v1.Deployment
}

func forward(r record.EventRecorder, obj runtime.Object, reason string) {
	r.Event(obj, "Normal", reason, "text") //: in-wrapper Normal ?reason dynamic "text" runtime.Object
}
