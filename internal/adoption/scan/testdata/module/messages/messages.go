// Package messages has texts in every form.
package messages

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

const format = "Created job %v"

func texts(r record.EventRecorder, pod *corev1.Pod, err error, n int) {
	r.Eventf(pod, "Normal", "A", "Created job %v", pod.Name)                        //: direct Normal A literal "Created job %v"
	r.Eventf(pod, "Normal", "A", format, pod.Name)                                  //: direct Normal A literal "Created job %v"
	r.Eventf(pod, "Normal", "A", "100%% of %q in %.2f s", pod.Name, 1.5*float64(n)) //: direct Normal A literal "100%% of %q in %.2f s"
	r.Eventf(pod, "Normal", "A", "%[2]s before %[1]s", pod.Name, pod.Namespace)     //: direct Normal A literal "%s before %s"
	r.Eventf(pod, "Normal", "A", "%s %s", pod.Name)                                 //: direct Normal A literal "%s %%!s(MISSING)"
	r.Event(pod, "Normal", "A", err.Error())                                        //: direct Normal A literal "%v"
	r.Eventf(pod, "Normal", "A", err.Error())                                       //: direct Normal A literal "%v"
	r.Event(pod, "Normal", "A", "Error: "+err.Error())                              //: direct Normal A literal "Error: %v"
	r.Eventf(pod, "Normal", "A", "%s", fmt.Sprintf("Scaled to %d", n))              //: direct Normal A literal "Scaled to %d"
	r.Eventf(pod, "Normal", "A", "constant %s", format)                             //: direct Normal A literal "constant Created job %%v"
	msg := fmt.Sprintf("Deleted %s: %v", pod.Name, err)
	r.Event(pod, "Normal", "A", msg) //: direct Normal A literal "Deleted %s: %v"
	text := "short"
	if n > 1 {
		text = fmt.Sprintf("%d long", n)
	}
	r.Event(pod, "Normal", "A", text) //: direct Normal A literal {"short"|"%d long"}
	text += " and more"
	r.Event(pod, "Normal", "A", text) //: direct Normal A literal {"short and more"|"%d long and more"}
	args := []any{n}
	r.Eventf(pod, "Normal", "A", "%d", args...) //: direct Normal A literal "%d"
}

// passed makes texts of what its caller passes.
func passed(r record.EventRecorder, pod *corev1.Pod, err error, part string, n int) {
	msg := fmt.Sprintf("Six %q: %v", part, err)
	r.Eventf(pod, "Normal", "A", msg)                                        //: direct Normal A literal "Six %q: %v"
	r.Eventf(pod, "Normal", "A", "%s", msg)                                  //: direct Normal A literal "Six %q: %v"
	r.Event(pod, "Normal", "A", msg)                                         //: direct Normal A literal "Six %q: %v"
	r.Eventf(pod, "Normal", "A", fmt.Sprintf("%d of %v: %%s", n, part), err) //: direct Normal A literal "%d of %v: %s"
	r.Eventf(pod, "Normal", "A", fmt.Sprintf("%d%% of %s", n, part))         //: direct Normal A literal "%d%% of %s"
	r.Eventf(pod, "Normal", "A", "Six: "+part)                               //: direct Normal A literal "Six: %s"
	r.Eventf(pod, "Normal", "A", "Six: %s", err.Error())                     //: direct Normal A literal "Six: %s"
	same := part
	r.Eventf(pod, "Normal", "A", "Six: %v", same) //: direct Normal A literal "Six: %v"
	text := "short " + part
	if n > 1 {
		text = fmt.Sprintf("%v long", part)
	}
	r.Eventf(pod, "Normal", "A", text)                //: direct Normal A literal {"short %s"|"%v long"}
	record6(r, pod, "B", fmt.Sprintf("Six: %v", err)) //: through-wrapper Normal B literal "Six: %v"
	record6(r, pod, "B", fmt.Sprintf("%v six", part)) //: through-wrapper Normal B literal "%v six"
}

func record6(r record.EventRecorder, pod *corev1.Pod, reason, format string, args ...any) {
	r.Eventf(pod, "Normal", reason, format, args...) //: in-wrapper Normal ?reason dynamic "%s"
}
