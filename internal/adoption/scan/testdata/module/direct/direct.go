// Package direct has recorders of every kind.
package direct

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

type embedding struct{ record.EventRecorder }

type field struct{ recorder events.EventRecorder }

type ours interface {
	Event(object runtime.Object, eventtype, reason, message string)
}

type alias = events.EventRecorder

// notRecorder has methods of the names, with other parameters.
type notRecorder struct{}

func (notRecorder) Event(object, eventtype, reason, message string) {}
func (notRecorder) Eventf(format string, args ...any)               {}

func calls(e embedding, f *field, o ours, a alias, l record.EventRecorderLogger, logger klog.Logger, n notRecorder, pod, node *corev1.Pod) {
	e.Event(pod, "Normal", "A", "text")                                                     //: direct Normal A literal "text"
	e.AnnotatedEventf(pod, map[string]string{"a": "b"}, "Normal", "A", "text %s", pod.Name) //: direct Normal A literal "text %s"
	f.recorder.Eventf(pod, node, "Normal", "A", "Doing", "text %s", pod.Name)               //: direct Normal A literal "text %s"
	o.Event(pod, "Warning", "A", "text")                                                    //: direct Warning A literal "text"
	a.Eventf(pod, nil, "Normal", "A", "Doing", "text")                                      //: direct Normal A literal "text"
	l.WithLogger(logger).Eventf(pod, "Normal", "A", "text")                                 //: direct Normal A literal "text"
	record.NewFakeRecorder(1).Event(pod, "Normal", "A", "text")                             //: direct Normal A literal "text"
	(*record.FakeRecorder).Event(record.NewFakeRecorder(1), pod, "Normal", "A", "text")
	n.Event("", "", "", "")
	n.Eventf("")
	send := e.Eventf
	send(pod, "Normal", "A", "text")
	go e.Event(pod, "Normal", "A", "text") //: direct Normal A literal "text"
}

// proxy is a recorder that changes the text.
type proxy struct{ inner record.EventRecorder }

func (p proxy) Event(object runtime.Object, eventtype, reason, message string) {
	p.inner.Event(object, eventtype, reason, "proxied: "+message) //: in-wrapper ?eventtype ?reason dynamic "proxied: %s"
}

func through(p proxy, pod *corev1.Pod) {
	p.Event(pod, "Normal", "Proxied", "text") //: through-wrapper Normal Proxied literal "proxied: text"
}
