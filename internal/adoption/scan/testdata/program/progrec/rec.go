// Package rec has recorder types of a program.
package rec

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

type item struct {
	o           runtime.Object
	typ, reason string
	msg         string
}

// Async records in another goroutine.
type Async struct {
	in record.EventRecorder
	ch chan item
}

func NewAsync(in record.EventRecorder) *Async { return &Async{in: in, ch: make(chan item, 10)} }

func (a *Async) Event(o runtime.Object, typ, reason, msg string) {
	a.ch <- item{o, typ, "Async" + reason, msg}
}
func (a *Async) Eventf(o runtime.Object, typ, reason, f string, args ...any) {
	a.ch <- item{o: o, typ: typ, reason: reason, msg: fmt.Sprintf(f, args...)}
}
func (a *Async) AnnotatedEventf(o runtime.Object, m map[string]string, typ, reason, f string, args ...any) {
	a.Eventf(o, typ, reason, f, args...)
}

func (a *Async) Run(ctx context.Context) {
	for it := range a.ch {
		a.in.Event(it.o, it.typ, it.reason, it.msg) //: direct ?it.typ ?it.reason dynamic "%s"
	}
}

// Hooked calls a function.
type Hooked struct {
	fn func(o runtime.Object, typ, reason, msg string)
}

func NewHooked(fn func(o runtime.Object, typ, reason, msg string)) Hooked { return Hooked{fn} }

func (h Hooked) Event(o runtime.Object, typ, reason, msg string) { h.fn(o, typ, reason, msg) }

// Severe maps types.
type Severe struct{ events.EventRecorder }

func (r Severe) Eventf(regarding, related runtime.Object, typ, reason, action, note string, args ...any) {
	switch typ {
	case "error", "warn":
		typ = "Warning"
	default:
		typ = "Normal"
	}
	r.EventRecorder.Eventf(regarding, related, typ, reason, action, note, args...) //: in-wrapper {Warning|Normal} ?reason dynamic "%s"
}
