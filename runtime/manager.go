package eventrt

import "slices"

// Manager is the part of a controller-runtime manager that For needs; every ctrl.Manager has it. R
// is the type of its recorders: client-go's events.EventRecorder up to v0.24, and
// controller-runtime's own from v0.25 on. The compiler infers it.
type Manager[R EventsRecorder] interface {
	GetEventRecorder(name string) R
}

// publishingRecorder is a recorder of tools/events whose events go to a Publisher, such as those of
// managers of runtime/ctrlevents.
type publishingRecorder interface {
	// EventPublisher returns the publisher; nil if there is none.
	EventPublisher() Publisher
}

// declarer is a Publisher that is told which definitions a program has, for its metrics. Declare
// must be safe for concurrent use.
type declarer interface {
	Declare(definitions ...*Definition)
}

// For returns a recorder on a manager, for events that name a reporting controller. If the
// manager's recorders have a publisher, as those of runtime/ctrlevents do, typed events go to their
// publisher as a whole, and the definitions are declared to it. Otherwise the recorder is that of
// ToEvents. Generated packages have a For of their own, which calls this one.
func For[R EventsRecorder](m Manager[R], reportingController string, definitions []*Definition) *Recorder {
	rec := m.GetEventRecorder(reportingController)
	own, ok := any(rec).(publishingRecorder)
	if !ok {
		return FromEvents(rec)
	}
	p := own.EventPublisher()
	if p == nil {
		return FromEvents(rec)
	}
	if d, ok := p.(declarer); ok {
		d.Declare(definitions...)
	}
	r := NewRecorder(p)
	if slices.ContainsFunc(definitions, func(def *Definition) bool { return def.ReportingController == "" }) {
		r = r.WithReportingController(reportingController)
	}
	return r
}
