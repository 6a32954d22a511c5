package eventrt

// Target is an object that a call records an event on, with the definition of that event.
type Target struct {
	def    *Definition
	object ObjectRef
}

// About is the target of an event about an object. Generated methods of events with alsoOn call it.
func About(def *Definition, object ObjectRef) Target { return Target{def: def, object: object} }

// EmitEach makes and emits an event for each target, in their order, as EmitNew does. The events
// have the related object and the arguments in common. A target whose object is nil gets none. If
// all objects are nil, the first target's event is emitted all the same, and rejected as one
// without a regarding object.
func (r *Recorder) EmitEach(targets []Target, related ObjectRef, args ...Arg) {
	for i := range targets {
		if records(targets, i) {
			r.EmitNew(targets[i].def, targets[i].object, related, args...)
		}
	}
}

// NewEvents makes the events that EmitEach emits.
func NewEvents(targets []Target, related ObjectRef, args ...Arg) []Event {
	events := make([]Event, 0, len(targets))
	for i := range targets {
		if records(targets, i) {
			events = append(events, NewEvent(targets[i].def, targets[i].object, related, args...))
		}
	}
	return events
}

// records reports whether an event is made for a target.
func records(targets []Target, i int) bool {
	if !targets[i].object.isNil() {
		return true
	}
	if i > 0 {
		return false
	}
	for j := range targets {
		if !targets[j].object.isNil() {
			return false
		}
	}
	return true
}

// isNil reports whether the caller's object is nil. One that is absent for another reason, such as
// methods that panic, is not.
func (o *ObjectRef) isNil() bool { return !o.present && (o.source == nil || isNilPointer(o.source)) }
