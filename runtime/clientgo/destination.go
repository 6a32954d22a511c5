package clientgo

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/inside"
)

// destination takes the events of client-go's recorders: the distributor of a drop-in, or a
// publisher directly.
type destination interface {
	// definition finds or makes the definition of an event's fixed part.
	definition(k definitionKey) *eventrt.Definition
	// redact cleans a text of the caller's, before it is cut.
	redact(text string) string
	// publish hands an event on. An error says that recording has ended.
	publish(e *eventrt.Event) error
	// reject counts an event that can't be recorded, and logs it in the words of client-go's
	// recorders.
	reject(log klog.Logger, err error, text string, about ...any)
}

// direct is an destination to a publisher. Events that can't be recorded are published too, so that
// the publisher's Stats count all events.
type direct struct {
	publisher eventrt.Publisher
	defs      definitions
}

func (d *direct) definition(k definitionKey) *eventrt.Definition { return d.defs.get(k) }

// redact asks a publisher that cleans texts, as broadcasters do.
func (d *direct) redact(text string) string {
	if p, ok := d.publisher.(inside.Publisher); ok {
		return p.Inside(inside.Key{}).Redact(text)
	}
	return text
}

func (d *direct) publish(e *eventrt.Event) error {
	d.publisher.Publish(*e)
	return nil
}

// rejects has no type, so that the publisher rejects an event of this definition about any object.
var rejects = internals.MakeVerbatim(&eventrt.Definition{Params: messageParam, Message: messageSegment, Forwarded: true})

func (d *direct) reject(log klog.Logger, err error, text string, about ...any) {
	log.Error(err, text, about...)
	var regarding eventrt.ObjectRef
	if err == nil { // the object is valid, and the type is not
		regarding = eventrt.ReferenceOf(&corev1.ObjectReference{})
	}
	d.publisher.Publish(internals.NewVerbatimEvent(rejects, regarding, eventrt.ObjectRef{}, "", nil))
}

// checkController logs that no server would take events of a recorder, because of the reporting
// controller's name.
func checkController(name string, log klog.Logger) {
	if problems := validation.IsQualifiedName(name); len(problems) > 0 {
		log.Error(nil, "The API server will refuse all events of a recorder: its reporting controller is no qualified name such as example.com/widget-controller",
			"reportingController", name, "problems", strings.Join(problems, "; "))
	}
}

// EventsRecorderOn returns a recorder of tools/events that records into a publisher, such as a
// broadcaster that generated recorders use too. The reporting controller must be a qualified name,
// as the API server demands in events.k8s.io; else the function logs an error. Notes are cut to 992
// bytes, as in generated recorders, reasons and actions to 128, and an empty action becomes the
// reason. The scheme finds the kinds of objects that do not carry their own. The logger reports
// events that can't be recorded, and the publisher counts them. The result also has a method
// AnnotatedEventf (client-go's events.AnnotatedEventRecorder since v0.37). It is safe for
// concurrent use.
func EventsRecorderOn(p eventrt.Publisher, scheme *k8sruntime.Scheme, reportingController string, logger klog.Logger) events.EventRecorderLogger {
	checkController(reportingController, logger)
	return &eventsRecorder{anyRecorder{
		to:         &direct{publisher: p},
		scheme:     scheme,
		controller: fit(reportingController, maxSourceBytes),
		maxNote:    eventrt.MaxNoteBytes - len(eventrt.AggregatePrefix),
		namespaces: true,
		log:        logger,
	}}
}

// RecorderOn returns a recorder of tools/record that records into a broadcaster made with
// CoreOptions, whose events name a source. The scheme finds the kinds of objects that do not carry
// their own. The logger reports events that can't be recorded, and the publisher counts them. It is
// safe for concurrent use.
func RecorderOn(p eventrt.Publisher, scheme *k8sruntime.Scheme, from corev1.EventSource, logger klog.Logger) record.EventRecorderLogger {
	return newRecorder(&direct{publisher: p}, scheme, from, logger)
}
