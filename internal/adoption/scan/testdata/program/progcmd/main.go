// Command prog puts recorders into interfaces.
package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	"example.com/m/progctl"
	"example.com/m/progfakes"
	"example.com/m/progrec"
)

func main() {
	b := record.NewBroadcaster()
	old := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "x"})
	e := events.NewBroadcaster(nil).NewRecorder(scheme.Scheme, "x")
	a := rec.NewAsync(old)
	r := ctl.New(e, a, rec.NewHooked(old.Event), ctl.WithRecorder(a))
	r.Recorder = rec.Severe{EventRecorder: e}
	r.Emit = old
	if len(fakes.New().Reasons) > 0 {
		r.Emit = fakes.New()
	}
	r.Run(&corev1.Pod{})
}
