// Package broken does not compile.
package broken

import (
	"strings"

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

func wrong(r record.EventRecorder, pod *corev1.Pod) {
	r.Event(pod, "Normal", strings.ToUpper(), "text")   //: direct Normal ?strings.ToUpper() dynamic "text"
	r.Event(pod, "Normal", strings.Join(), "text")      //: direct Normal ?strings.Join() dynamic "text"
	r.Event(pod, "Normal", "Broken"[-1:], "text")       //: direct Normal Broken conversion "text"
	r.Eventf(pod, "Normal", "Broken", "%s", missing.At) //: direct Normal Broken literal "%s"
	append()
	delete()
}
