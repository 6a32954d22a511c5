package eventrt

// Manager is the part of a controller-runtime manager that For needs; every ctrl.Manager has it. R
// is the type of its recorders: client-go's events.EventRecorder up to v0.24, and
// controller-runtime's own from v0.25 on. The compiler infers it.
type Manager[R EventsRecorder] interface {
	GetEventRecorder(name string) R
}

// publishingRecorder is a recorder of client-go's interfaces whose events go to a Publisher: those
// of runtime/clientgo and runtime/ctrlevents.
type publishingRecorder interface {
	// EventPublisher returns the publisher, and the reporting controller that the recorder names.
	EventPublisher() (p Publisher, controller string)
}

// onPublisher returns a recorder that sends events as a whole to the publisher of a recorder, under
// that recorder's name; nil if it has none.
func onPublisher(rec any) *Recorder {
	own, ok := rec.(publishingRecorder)
	if !ok {
		return nil
	}
	p, controller := own.EventPublisher()
	return &Recorder{publisher: p, attached: &attached{controller: controller, named: true}}
}

// declarer is a Publisher that is told which definitions a program has, for its metrics. Declare
// must be safe for concurrent use.
type declarer interface {
	Declare(definitions ...*Definition)
}

// For returns a recorder on a manager, for events that name a reporting controller. It is
// FromEvents of the manager's recorder of that name. If that recorder is event-gen's own, as on
// managers of runtime/ctrlevents, the definitions are declared to its publisher, so that metrics
// count each from zero on. Generated packages have a For of their own, which calls this one.
func For[R EventsRecorder](m Manager[R], reportingController string, definitions []*Definition) *Recorder {
	r := FromEvents(m.GetEventRecorder(reportingController))
	if d, ok := r.publisher.(declarer); ok {
		d.Declare(definitions...)
	}
	return r
}
