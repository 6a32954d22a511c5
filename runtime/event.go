package runtime

import (
	"cmp"
	"context"
	"reflect"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Event is one occurrence, as a value: what its definition says, the objects, the arguments and the time. It is made by the
// constructors of a generated package, holds no pointer of the caller's, may be copied, kept, compared by what its
// methods return, and emitted any number of times.
type Event struct {
	def       *Definition
	regarding ObjectRef
	related   ObjectRef
	args      [MaxParams]Arg
	at        time.Time
	attached  *attached
	problem   Problem
}

// attached is what a recorder adds to its events; shared by them and never changed.
type attached struct {
	ctx                    context.Context
	controller             string
	given                  []Annotation // by WithAnnotations
	traced                 Annotation   // made of the context; without a key: none
	annotations            []Annotation // both, sorted by key
	badReportingController bool
	badAnnotation          bool
}

func (a *attached) problem() Problem {
	switch {
	case a.badReportingController:
		return BadReportingController
	case a.badAnnotation:
		return BadAnnotation
	}
	return NoProblem
}

// Problem says why an event can't be recorded. Such an event is counted as rejected, and said once per kind of trouble.
type Problem uint8

// The problems an event can have.
const (
	NoProblem Problem = iota
	NoDefinition
	NilRegarding
	NilRelated
	NoName
	UnknownKind
	OtherKind
	KindNotAllowed
	TooManyArgs
	NoReason
	BadReportingController
	BadAnnotation
	BadNamespace
	BadType
	Ended
	TooLarge
)

var problemTexts = [...]string{
	NoProblem:              "no problem",
	NoDefinition:           "the event is a zero value; make it with a constructor of the generated package",
	NilRegarding:           "the regarding object is nil, or its methods panic",
	NilRelated:             "the related object is nil, and the catalog does not make it optional",
	NoName:                 "the regarding object has no name",
	UnknownKind:            "the kind of an object is not known; set broadcaster.Options.Scheme, or the object's TypeMeta",
	OtherKind:              "an unstructured object is of another kind or API group than the catalog declares",
	KindNotAllowed:         "the kind of the regarding object is not one of the event's anyOf",
	TooManyArgs:            "the event has more arguments than params",
	NoReason:               "the reason is empty",
	BadReportingController: "the reporting controller is not a qualified name such as example.com/widget-controller",
	BadAnnotation:          "an annotation key is not a qualified name, or the annotations exceed 128 KiB",
	BadNamespace:           "the namespace of the regarding object is not a DNS-1123 label",
	BadType:                "the event type is neither Normal nor Warning",
	Ended:                  "recording has ended: the event came after Shutdown",
	TooLarge:               "the texts of the event (annotations, field paths, references, arguments) exceed 192 KiB, or a quarter of what a shard may hold",
}

// String says what is wrong and what to do.
func (p Problem) String() string {
	if int(p) < len(problemTexts) {
		return problemTexts[p]
	}
	return "unknown problem"
}

// NewEvent makes an event of a definition; generated constructors call it. The arguments stand in the order of def.Params; text
// is cut to the param's bound here. It never panics: what is wrong with the event shows in Problem.
func NewEvent(def *Definition, regarding, related ObjectRef, args ...Arg) (e Event) {
	e.fill(def, &regarding, &related, args) // in place: an event is large
	return
}

func (e *Event) fill(def *Definition, regarding, related *ObjectRef, args []Arg) {
	e.def = def
	e.regarding = *regarding
	e.regarding.settle()
	if related.present {
		e.related = *related
		e.related.settle()
	}
	if def == nil {
		e.problem = NoDefinition
		return
	}
	if len(args) > len(def.Params) || len(args) > MaxParams {
		e.problem = TooManyArgs
		return
	}
	for i := range args {
		e.args[i] = args[i]
		e.args[i].fit(&def.Params[i])
	}
	if !e.regarding.container && hasContainer(def, e.args[:]) {
		e.regarding.FieldPath = "" // the definition gives it
	}
	e.regarding.defaultKind(&def.Regarding)
	e.related.defaultKind(&def.Related)
	e.problem = e.check()
}

// fit reduces an argument to what may be kept of it.
func (a *Arg) fit(p *Param) {
	if p.Sensitive && !(p.Optional && a.absent()) {
		*a = Arg{kind: argRedacted}
	}
	if a.kind == argAbsent && !p.Optional {
		*a = Arg{kind: argText, text: cmp.Or(a.text, "<nil>")}
		return
	}
	if a.kind == argText {
		a.text = Clean(a.text, noteBound(p.MaxBytes))
	}
}

func noteBound(limit int) int {
	const most = MaxNoteBytes - len(AggregatePrefix)
	if limit <= 0 || limit > most {
		return most
	}
	return limit
}

func (o *ObjectRef) defaultKind(k *metav1.TypeMeta) {
	switch {
	case !o.present || o.kindless:
	case o.Kind == "":
		o.APIVersion, o.Kind = k.APIVersion, k.Kind
	case k.Kind != "" && (o.Kind != k.Kind || GroupOf(o.APIVersion) != GroupOf(k.APIVersion)):
		o.otherKind = true
	}
}

func (e *Event) check() Problem {
	switch {
	case e.def.Reason == "":
		return NoReason
	case !e.regarding.present:
		return NilRegarding
	case e.def.HasRelated && !e.def.RelatedOptional && !e.related.present:
		return NilRelated
	case e.regarding.kindless || e.related.kindless:
		return UnknownKind
	case e.regarding.Kind == "", e.related.present && e.related.Kind == "":
		return UnknownKind
	case e.regarding.otherKind, e.related.otherKind:
		return OtherKind
	case len(e.def.AnyOf) > 0 && !e.kindAllowed():
		return KindNotAllowed
	case e.regarding.Name == "": // last: nothing else is wrong then
		return NoName
	}
	return NoProblem
}

func (e *Event) kindAllowed() bool {
	for _, k := range e.def.AnyOf {
		if k.Kind == e.regarding.Kind && GroupOf(k.APIVersion) == GroupOf(e.regarding.APIVersion) {
			return true
		}
	}
	return false
}

// ResolveKinds looks up the kinds of objects that did not tell their own. A Publisher calls it with its scheme.
func (e *Event) ResolveKinds(lookup func(reflect.Type) (metav1.TypeMeta, bool)) {
	if e.problem != UnknownKind || lookup == nil {
		return
	}
	e.regarding.resolve(lookup)
	e.related.resolve(lookup)
	e.problem = e.check()
}

func (o *ObjectRef) resolve(lookup func(reflect.Type) (metav1.TypeMeta, bool)) {
	if !o.kindless {
		return
	}
	if k, ok := lookup(o.goType()); ok {
		o.APIVersion, o.Kind, o.source, o.kindless = k.APIVersion, k.Kind, nil, false
	}
}

// Problem says why the event can't be recorded; NoProblem if it can.
func (e *Event) Problem() Problem {
	switch {
	case e.def == nil:
		return NoDefinition
	case e.problem == NoProblem && e.attached != nil:
		return e.attached.problem()
	}
	return e.problem
}

// Definition is the event's declaration; nil for a zero Event. It must not be changed.
func (e *Event) Definition() *Definition { return e.def }

// Regarding is the object the event is about. Its fieldPath is that of the reference; that of a container param is
// added by Reference.
func (e *Event) Regarding() *ObjectRef { return &e.regarding }

// Related is the related object, absent if there is none.
func (e *Event) Related() *ObjectRef { return &e.related }

// Args are the arguments, in the order of the definition's params.
func (e *Event) Args() []Arg {
	if e.def == nil {
		return nil
	}
	return e.args[:min(len(e.def.Params), MaxParams)]
}

// Reason is the event's reason on the wire; empty for a zero Event.
func (e Event) Reason() string {
	if e.def == nil {
		return ""
	}
	return e.def.Reason
}

// Action is the event's action on the wire; empty for a zero Event.
func (e Event) Action() string {
	if e.def == nil {
		return ""
	}
	return e.def.Action
}

// Type is Normal or Warning; empty for a zero Event.
func (e Event) Type() string {
	if e.def == nil {
		return ""
	}
	return e.def.Type
}

// Message renders the note, at most 992 bytes: what the API server takes, less the room for AggregatePrefix. A reporter
// that puts one text into event, condition and log takes it from here.
func (e Event) Message() string {
	if e.def == nil {
		return ""
	}
	return string(AppendMessage(nil, e.def, &e.regarding, &e.related, e.args[:]))
}

// RegardingReference is the object the event is about, as the API type for references.
func (e *Event) RegardingReference() corev1.ObjectReference {
	ref := e.regarding.Reference()
	if ref.FieldPath == "" {
		ref.FieldPath = FieldPath(e.def, e.args[:])
	}
	return ref
}

// ReportingController is the definition's, else the recorder's, else empty.
func (e *Event) ReportingController() string {
	if e.def != nil && e.def.ReportingController != "" {
		return e.def.ReportingController
	}
	if e.attached != nil {
		return e.attached.controller
	}
	return ""
}

// Annotations are those that the recorder added (Recorder.WithAnnotations). They must not be changed.
func (e *Event) Annotations() []Annotation {
	if e.attached == nil {
		return nil
	}
	return e.attached.annotations
}

// Context is that of Recorder.WithContext, for subscribers that look for a logger in it; else the background context.
func (e *Event) Context() context.Context {
	if e.attached == nil || e.attached.ctx == nil {
		return context.Background()
	}
	return e.attached.ctx
}

// Time is when the event happened: when it was recorded, or what At said. It is zero before that.
func (e *Event) Time() time.Time { return e.at }

// SetTime sets the time of an event that has none yet. A Publisher calls it.
func (e *Event) SetTime(t time.Time) {
	if e.at.IsZero() {
		e.at = t
	}
}

func k8sUID(s string) types.UID { return types.UID(s) }

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
