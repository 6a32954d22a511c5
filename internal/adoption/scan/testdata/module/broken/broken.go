// Package broken does not compile.
package broken

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"

	"example.com/m/missing"
)

func sites(r record.EventRecorder, pod *corev1.Pod) {
	reason := "Broken"
	undefined()
	r.Event(pod, "Normal", reason, "text")         //: direct Normal Broken literal "text"
	r.Event(pod, "Normal", missing.Reason, "text") //: direct Normal ?missing.Reason dynamic "text"
}
