//go:build special && windows

package tagged

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func sites(r record.EventRecorder, pod *corev1.Pod) {
	r.Event(pod, "Normal", "Special", "text") //: direct Normal Special literal "text"
}
