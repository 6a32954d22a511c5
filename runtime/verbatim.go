package runtime

// NewVerbatimEvent makes an event of what others have composed, as the drop-in for client-go does: message and annotations
// are neither cut nor cleaned, and nothing is asked for but an object and a type that the API knows. def.Verbatim must be set,
// and its message be its one param. Annotations are sorted by key, and not changed afterwards. Bounds are the caller's business.
func NewVerbatimEvent(def *Definition, regarding, related ObjectRef, message string, annotations []Annotation) Event {
	e := Event{def: def, regarding: regarding, related: related}
	e.regarding.settle()
	e.related.settle()
	e.args[0] = Arg{kind: argText, text: message}
	if len(annotations) > 0 {
		e.attached = &attached{annotations: annotations}
	}
	switch {
	case !regarding.present:
		e.problem = NilRegarding
	case def.Type != Normal && def.Type != Warning:
		e.problem = BadType
	}
	return e
}
