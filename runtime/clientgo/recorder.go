package clientgo

import (
	corev1 "k8s.io/api/core/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/runtime"
)

// recorder is a record.EventRecorderLogger.
type recorder struct {
	to         outlet
	scheme     *k8sruntime.Scheme
	controller string
	say        voice
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
	c.say = c.say.of(logger)
	return &c
}

func (r *recorder) record(object k8sruntime.Object, annotations map[string]string, eventtype, reason, message string) {
	ref, err := referenceTo(r.scheme, object)
	if err != nil {
		r.to.reject(r.say, err, "Could not construct reference, will not report event", "eventType", eventtype, "reason", reason, "message", message)
		return
	}
	if !isEventType(eventtype) {
		r.to.reject(r.say, nil, "Unsupported event type", "eventType", eventtype, "reason", reason)
		return
	}
	def := r.to.definition(definitionKey{eventType: eventtype, reason: fitApart(reason, maxReasonBytes), controller: r.controller})
	e := runtime.NewVerbatimEvent(def, runtime.ReferenceOf(ref), runtime.ObjectRef{}, fit(message, maxMessageBytes), annotationList(annotations))
	if err := r.to.publish(&e); err != nil {
		r.to.reject(r.say, err, "Unable to record event (will not retry!)", "reason", reason)
	}
}

func isEventType(t string) bool { return t == corev1.EventTypeNormal || t == corev1.EventTypeWarning }
