package clientgo

import (
	"cmp"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/runtime"
)

// eventsRecorder is an events.EventRecorderLogger, and an events.AnnotatedEventRecorder (client-go v0.37).
type eventsRecorder struct {
	to         outlet
	scheme     *k8sruntime.Scheme
	controller string
	maxNote    int // in bytes
	say        voice
}

func (r *eventsRecorder) Eventf(regarding, related k8sruntime.Object, eventtype, reason, action, note string, args ...any) {
	r.record(regarding, related, nil, eventtype, reason, action, format(note, args))
}

func (r *eventsRecorder) AnnotatedEventf(regarding, related k8sruntime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...any) {
	r.record(regarding, related, annotations, eventtype, reason, action, format(note, args))
}

func (r *eventsRecorder) WithLogger(logger klog.Logger) events.EventRecorderLogger {
	c := *r
	c.say = c.say.of(logger)
	return &c
}

func (r *eventsRecorder) record(regarding, related k8sruntime.Object, annotations map[string]string, eventtype, reason, action, note string) {
	ref, err := referenceTo(r.scheme, regarding)
	if err != nil {
		r.to.reject(r.say, err, "Could not construct reference, will not report event", "eventType", eventtype, "reason", reason, "message", note)
		return
	}
	if !isEventType(eventtype) {
		r.to.reject(r.say, nil, "Unsupported event type", "eventType", eventtype, "reason", reason)
		return
	}
	def := r.to.definition(definitionKey{
		eventType: eventtype, controller: r.controller,
		reason: fit(reason, runtime.MaxReasonBytes), action: fit(cmp.Or(action, reason), runtime.MaxReasonBytes),
	})
	e := runtime.NewVerbatimEvent(def, runtime.ReferenceOf(ref), r.related(related), fit(note, r.maxNote), annotationList(annotations))
	if err := r.to.publish(&e); err != nil {
		r.to.reject(r.say, err, "Unable to record event (will not retry!)", "reason", reason)
	}
}

// related is absent where no reference can be made, as in client-go.
func (r *eventsRecorder) related(object k8sruntime.Object) runtime.ObjectRef {
	if object == nil {
		return runtime.ObjectRef{}
	}
	ref, err := referenceTo(r.scheme, object)
	if err != nil {
		r.say.detail(9, "Could not construct reference", "err", err)
		return runtime.ObjectRef{}
	}
	return runtime.ReferenceOf(ref)
}
