package eventrt

import "github.com/event-gen/event-gen/runtime/internal/inside"

// Inside is what the packages below runtime do with events, and no user needs: publishers complete
// an event, the correlator and the drop-in for client-go read and make parts of one.
func Inside(inside.Key) internals { return internals{} }

// internals has its methods here, and beside what they are about.
type internals struct{}

// StoredAction is the action that the API server stores.
func (internals) StoredAction(d *Definition) string { return d.storedAction() }

// FieldPath returns the fieldPath that a container param gives to the regarding reference, such as
// "spec.containers{app}". It is empty for definitions without such a param, and if the param is
// empty.
func (internals) FieldPath(d *Definition, args []Arg) string { return fieldPath(d, args) }

// AppendMessage appends the rendered message of a definition: at most 992 bytes, so that
// AggregatePrefix still fits before it, or the whole message if the definition is verbatim. args
// may be longer than d.Params. It does not allocate if b has room.
func (internals) AppendMessage(b []byte, d *Definition, regarding, related *ObjectRef, args []Arg) []byte {
	return appendMessage(b, d, regarding, related, args)
}

// AppendAnnotation appends the value of an annotation of a definition, at most 1024 bytes.
func (internals) AppendAnnotation(b []byte, d *Definition, value []Segment, regarding, related *ObjectRef, args []Arg) []byte {
	return appendAnnotation(b, d, value, regarding, related, args)
}

// MakeVerbatim makes a new definition one whose message is never cut or cleaned, and returns it.
func (internals) MakeVerbatim(d *Definition) *Definition {
	d.verbatim = true
	return d
}

// IsVerbatim reports whether the message of a definition is never cut or cleaned.
func (internals) IsVerbatim(d *Definition) bool { return d.verbatim }

// MakeShared marks a new forwarded definition that its maker keeps for reuse, so that an event does
// not count its memory.
func (internals) MakeShared(d *Definition) { d.shared = true }

// IsShared reports whether an event does not count the memory of its forwarded definition.
func (internals) IsShared(d *Definition) bool { return d.shared }
