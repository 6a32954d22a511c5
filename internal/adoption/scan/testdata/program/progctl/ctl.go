// Package ctl records on what main sets.
package ctl

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	"example.com/m/progrec"
)

type Eventer interface {
	Event(o runtime.Object, eventtype, reason, message string)
}

type Option func(*R)

type R struct {
	Recorder events.EventRecorder
	opted    record.EventRecorder
	async    *rec.Async
	hook     rec.Hooked
	Emit     Eventer
	plain    events.EventRecorder
}

func WithRecorder(r record.EventRecorder) Option { return func(o *R) { o.opted = r } }

func New(plain events.EventRecorder, a *rec.Async, h rec.Hooked, opts ...Option) *R {
	r := &R{async: a, hook: h, plain: plain}
	for _, o := range opts {
		o(r)
	}
	return r
}

func (r *R) Run(p *corev1.Pod) {
	r.Recorder.Eventf(p, nil, "error", "Field", "Act", "note %s", p.Name) //: through-wrapper Warning Field literal "note %s" *v1.Pod
	r.opted.Event(p, "Normal", "Opted", "text")                           //: direct Normal Opted literal "text" *v1.Pod
	r.async.Event(p, "Normal", "First", "text")                           //: direct Normal First literal "text" *v1.Pod
	r.async.Eventf(p, "Normal", "Second", "text %s", p.Name)              //: direct Normal Second literal "text %s" *v1.Pod
	r.hook.Event(p, "Normal", "Hooked", "text")                           //: direct Normal Hooked literal "text" *v1.Pod
	r.Emit.Event(p, "Normal", "Emitted", "text")                          //: direct Normal Emitted literal "text" *v1.Pod
	r.plain.Eventf(p, nil, "Normal", "Plain", "Act", "note")              //: direct Normal Plain literal "note" *v1.Pod
}
