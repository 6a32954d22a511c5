package eventrt

import (
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
)

// EventsRecorder is the part of a recorder that FromEvents needs. The recorders of
// k8s.io/client-go/tools/events have it, and so does every type that embeds one.
type EventsRecorder interface {
	Eventf(regarding, related k8sruntime.Object, eventtype, reason, action, note string, args ...any)
}

// RecordRecorder is the part of a recorder that FromRecord needs. The recorders of
// k8s.io/client-go/tools/record have it, and so does every type that embeds one.
type RecordRecorder interface {
	Eventf(object k8sruntime.Object, eventtype, reason, messageFmt string, args ...any)
}

// annotatedEventsRecorder and annotatedRecordRecorder take annotations, too.
type annotatedEventsRecorder interface {
	AnnotatedEventf(regarding, related k8sruntime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...any)
}

type annotatedRecordRecorder interface {
	AnnotatedEventf(object k8sruntime.Object, annotations map[string]string, eventtype, reason, messageFmt string, args ...any)
}

// FromEvents returns a recorder on one of client-go's interface. If rec is event-gen's own, as on
// managers of runtime/ctrlevents and of the drop-in runtime/clientgo, each event goes to its
// broadcaster as a whole, under rec's name: the definition says what is one event. Otherwise each
// event is one call of rec.Eventf in the caller's goroutine, as code without a catalog makes it:
//
//   - rec gets the caller's regarding object as it is, and the related object unless that is nil.
//     No event is rejected. For an event from a constructor (Emit), rec gets references.
//   - The text is a format without verbs: each % in it is doubled, and there are no arguments.
//   - Annotations go through rec's AnnotatedEventf. They are left out if it has none.
//   - These need a broadcaster and have no effect: At, WithContext, WithReportingController,
//     labels, and the fieldPath of a container param.
//   - A nil rec panics when an event is recorded, as a call of its method does. A panic of rec
//     reaches the caller.
//
// Generated packages have a FromEvents of their own, which calls this one.
func FromEvents(rec EventsRecorder) *Recorder {
	if r := onPublisher(rec); r != nil {
		return r
	}
	return &Recorder{plain: plain{api: eventsAPI, events: rec}}
}

// FromRecord is FromEvents for recorders of k8s.io/client-go/tools/record. Such a recorder takes
// neither an action nor a related object.
func FromRecord(rec RecordRecorder) *Recorder {
	if r := onPublisher(rec); r != nil {
		return r
	}
	return &Recorder{plain: plain{api: recordAPI, legacy: rec}}
}

// plain is the recorder given to FromEvents or FromRecord. It is part of the Recorder itself, so
// that FromEvents allocates once.
type plain struct {
	events EventsRecorder
	legacy RecordRecorder
	api    plainAPI
}

type plainAPI uint8

const (
	eventsAPI plainAPI = iota + 1
	recordAPI
)

// is reports whether there is such a recorder; it may be nil all the same.
func (p *plain) is() bool { return p.api != 0 }

// record calls the recorder. The objects are the caller's, if they are known.
func (p *plain) record(e *Event, regarding, related any) {
	if e.def == nil {
		return
	}
	var text, format [MaxNoteBytes]byte
	note := appendMessage(text[:0], e.def, &e.regarding, &e.related, e.args[:])
	p.call(e, callersObject(regarding, &e.regarding), relatedObject(related, &e.related), string(withoutVerbs(format[:0], note)))
}

func (p *plain) call(e *Event, regarding, related k8sruntime.Object, note string) {
	annotations := e.AnnotationMap()
	if p.api == recordAPI {
		if a, ok := p.legacy.(annotatedRecordRecorder); ok && annotations != nil {
			a.AnnotatedEventf(regarding, annotations, e.def.Type, e.def.Reason, note)
			return
		}
		p.legacy.Eventf(regarding, e.def.Type, e.def.Reason, note)
		return
	}
	if a, ok := p.events.(annotatedEventsRecorder); ok && annotations != nil {
		a.AnnotatedEventf(regarding, related, annotations, e.def.Type, e.def.Reason, e.Action(), note)
		return
	}
	p.events.Eventf(regarding, related, e.def.Type, e.def.Reason, e.Action(), note)
}

// withoutVerbs appends text as a format that shows it.
func withoutVerbs(b, text []byte) []byte {
	for _, c := range text {
		if c == '%' {
			b = append(b, c)
		}
		b = append(b, c)
	}
	return b
}

// callersObject returns the caller's object, or a reference to it if only the reference is left.
func callersObject(source any, o *ObjectRef) k8sruntime.Object {
	if obj, ok := source.(k8sruntime.Object); ok {
		return obj
	}
	if !o.present {
		return nil
	}
	ref := o.Reference()
	return &ref
}

// relatedObject is nil for a nil pointer, too: client-go's recorders panic on a nil pointer, and a
// typed method gets one if there is no related object.
func relatedObject(source any, o *ObjectRef) k8sruntime.Object {
	if !o.present && isNilPointer(source) {
		return nil
	}
	return callersObject(source, o)
}
