// Package carriers has structs that carry reasons.
package carriers

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

// Event carries what to record.
type Event struct {
	Object  runtime.Object
	Type    string
	Reason  string
	Message string
}

// Publisher publishes.
type Publisher struct{ recorder record.EventRecorder }

// Publish records.
func (p *Publisher) Publish(evts ...Event) {
	for _, evt := range evts {
		p.one(evt)
	}
}

func (p *Publisher) one(evt Event) {
	p.recorder.Event(evt.Object, evt.Type, evt.Reason, evt.Message) //: in-wrapper ?evt.Type ?evt.Reason dynamic "%s"
}

// Launched is a constructor.
func Launched(pod *corev1.Pod, n int) Event {
	return Event{ //: through-wrapper Normal Launched literal "launched %d"
		Object: pod, Type: corev1.EventTypeNormal, Reason: "Launched", Message: fmt.Sprintf("launched %d", n),
	}
}

// New is a constructor that takes the reason.
func New(pod *corev1.Pod, reason, text string) Event {
	return Event{pod, "Warning", reason, "new: " + text} //: in-wrapper Warning ?reason dynamic "new: %s"
}

func publish(p *Publisher, pod *corev1.Pod) {
	p.Publish(Launched(pod, 3), New(pod, "Fresh", "text")) //: through-wrapper Warning Fresh literal "new: text"
	e := Event{Object: pod, Type: "Normal"}
	e.Reason = "Assigned" //: through-wrapper Normal Assigned literal "assigned"
	e.Message = "assigned"
	p.Publish(e)
}

type held struct {
	recorder record.EventRecorder
	reason   string
}

func (h held) record(pod *corev1.Pod) {
	h.recorder.Event(pod, "Normal", h.reason, "text") //: in-wrapper Normal ?h.reason dynamic "text"
}

func newHeld(r record.EventRecorder) held {
	return held{recorder: r, reason: "Held"} //: through-wrapper Normal Held literal "text"
}

// condition is a part of an API object: it is made here, and also read from the API.
type condition struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

type status struct {
	Conditions []condition `json:"conditions"`
}

func fail(r record.EventRecorder, pod *corev1.Pod, c *condition) {
	r.Event(pod, "Warning", c.Reason, "failed: "+c.Message) //: in-wrapper Warning ?c.Reason dynamic "failed: %s"
}

func failures(r record.EventRecorder, pod *corev1.Pod, s *status) {
	fail(r, pod, &condition{Reason: "Refused", Message: "no"}) //: through-wrapper Warning Refused literal "failed: no"
	for i := range s.Conditions {
		fail(r, pod, &s.Conditions[i])
	}
	s.Conditions = append(s.Conditions, condition{Reason: "NoEvent"})
}

func observed(r record.EventRecorder, pod *corev1.Pod, c *condition) {
	r.Event(pod, "Warning", c.Reason, "text") //: direct Warning ?c.Reason dynamic "text"
}
