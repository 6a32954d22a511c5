// Package branches has wrappers whose parameters decide what they record.
package branches

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

type reporter struct{ recorder record.EventRecorder }

// publish formats if there is anything to format.
func (r reporter) publish(obj runtime.Object, isWarning bool, reason, message string, args ...any) {
	eventType := corev1.EventTypeNormal
	if isWarning {
		eventType = corev1.EventTypeWarning
	}
	if len(args) > 0 {
		r.recorder.Eventf(obj, eventType, reason, message, args...) //: in-wrapper {Normal|Warning} ?reason
	} else {
		r.recorder.Event(obj, eventType, reason, message) //: in-wrapper {Normal|Warning} ?reason
	}
}

// last hands on its arguments.
func (r reporter) last(obj runtime.Object, isWarning bool, reason, message string, args ...any) {
	r.publish(obj, isWarning, reason, message, args...) //: in-wrapper {Normal|Warning} ?reason
}

// early returns before it formats.
func (r reporter) early(obj runtime.Object, quiet bool, reason, message string, args ...any) {
	if !quiet {
		r.recorder.Event(obj, "Normal", "Loud", message) //: direct Normal Loud literal "%s" runtime.Object
	}
	if len(args) == 0 {
		r.recorder.Event(obj, "Normal", reason, message) //: in-wrapper Normal ?reason
		return
	}
	r.recorder.Eventf(obj, "Warning", reason, message, args...) //: in-wrapper Warning ?reason
}

// changed assigns to the parameter that decides.
func (r reporter) changed(obj runtime.Object, isWarning bool, reason string) {
	eventType := corev1.EventTypeNormal
	isWarning = isWarning || len(reason) > 9
	if isWarning {
		eventType = corev1.EventTypeWarning
	}
	r.recorder.Event(obj, eventType, reason, "text") //: in-wrapper {Normal|Warning} ?reason
}

// named picks by a text.
func (r reporter) named(obj runtime.Object, level, reason string) {
	eventType := corev1.EventTypeWarning
	if level == "info" {
		eventType = corev1.EventTypeNormal
	} else if level != "" {
		reason += "Badly"
	}
	r.recorder.Event(obj, eventType, reason, "text") //: in-wrapper {Normal|Warning} {?reason|?reasonBadly}
}

func use(r reporter, pod *corev1.Pod, err error, some []any) {
	r.publish(pod, true, "Failed", "Failed: %v", err) //: through-wrapper Warning Failed literal "Failed: %v" *v1.Pod
	r.publish(pod, false, "Done", "It is done")       //: through-wrapper Normal Done literal "It is done" *v1.Pod
	r.publish(pod, err != nil, "Either", "Done")      //: through-wrapper {Normal|Warning} Either literal "Done" *v1.Pod
	r.last(pod, true, "Over", "Over: %v", err)        //: through-wrapper Warning Over literal "Over: %v" *v1.Pod
	r.last(pod, false, "Ended", "Over")               //: through-wrapper Normal Ended literal "Over" *v1.Pod
	r.early(pod, false, "Early", "text")              //: through-wrapper Normal Early literal "text" *v1.Pod
	r.early(pod, true, "Late", "text %d", 5)          //: through-wrapper Warning Late literal "text 5" *v1.Pod
	r.changed(pod, false, "Changed")                  //: through-wrapper {Normal|Warning} Changed literal "text" *v1.Pod
	r.named(pod, "info", "Info")                      //: through-wrapper Normal Info literal "text" *v1.Pod
}
