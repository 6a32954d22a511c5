// Package known has values that functions of the standard library make of known texts.
package known

import (
	"fmt"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

const scaled = "scaled"

type helper struct {
	recorder record.EventRecorder
	reason   string
}

func direct(r record.EventRecorder, pod *corev1.Pod, names []string) {
	r.Event(pod, "Normal", strings.Title(scaled), "x")                                    //: direct Normal Scaled conversion "x"
	r.Event(pod, "Normal", cases.Title(language.English).String(scaled), "x")             //: direct Normal Scaled conversion "x"
	r.Event(pod, "Normal", strings.ReplaceAll("Scale-Failed", "-", ""), "x")              //: direct Normal ScaleFailed conversion "x"
	r.Event(pod, "Normal", fmt.Sprintf("%s%s", "Scale", strings.TrimSpace(" Up ")), "x")  //: direct Normal ScaleUp
	r.Event(pod, "Normal", "Scaled", strings.Join(names, ", "))                           //: direct Normal Scaled literal "%s"
	r.Event(pod, "Normal", strings.ToUpper(pod.Name), "x")                                //: direct Normal ?strings.ToUpper(pod.Name) dynamic "x"
	r.Event(pod, "Normal", strings.ReplaceAll("A-B", "-", ""), strings.ToLower("SCALED")) //: direct Normal AB conversion "scaled"
}

// fail has a fixed reason, which it gives to a wrapper by a variable.
func (h *helper) fail(pod *corev1.Pod, format string, args ...any) {
	reason := "Failed"
	h.emit(pod, reason, format, args...) //: through-wrapper Warning Failed literal "%s"
}

func (h *helper) emit(pod *corev1.Pod, reason, format string, args ...any) {
	why := reason
	h.recorder.Eventf(pod, "Warning", why, format, args...) //: in-wrapper Warning ?reason dynamic "%s"
}

// set records with the field that newHelper sets once.
func (h *helper) set(pod *corev1.Pod) {
	h.recorder.Event(pod, "Warning", strings.Title(h.reason), "set") //: in-wrapper Warning
}

func newHelper(r record.EventRecorder) *helper {
	return &helper{recorder: r, reason: "lost"} //: through-wrapper Warning Lost conversion "set"
}
