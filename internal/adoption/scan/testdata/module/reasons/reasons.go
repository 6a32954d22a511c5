// Package reasons has reasons in every form.
package reasons

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"

	"example.com/m/constants"
)

const own = "Own"

func constant(r record.EventRecorder, pod *corev1.Pod) {
	r.Event(pod, corev1.EventTypeNormal, "Literal", "text")                   //: direct Normal Literal literal "text"
	r.Event(pod, corev1.EventTypeNormal, own, "text")                         //: direct Normal Own const "text"
	r.Event(pod, corev1.EventTypeNormal, constants.Created, "text")           //: direct Normal Created const-xpkg "text"
	r.Event(pod, "Normal", string(constants.Typed), "text")                   //: direct Normal TypedReason conversion "text"
	r.Event(pod, "Normal", constants.Typed.String(), "text")                  //: direct Normal TypedReason conversion "text"
	r.Event(pod, "Normal", own+"ed", "text")                                  //: direct Normal Owned concat "text"
	r.Event(pod, "Normal", constants.Default, "text")                         //: direct Normal DefaultReason var "text"
	r.Event(pod, "Normal", constants.Changing, "text")                        //: direct Normal ?constants.Changing dynamic "text"
	r.Event(pod, "Normal", constants.Table[string(pod.Status.Phase)], "text") //: direct Normal ?constants.Table[string(pod.Status.Phase)] dynamic "text"
	r.Event(pod, "Normal", pod.Status.Reason, "text")                         //: direct Normal ?pod.Status.Reason dynamic "text"
	r.Event(pod, "Normal", string(pod.Status.Phase), "text")                  //: direct Normal ?string(pod.Status.Phase) dynamic "text"
	r.Event(pod, "Normal", "Scaled"+string(pod.Status.Phase), "text")         //: direct Normal Scaled?string(pod.Status.Phase) dynamic "text"
}

func locals(r record.EventRecorder, pod *corev1.Pod, err error) {
	reason := "First"
	r.Event(pod, "Normal", reason, "text") //: direct Normal First literal "text"
	reason = "Second"
	r.Event(pod, "Normal", reason, "text") //: direct Normal Second literal "text"

	eventtype, why := corev1.EventTypeNormal, constants.Created
	if err != nil {
		eventtype, why = corev1.EventTypeWarning, constants.Failed
	}
	r.Event(pod, eventtype, why, "text") //: direct {Normal|Warning} {Created|Failed} local "text"

	var typed constants.Reason
	switch {
	case err == nil:
		typed = constants.Typed
	default:
		typed = constants.Other
	}
	r.Event(pod, "Normal", string(typed), "text")  //: direct Normal {TypedReason|OtherReason} local "text"
	r.Event(pod, "Normal", typed.String(), "text") //: direct Normal {TypedReason|OtherReason} local "text"
	for _, each := range []string{"One", "Two"} {
		r.Event(pod, "Normal", each, "text") //: direct Normal ?each dynamic "text"
	}
	defer func() {
		r.Event(pod, "Normal", why, "text") //: direct Normal {Created|Failed} local "text"
	}()
	var escaped = "Escaped"
	fill(&escaped)
	r.Event(pod, "Normal", escaped, "text") //: direct Normal {Escaped|?escaped} dynamic "text"
}

func fill(s *string) { *s = "x" }

func results(r record.EventRecorder, pod *corev1.Pod) {
	reason, text, err := classify(pod)
	r.Event(pod, "Normal", reason, text) //: direct Normal {Idle|Busy} local {"is idle"|"has %d containers"}
	if err != nil {
		return
	}
	r.Event(pod, "Normal", reasonFor(pod.Spec.HostNetwork), "text") //: direct Normal {Host|Guest} local "text"
	r.Event(pod, "Normal", prefixed("Old"), "text")                 //: direct Normal OldReason concat "text"
	var f func() (string, error)
	dynamic, _ := f()
	r.Event(pod, "Normal", dynamic, "text") //: direct Normal ?dynamic dynamic "text"
}

func classify(pod *corev1.Pod) (string, string, error) {
	if pod == nil {
		return "", "", errors.New("no pod")
	}
	if len(pod.Spec.Containers) == 0 {
		return "Idle", "is idle", nil
	}
	return "Busy", sprint(len(pod.Spec.Containers)), nil
}

func reasonFor(host bool) string {
	if host {
		return "Host"
	}
	return "Guest"
}

func prefixed(s string) string { return s + "Reason" }

type outcome struct {
	reason  string
	decoded string `json:"decoded"`
}

func run(ok bool) outcome {
	if ok {
		return outcome{reason: "Fine"}
	}
	return outcome{reason: "Poor", decoded: "Set"}
}

func fields(r record.EventRecorder, pod *corev1.Pod) {
	o := run(true)
	r.Event(pod, "Normal", o.reason, "text")  //: direct Normal {Fine|Poor} local "text"
	r.Event(pod, "Normal", o.decoded, "text") //: direct Normal ?o.decoded dynamic "text"
	own := struct{ reason string }{"Mine"}
	r.Event(pod, "Normal", own.reason, "text") //: direct Normal Mine literal "text"
	for _, row := range []struct{ reason, text string }{{"RowA", "a"}, {reason: "RowB", text: "b"}} {
		r.Event(pod, "Normal", row.reason, row.text) //: direct Normal {RowA|RowB} local {"a"|"b"}
	}
}

func compared(r record.EventRecorder, pod *corev1.Pod, f func() string) {
	reason := f()
	if reason == own && pod != nil {
		r.Event(pod, "Normal", reason, "text") //: direct Normal Own local "text"
	}
	switch reason {
	case constants.Created, constants.Failed:
		r.Event(pod, "Normal", reason, "text") //: direct Normal {Created|Failed} local "text"
	default:
		r.Event(pod, "Normal", reason, "text") //: direct Normal ?f() dynamic "text"
	}
	if reason == own {
		reason = f()
		r.Event(pod, "Normal", reason, "text") //: direct Normal ?f() dynamic "text"
	}
}

type holder struct{ text, other *string }

func stored(r record.EventRecorder, pod *corev1.Pod, h *holder) {
	kept, changed := "Kept", "Changed"
	h.text = &kept
	r.Event(pod, "Normal", kept, "text") //: direct Normal Kept literal "text"
	use(holder{other: &changed})
	r.Event(pod, "Normal", changed, "text") //: direct Normal {Changed|?changed} dynamic "text"
}

func use(h holder) { *h.other = "else" }
