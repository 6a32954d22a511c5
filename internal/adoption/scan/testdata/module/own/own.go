// Package own has recorder types of a program: their methods are read.
package own

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

// prefixed gives every reason a prefix.
type prefixed struct{ record.EventRecorder }

func (r *prefixed) Event(o runtime.Object, typ, reason, msg string) {
	r.EventRecorder.Event(o, typ, "Widget"+reason, msg) //: in-wrapper ?typ Widget?reason dynamic "%s"
}

func (r *prefixed) Eventf(o runtime.Object, typ, reason, f string, args ...any) {
	r.Event(o, typ, reason, fmt.Sprintf(f, args...)) //: in-wrapper ?typ Widget?reason dynamic "%s"
}

// severity maps words of its own to types. It has the method by hand.
type severity struct{ in events.EventRecorder }

func (r severity) Eventf(regarding, related runtime.Object, typ, reason, action, note string, args ...any) {
	if typ == "error" {
		typ = corev1.EventTypeWarning
	} else {
		typ = corev1.EventTypeNormal
	}
	if action == "" {
		action = reason
	}
	r.in.Eventf(regarding, related, typ, reason, action, note, args...) //: in-wrapper {Warning|Normal} ?reason dynamic "%s"
}

// literal takes texts, and no formats.
type literal struct{ record.EventRecorder }

func (r literal) Eventf(o runtime.Object, typ, reason, msg string, _ ...any) {
	r.EventRecorder.Event(o, typ, reason, msg) //: in-wrapper ?typ ?reason dynamic "%s"
}

// counted stores what it gets: calls of it are direct.
type counted[R events.EventRecorder] struct {
	in R
	n  map[string]int
}

func (c *counted[R]) Eventf(regarding, related runtime.Object, typ, reason, action, note string, args ...any) {
	if c.n[reason]++; c.n[reason] > 1 {
		return
	}
	defer func() { c.in.Eventf(regarding, related, typ, reason, action, "%s", fmt.Sprintf(note, args...)) }() //: in-wrapper ?typ ?reason dynamic "%s"
}

// mixed has a method of each API on one recorder.
type mixed struct{ in events.EventRecorder }

func (m *mixed) Eventf(regarding, related runtime.Object, typ, reason, action, note string, args ...any) {
	m.in.Eventf(regarding, related, typ, reason, action, note, args...) //: in-wrapper ?typ ?reason dynamic "%s"
}

func (m *mixed) Event(o runtime.Object, typ, reason, msg string) {
	m.Eventf(o, nil, typ, reason, "Reconcile", "%s", msg) //: in-wrapper ?typ ?reason dynamic "%s"
}

// fake records nothing.
type fake struct{ reasons []string }

func (f *fake) Event(_ runtime.Object, _, reason, _ string) { f.reasons = append(f.reasons, reason) }

// sink is an interface of the program. Behind it stand core and fake, and never fresh.
type sink interface {
	Event(o runtime.Object, eventtype, reason, message string)
}

type core struct{ in record.EventRecorder }

func (c core) Event(o runtime.Object, eventtype, reason, message string) {
	c.in.Event(o, eventtype, "Core"+reason, message) //: in-wrapper ?eventtype Core?reason dynamic "%s"
}

type fresh struct{ in events.EventRecorder }

func (f fresh) Event(o runtime.Object, eventtype, reason, message string) {
	f.in.Eventf(o, nil, eventtype, reason, "", message) //: in-wrapper ?eventtype ?reason dynamic "%s"
}

type user struct {
	p      *prefixed
	s      severity
	l      literal
	c      *counted[events.EventRecorder]
	m      *mixed
	held   events.EventRecorder
	either events.EventRecorder
	sink   sink
	all    map[string]events.EventRecorder
	pair   events.EventRecorder
}

func newUser(e events.EventRecorder, r record.EventRecorder, quiet bool) *user {
	u := &user{held: severity{e}, sink: core{r}, either: e, all: map[string]events.EventRecorder{"a": severity{e}}}
	if quiet {
		u.sink, u.either = &fake{}, severity{e}
	}
	u.pair, _ = passed(e)
	return u
}

// passed returns what another function returns.
func passed(e events.EventRecorder) (events.EventRecorder, error) { return made(e) }

func made(e events.EventRecorder) (events.EventRecorder, error) { return severity{e}, nil }

func (u *user) use(pod *corev1.Pod) {
	u.p.Event(pod, "Normal", "Scaled", "scaled")                         //: through-wrapper Normal WidgetScaled concat "scaled" *v1.Pod
	u.p.Eventf(pod, "Warning", "Failed", "failed: %s", pod.Name)         //: through-wrapper Warning WidgetFailed concat "failed: %s" *v1.Pod
	u.p.EventRecorder.Event(pod, "Normal", "Inner", "text")              //: direct Normal Inner literal "text" *v1.Pod
	u.s.Eventf(pod, nil, "error", "SFailed", "", "failed: %s", pod.Name) //: through-wrapper Warning SFailed literal "failed: %s" *v1.Pod
	u.l.Eventf(pod, "Warning", "LFailed", "100% full")                   //: through-wrapper Warning LFailed literal "100%% full" *v1.Pod
	u.c.Eventf(pod, nil, "Normal", "Counted", "Count", "counted")        //: direct Normal Counted literal "counted" *v1.Pod
	u.m.Event(pod, "Normal", "Mixed", "100%")                            //: through-wrapper Normal Mixed literal "100%%" *v1.Pod
	u.held.Eventf(pod, nil, "error", "Held", "", "failed")               //: through-wrapper Warning Held literal "failed" *v1.Pod
	u.all["b"].Eventf(pod, nil, "error", "InMap", "", "failed")          //: direct error InMap literal "failed" *v1.Pod
	u.either.Eventf(pod, nil, "error", "Either", "", "failed")           //: direct error Either literal "failed" *v1.Pod ; through-wrapper Warning Either literal "failed" *v1.Pod
	u.pair.Eventf(pod, nil, "error", "Paired", "", "failed")             //: through-wrapper Warning Paired literal "failed" *v1.Pod
	u.sink.Event(pod, "Normal", "Sunk", "sunk")                          //: through-wrapper Normal CoreSunk concat "sunk" *v1.Pod
	(&fake{}).Event(pod, "Normal", "Faked", "faked")                     //: direct Normal Faked literal "faked" *v1.Pod
}

var _ = []any{newUser, (*user).use, sink(nil)}
