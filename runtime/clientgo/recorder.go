package clientgo

import (
	"errors"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/view"
)

// recorder is a record.EventRecorderLogger.
type recorder struct{ anyRecorder }

func newRecorder(to destination, scheme *k8sruntime.Scheme, from corev1.EventSource, log klog.Logger) *recorder {
	controller := source{component: from.Component, host: from.Host}.controller()
	return &recorder{anyRecorder{to: to, scheme: scheme, controller: controller, maxNote: maxMessageBytes, log: log}}
}

// anyRecorder is what the recorders of both of client-go's packages have in common.
type anyRecorder struct {
	to         destination
	scheme     *k8sruntime.Scheme
	controller string
	maxNote    int // in bytes
	log        klog.Logger
	// namespaces is set if a reference must have a namespace where its kind has one. client-go's
	// own TestEventfNoNamespace demands of tools/record that such an event is stored in namespace
	// default.
	namespaces bool
}

// Event records a message. The message is not a format.
func (r *recorder) Event(object k8sruntime.Object, eventtype, reason, message string) {
	r.record(object, nil, eventtype, reason, message)
}

func (r *recorder) Eventf(object k8sruntime.Object, eventtype, reason, messageFmt string, args ...any) {
	r.record(object, nil, eventtype, reason, format(messageFmt, args))
}

func (r *recorder) AnnotatedEventf(object k8sruntime.Object, annotations map[string]string, eventtype, reason, messageFmt string, args ...any) {
	r.record(object, annotations, eventtype, reason, format(messageFmt, args))
}

func (r *recorder) WithLogger(logger klog.Logger) record.EventRecorderLogger {
	c := *r
	c.log = logger
	return &c
}

func (r *recorder) record(object k8sruntime.Object, annotations map[string]string, eventtype, reason, message string) {
	reason = r.to.redact(reason)
	k := definitionKey{eventType: eventtype, reason: fitApart(reason, maxReasonBytes)}
	r.anyRecorder.record(object, nil, annotations, k, reason, message)
}

// EventPublisher returns where typed events go, and the controller that they name, for
// eventrt.FromEvents and FromRecord.
func (r *anyRecorder) EventPublisher() (p eventrt.Publisher, controller string) {
	if d, ok := r.to.(*direct); ok {
		return d.publisher, r.controller
	}
	return &typed{r}, r.controller
}

// typed takes typed events for the distributor of a drop-in.
type typed struct{ *anyRecorder }

// Publish hands an event on with its definition. One that can't be recorded is counted and logged.
func (t *typed) Publish(e eventrt.Event) {
	internals.ResolveKinds(&e, func(typ reflect.Type) (metav1.TypeMeta, bool) { return view.KindOf(t.scheme, typ) })
	internals.Redact(&e, t.to.redact)
	var err error
	if e.Problem() == eventrt.NoProblem {
		err = t.to.publish(&e)
	} else {
		err = errors.New(e.ProblemText())
	}
	if err != nil {
		t.to.reject(t.log, err, "Unable to record event (will not retry!)", "reason", e.Reason())
	}
}

// record records an event with this type, reason and action; what it logs names the reason before
// it was cut.
func (r *anyRecorder) record(regarding, related k8sruntime.Object, annotations map[string]string, k definitionKey, reason, note string) {
	note = r.to.redact(note)
	ref, err := referenceTo(r.scheme, regarding)
	if err == nil && r.namespaces {
		err = checkNamespace(regarding, ref)
	}
	if err != nil {
		r.to.reject(r.log, err, "Could not construct reference, will not report event", "eventType", r.to.redact(k.eventType), "reason", reason, "message", note)
		return
	}
	if !isEventType(k.eventType) {
		r.to.reject(r.log, nil, "Unsupported event type", "eventType", r.to.redact(k.eventType), "reason", reason)
		return
	}
	k.controller = r.controller
	e := internals.NewVerbatimEvent(r.to.definition(k), eventrt.ReferenceOf(ref), r.related(related), fit(note, r.maxNote), annotationList(annotations, r.to.redact))
	if err := r.to.publish(&e); err != nil {
		r.to.reject(r.log, err, "Unable to record event (will not retry!)", "reason", reason)
	}
}

// related is absent where no reference can be made, as in client-go.
func (r *anyRecorder) related(object k8sruntime.Object) eventrt.ObjectRef {
	if object == nil {
		return eventrt.ObjectRef{}
	}
	ref, err := referenceTo(r.scheme, object)
	if err != nil {
		r.log.V(9).Info("Could not construct reference", "err", err)
		return eventrt.ObjectRef{}
	}
	return eventrt.ReferenceOf(ref)
}

func isEventType(t string) bool { return t == corev1.EventTypeNormal || t == corev1.EventTypeWarning }
