package eventrt

import (
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/internal/inside"
)

// Inside is what the packages below runtime do with events, and no user needs: publishers complete
// an event, the correlator and the drop-in for client-go read and make parts of one.
func Inside(inside.Key) internals { return internals{} }

type internals struct{}

// SetTime sets the time of an event that has no time yet, and lets go of what was cut off its
// texts. A publisher calls it, after Redact.
func (internals) SetTime(e *Event, t time.Time) { e.setTime(t) }

// Redact has a function clean the texts of the arguments: of errors, strings, Stringers and lists,
// each as it was before it was cut, because half a password matches no pattern. What the function
// returns is cut anew. A publisher calls it once, before anything looks at the event. Verbatim
// events are left: their maker cleans them.
func (internals) Redact(e *Event, f func(text string) string) { e.redact(f) }

// ResolveKinds looks up the kinds of objects that do not carry their own. A publisher calls it with
// its scheme.
func (internals) ResolveKinds(e *Event, lookup func(reflect.Type) (metav1.TypeMeta, bool)) {
	e.resolveKinds(lookup)
}

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

// CloneArgs returns copies of arguments that share no memory with the caller's texts. The copies of
// all texts are one piece of memory.
func (internals) CloneArgs(args []Arg) []Arg { return cloneArgs(args) }

// Raw returns the parts of an argument, for hashes: two arguments are equal if all parts are. The
// parts of Arg{} are zero.
func (internals) Raw(a *Arg) (text string, number, kind uint64) {
	return a.text, a.num, uint64(uint32(a.nsec))<<8 | uint64(a.kind)
}

// TypeOf describes the type of an argument, for tests.
func (internals) TypeOf(a Arg) string { return a.typeName() }

// NewVerbatimEvent makes an event from a finished message, as the drop-in for client-go does. It
// neither cuts nor cleans message and annotations, and requires only an object and a type that the
// API knows. The definition must be verbatim, and its message must be its one param. Annotations
// must be sorted by key, and must not change afterwards. The caller is responsible for all bounds.
func (internals) NewVerbatimEvent(d *Definition, regarding, related ObjectRef, message string, annotations []Annotation) Event {
	return newVerbatimEvent(d, regarding, related, message, annotations)
}

// MakeVerbatim makes a new definition one whose message is never cut or cleaned.
func (internals) MakeVerbatim(d *Definition) { d.verbatim = true }

// IsVerbatim reports whether the message of a definition is never cut or cleaned.
func (internals) IsVerbatim(d *Definition) bool { return d.verbatim }

// MakeShared marks a new forwarded definition that its maker keeps for reuse, so that an event does
// not count its memory.
func (internals) MakeShared(d *Definition) { d.shared = true }

// IsShared reports whether an event does not count the memory of its forwarded definition.
func (internals) IsShared(d *Definition) bool { return d.shared }
