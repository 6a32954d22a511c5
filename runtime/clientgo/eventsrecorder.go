package clientgo

import (
	"cmp"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// eventsRecorder is an events.EventRecorderLogger, and an events.AnnotatedEventRecorder (client-go
// v0.37).
type eventsRecorder struct{ anyRecorder }

func (r *eventsRecorder) Eventf(regarding, related k8sruntime.Object, eventtype, reason, action, note string, args ...any) {
	r.record(regarding, related, nil, eventtype, reason, action, format(note, args))
}

func (r *eventsRecorder) AnnotatedEventf(regarding, related k8sruntime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...any) {
	r.record(regarding, related, annotations, eventtype, reason, action, format(note, args))
}

func (r *eventsRecorder) WithLogger(logger klog.Logger) events.EventRecorderLogger {
	c := *r
	c.log = logger
	return &c
}

func (r *eventsRecorder) record(regarding, related k8sruntime.Object, annotations map[string]string, eventtype, reason, action, note string) {
	reason, action = r.to.redact(reason), r.to.redact(action)
	k := definitionKey{
		eventType: eventtype, reason: fit(reason, eventrt.MaxReasonBytes), action: fit(cmp.Or(action, reason), eventrt.MaxReasonBytes),
	}
	r.anyRecorder.record(regarding, related, annotations, k, reason, note)
}
