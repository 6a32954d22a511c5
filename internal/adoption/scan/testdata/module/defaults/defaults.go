// Package defaults has options whose empty fields are filled in by who takes them.
package defaults

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

type options struct{ Type, Reason, Text string }

type publisher interface {
	publish(obj runtime.Object, o options)
	warn(obj runtime.Object, o *options)
}

type adapter struct{ recorder record.EventRecorder }

func (a adapter) publish(obj runtime.Object, o options) {
	if o.Type == "" {
		o.Type = corev1.EventTypeNormal
	}
	a.record(obj, o)
}

func (a adapter) warn(obj runtime.Object, o *options) {
	o.Type = corev1.EventTypeWarning
	a.record(obj, *o)
}

func (a adapter) record(obj runtime.Object, o options) {
	a.recorder.Event(obj, o.Type, o.Reason, o.Text) //: in-wrapper ?o.Type ?o.Reason
}

// fake takes everything and records nothing.
type fake struct{ seen []options }

func (f *fake) publish(obj runtime.Object, o options) { f.seen = append(f.seen, o) }
func (f *fake) warn(obj runtime.Object, o *options)   { f.seen = append(f.seen, *o) }

func use(p publisher, pod *corev1.Pod) {
	p.publish(pod, options{Reason: "Filled", Text: "text"})                 //: through-wrapper Normal Filled literal "text" runtime.Object
	p.publish(pod, options{Type: "Warning", Reason: "Given", Text: "text"}) //: through-wrapper Warning Given literal "text" runtime.Object
	p.warn(pod, &options{Reason: "Overwritten", Text: "text"})              //: through-wrapper Warning Overwritten literal "text" runtime.Object
}

func direct(a adapter, pod *corev1.Pod) {
	a.record(pod, options{Reason: "Untyped", Text: "text"}) //: through-wrapper  Untyped literal "text" runtime.Object
}
