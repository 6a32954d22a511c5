// Package wrappers has functions that forward.
package wrappers

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"

	"example.com/m/constants"
)

type reporter struct{ recorder record.EventRecorder }

// Failed has a fixed type and adds to the text.
func (r *reporter) Failed(obj runtime.Object, err error, reason, message string) {
	message = fmt.Sprintf("%s: %v", message, err)
	r.recorder.Event(obj, corev1.EventTypeWarning, reason, message) //: in-wrapper Warning ?reason dynamic "%s: %v"
}

// Infof passes a format on.
func (r *reporter) Infof(obj runtime.Object, reason, format string, args ...any) {
	r.recorder.Eventf(obj, corev1.EventTypeNormal, reason, format, args...) //: in-wrapper Normal ?reason dynamic "%s"
}

// Twice calls a wrapper.
func (r *reporter) Twice(obj runtime.Object, reason string) {
	r.Infof(obj, reason+"Twice", "twice %d", 2) //: in-wrapper Normal ?reasonTwice dynamic "twice 2"
}

// Fixed has the reason.
func (r *reporter) Fixed(obj runtime.Object, eventtype, message string) {
	r.recorder.Event(obj, eventtype, "Fixed", message) //: direct {Normal|Warning} Fixed literal "%s"
}

type emitter interface {
	Infof(obj runtime.Object, reason, format string, args ...any)
}

func use(r *reporter, e emitter, pod *corev1.Pod, err error) {
	r.Failed(pod, err, "CannotPull", "cannot pull")                 //: through-wrapper Warning CannotPull literal "cannot pull: %v"
	r.Infof(pod, constants.Created, "made %q of %s", pod.Name, "x") //: through-wrapper Normal Created const-xpkg "made %q of x"
	e.Infof(pod, string(constants.Typed), "text")                   //: through-wrapper Normal TypedReason conversion "text"
	r.Twice(pod, "Done")                                            //: through-wrapper Normal DoneTwice concat "twice 2"
	r.Fixed(pod, corev1.EventTypeNormal, "text")
	r.Fixed(pod, corev1.EventTypeWarning, "text")
	reason := "Maybe"
	if err != nil {
		reason = "MaybeNot"
	}
	r.Infof(pod, reason, "text") //: through-wrapper Normal {Maybe|MaybeNot} local "text"
	emit := func(reason string) {
		r.recorder.Event(pod, "Normal", reason, "from a literal") //: in-wrapper Normal ?reason dynamic "from a literal"
	}
	emit("Closure") //: through-wrapper Normal Closure literal "from a literal"
}

func notCalled(r *reporter, pod *corev1.Pod, reason string) {
	r.recorder.Event(pod, "Normal", reason, "text") //: in-wrapper Normal ?reason dynamic "text"
}

// byKind has both: a reason of its own, or the caller's.
func byKind(r *reporter, pod *corev1.Pod, reason string) {
	if pod.Name == "" {
		reason = "Nameless"
	}
	r.recorder.Event(pod, "Normal", reason, "text") //: in-wrapper Normal {?reason|Nameless} dynamic "text"
}

func useByKind(r *reporter, pod *corev1.Pod) {
	byKind(r, pod, "Kind") //: through-wrapper Normal {Kind|Nameless} local "text"
}
