package clientgo

import (
	"fmt"
	"reflect"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/view"
)

// RecorderPublisher is an eventrt.Publisher that sends generated events into a client-go recorder.
// That recorder decides what happens to an event: it dates the event anew, names the controller
// that it was made with, and merges by its own rules. It is safe for concurrent use.
type RecorderPublisher interface {
	eventrt.Publisher
	// Rejected returns the number of events that did not reach the recorder.
	Rejected() uint64
}

type publisher struct {
	send     func(*eventrt.Event)
	rejected atomic.Uint64
	said     atomic.Bool
}

// ToRecord makes generated recorders record through a recorder of tools/record. Action and related
// object are left out, as such a recorder has no place for them.
func ToRecord(recorder record.EventRecorder) RecorderPublisher {
	if recorder == nil {
		panic("clientgo: ToRecord: expected a recorder, found nil")
	}
	return &publisher{send: func(e *eventrt.Event) {
		ref := e.RegardingReference()
		message := e.Message()
		if annotations := e.AnnotationMap(); len(annotations) > 0 {
			recorder.AnnotatedEventf(&ref, annotations, e.Type(), e.Reason(), "%s", message)
			return
		}
		recorder.Event(&ref, e.Type(), e.Reason(), message)
	}}
}

// annotatedRecorder is client-go's events.AnnotatedEventRecorder, which is there since v0.37.
type annotatedRecorder interface {
	AnnotatedEventf(regarding, related k8sruntime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...any)
}

// ToEvents makes generated recorders record through a recorder of tools/events. It passes
// annotations on if the recorder has a method AnnotatedEventf (client-go v0.37); else it leaves
// them out, and logs this once.
func ToEvents(recorder events.EventRecorder) RecorderPublisher {
	if recorder == nil {
		panic("clientgo: ToEvents: expected a recorder, found nil")
	}
	annotated, _ := recorder.(annotatedRecorder)
	var said atomic.Bool
	return &publisher{send: func(e *eventrt.Event) {
		ref := e.RegardingReference()
		annotations := e.AnnotationMap()
		switch {
		case len(annotations) > 0 && annotated != nil:
			annotated.AnnotatedEventf(&ref, relatedObject(e), annotations, e.Type(), e.Reason(), e.Action(), "%s", e.Message())
			return
		case len(annotations) > 0 && !said.Swap(true):
			klog.Background().Error(nil, "Events lose their annotations: the recorder has no AnnotatedEventf, which client-go's has since v0.37")
		}
		recorder.Eventf(&ref, relatedObject(e), e.Type(), e.Reason(), e.Action(), "%s", e.Message())
	}}
}

// relatedObject returns a nil interface without a related object, because a nil pointer in an
// interface is not nil.
func relatedObject(e *eventrt.Event) k8sruntime.Object {
	if ref := relatedOf(e); ref != nil {
		return ref
	}
	return nil
}

// Publish hands an event to the recorder. One that can't be recorded is counted, and the first is
// logged.
func (p *publisher) Publish(e eventrt.Event) {
	e.ResolveKinds(kindOf)
	if problem := e.Problem(); problem != eventrt.NoProblem {
		p.reject(&e, e.ProblemText())
		return
	}
	defer func() {
		if v := recover(); v != nil {
			p.reject(&e, fmt.Sprintf("the recorder panicked: %v", v))
		}
	}()
	p.send(&e)
}

// Rejected is the number of events that did not reach the recorder.
func (p *publisher) Rejected() uint64 { return p.rejected.Load() }

func (p *publisher) reject(e *eventrt.Event, problem string) {
	p.rejected.Add(1)
	if !p.said.Swap(true) {
		klog.Background().Error(nil, "Event rejected; others are only counted", "problem", problem, "reason", e.Reason(),
			"regarding", klog.KRef(e.Regarding().Namespace, e.Regarding().Name))
	}
}

// kindOf looks up the kind of an object without TypeMeta in client-go's scheme, where client-go's
// recorders usually look.
func kindOf(t reflect.Type) (metav1.TypeMeta, bool) {
	return view.KindOf(scheme.Scheme, t)
}
