package eventrt

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/internal/kinds"
	"github.com/event-gen/event-gen/runtime/internal/problems"
)

// Event is one occurrence, as a value: its definition, the objects, the arguments and the time. The
// constructors of a generated package make it. It holds no pointer of the caller's. It may be
// copied, kept, and emitted any number of times; compare two events by the results of their
// methods.
type Event struct {
	def       *Definition
	regarding ObjectRef
	related   ObjectRef
	args      [MaxParams]Arg
	at        time.Time
	attached  *attached
	copied    copied
	uncut     *[MaxParams]string // texts of arguments that were cut, as they were; for Redact
	problem   Problem
}

// attached holds a recorder's additions to its events. They share it, and it never changes.
type attached struct {
	ctx                    context.Context
	controller             string
	given                  []Annotation // by WithAnnotations
	traced                 Annotation   // from the context; without a key: none
	annotations            []Annotation // both, sorted by key
	named                  bool         // controller goes before the definition's
	labels                 []Annotation // by WithLabels, sorted by key
	badLabels              []string     // their keys, in no order
	badReportingController bool
	badAnnotation          bool
}

func (a *attached) problem() Problem {
	switch {
	case a.badReportingController:
		return problems.BadReportingController
	case a.badAnnotation:
		return problems.BadAnnotation
	}
	return NoProblem
}

// Problem is the reason why an event can't be recorded. A broadcaster counts such an event as
// rejected, and logs the first of each kind of problem.
type Problem uint8

// NoProblem is the Problem of an event that can be recorded. No other needs a name: its text says
// all.
const NoProblem Problem = 0

var problemTexts = [...]string{
	NoProblem:                       "no problem",
	problems.NoDefinition:           "the event is a zero value; make it with a constructor of the generated package",
	problems.NilRegarding:           "the regarding object is nil, or its methods panic",
	problems.NilRelated:             "the related object is nil, or its name is empty, and the catalog does not make it optional",
	problems.UnknownKind:            "the kind of an object is not known; set broadcaster.Options.Scheme, or the object's TypeMeta",
	problems.OtherKind:              "an unstructured object is of another kind or API group than the catalog declares",
	problems.KindNotAllowed:         "the kind of the regarding object is not one of the event's anyOf",
	problems.TooManyArgs:            "the event has more arguments than params",
	problems.NoReason:               "the reason is empty",
	problems.BadReportingController: "the reporting controller is not a qualified name such as example.com/widget-controller",
	problems.BadAnnotation:          "an annotation key is not a qualified name, or the annotations exceed 128 KiB",
	problems.BadNamespace:           "the namespace of the regarding object is not a DNS-1123 label",
	problems.BadType:                "the event type is neither Normal nor Warning",
	problems.Ended:                  "recording has ended: the event came after Shutdown",
	problems.TooLarge:               "the texts of the event (annotations, field paths, references, arguments) exceed 192 KiB, or a quarter of MaxBytes",
	problems.NoNamespace:            "a reference of a namespaced kind has no namespace",
	problems.UnknownValue:           "an argument is none of its enum's constants, such as the zero value",
}

// String describes the problem and what to do about it.
func (p Problem) String() string {
	if int(p) < len(problemTexts) {
		return problemTexts[p]
	}
	return "unknown problem"
}

// NewEvent makes an event of a definition; generated constructors call it. The arguments are in the
// order of def.Params. NewEvent cuts text to the param's bound. It never panics: Event.Problem
// reports what is wrong.
func NewEvent(def *Definition, regarding, related ObjectRef, args ...Arg) Event {
	e := Event{def: def, regarding: regarding, related: related}
	if def != nil && len(def.Labels) > 0 {
		e.copied = copyLabels(def.Labels, regarding.source)
	}
	e.regarding.settle()
	e.related.settle()
	e.define(args)
	return e
}

// Event is NewEvent for objects whose kinds the definition knows. A nil object is an absent one.
func (d *Definition) Event(regarding, related ClientObject, args ...Arg) Event {
	return NewEvent(d, clientObject(regarding), clientObject(related), args...)
}

// clientObject refers to an object. ObjectOf(regarding) would make a nil interface one that is not
// nil.
func clientObject(obj ClientObject) ObjectRef {
	if obj == nil {
		return ObjectRef{}
	}
	return ObjectOf(obj)
}

// define gives an event its arguments, and finds its problem.
func (e *Event) define(args []Arg) {
	def := e.def
	if def == nil {
		e.problem = problems.NoDefinition
		return
	}
	if len(args) > len(def.Params) || len(args) > MaxParams {
		e.problem = problems.TooManyArgs
		return
	}
	for i := range args {
		e.args[i] = args[i]
		e.args[i].fit(&def.Params[i])
		if a := &e.args[i]; a.kind == argText && a.text != args[i].text {
			e.keepUncut(i, args[i].text)
		}
	}
	if !e.regarding.container && hasContainer(def, e.args[:]) {
		e.regarding.FieldPath = "" // the definition gives it
	}
	e.regarding.defaultKind(&def.Regarding)
	e.related.defaultKind(&def.Related)
	e.problem = e.check()
}

// fit reduces an argument to the part that may be kept.
func (a *Arg) fit(p *Param) {
	if a.kind == argUnknown && p.Optional && a.num == 0 {
		*a = Arg{}
	}
	if a.kind == argUnknown { // the event is rejected, unless the recorder is plain
		if p.Sensitive {
			a.text = redacted
		}
		return
	}
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
	case k.Kind != "" && o.Kind != k.Kind:
		o.otherKind = true
	case k.Kind != "" && o.APIVersion != k.APIVersion && kinds.GroupOf(o.APIVersion) != kinds.GroupOf(k.APIVersion):
		o.otherKind = true
	}
}

func (e *Event) check() Problem {
	switch {
	case e.def.Reason == "":
		return problems.NoReason
	case e.def.Forwarded && !isEventType(e.def.Type):
		return problems.BadType
	case !e.regarding.present:
		return problems.NilRegarding
	case e.def.HasRelated && !e.def.RelatedOptional && !e.related.present:
		return problems.NilRelated
	case e.regarding.kindless || e.related.kindless:
		return problems.UnknownKind
	case e.regarding.Kind == "", e.related.present && e.related.Kind == "":
		return problems.UnknownKind
	case e.regarding.otherKind, e.related.otherKind:
		return problems.OtherKind
	case len(e.def.AnyOf) > 0 && !e.kindAllowed():
		return problems.KindNotAllowed
	case e.def.Forwarded && e.regarding.lacksNamespace():
		return problems.NoNamespace
	case slices.ContainsFunc(e.Args(), func(a Arg) bool { return a.kind == argUnknown }):
		return problems.UnknownValue
	}
	return NoProblem
}

func (e *Event) kindAllowed() bool {
	return slices.ContainsFunc(e.def.AnyOf, func(k metav1.TypeMeta) bool {
		return k.Kind == e.regarding.Kind && kinds.GroupOf(k.APIVersion) == kinds.GroupOf(e.regarding.APIVersion)
	})
}

// ResolveKinds looks up the kinds of objects that do not carry their own. A publisher calls it with
// its scheme.
func (internals) ResolveKinds(e *Event, lookup func(reflect.Type) (metav1.TypeMeta, bool)) {
	if e.problem != problems.UnknownKind || lookup == nil {
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

// Problem returns why the event can't be recorded, or NoProblem.
func (e *Event) Problem() Problem {
	switch {
	case e.def == nil:
		return problems.NoDefinition
	case e.problem == NoProblem && e.attached != nil:
		return e.attached.problem()
	}
	return e.problem
}

// ProblemText describes the problem, and quotes the text that is wrong where that helps.
func (e *Event) ProblemText() string {
	switch p := e.Problem(); p {
	case problems.BadType:
		return p.String() + ": " + strconv.Quote(Clean(e.def.Type, MaxReasonBytes))
	case problems.NoNamespace, problems.KindNotAllowed, problems.OtherKind:
		return p.String() + ": " + strconv.Quote(e.regarding.APIVersion+" "+e.regarding.Kind)
	case problems.UnknownValue:
		i := slices.IndexFunc(e.Args(), func(a Arg) bool { return a.kind == argUnknown })
		return p.String() + ": " + e.def.Params[i].Name + " is " + e.args[i].text
	default:
		return p.String()
	}
}

func isEventType(t string) bool { return t == Normal || t == Warning }

// Definition returns the event's declaration; nil for a zero Event. The caller must not change it.
func (e *Event) Definition() *Definition { return e.def }

// Regarding returns the object that the event is about, with the fieldPath of the caller's
// reference. RegardingReference adds the fieldPath of a container param.
func (e *Event) Regarding() *ObjectRef { return &e.regarding }

// Related returns the related object, absent if there is none.
func (e *Event) Related() *ObjectRef { return &e.related }

// Args returns the arguments, in the order of the definition's params.
func (e *Event) Args() []Arg {
	if e.def == nil {
		return nil
	}
	return e.args[:min(len(e.def.Params), MaxParams)]
}

// Reason returns the stored reason; empty for a zero Event.
func (e Event) Reason() string {
	if e.def == nil {
		return ""
	}
	return e.def.Reason
}

// Action returns the stored action; empty for a zero Event.
func (e Event) Action() string {
	if e.def == nil {
		return ""
	}
	return e.def.storedAction()
}

// Type returns Normal or Warning; empty for a zero Event.
func (e Event) Type() string {
	if e.def == nil {
		return ""
	}
	return e.def.Type
}

// Message renders the note, at most 992 bytes: the API server's bound, less the room for
// AggregatePrefix. Use it to put the same text into a condition or a log line.
func (e Event) Message() string {
	if e.def == nil {
		return ""
	}
	return string(appendMessage(nil, e.def, &e.regarding, &e.related, e.args[:]))
}

// RegardingReference returns the object that the event is about, as the API type for references.
func (e *Event) RegardingReference() corev1.ObjectReference {
	ref := e.regarding.Reference()
	if ref.FieldPath == "" {
		ref.FieldPath = fieldPath(e.def, e.args[:])
	}
	return ref
}

// ReportingController returns the name of the recorder that FromEvents or FromRecord was given, if
// that is event-gen's own; else the definition's controller, else the recorder's, else the empty
// string.
func (e *Event) ReportingController() string {
	switch {
	case e.attached != nil && e.attached.named:
		return e.attached.controller
	case e.def != nil && e.def.ReportingController != "":
		return e.def.ReportingController
	case e.attached != nil:
		return e.attached.controller
	}
	return ""
}

// Annotations returns the recorder's annotations (Recorder.WithAnnotations). The caller must not
// change them.
func (e *Event) Annotations() []Annotation {
	if e.attached == nil {
		return nil
	}
	return e.attached.annotations
}

// AnnotationMap merges the annotations of the recorder and of the catalog, as they will be stored.
// The catalog's win. It is nil if there are none.
func (e *Event) AnnotationMap() map[string]string {
	list := e.Annotations()
	if e.def == nil || len(list)+len(e.def.Annotations) == 0 {
		return nil
	}
	m := make(map[string]string, len(list)+len(e.def.Annotations))
	for _, a := range list {
		m[a.Key] = a.Value
	}
	for _, a := range e.def.Annotations {
		m[a.Key] = string(appendAnnotation(nil, e.def, a.Value, &e.regarding, &e.related, e.args[:]))
	}
	return m
}

// Context returns the context of Recorder.WithContext, for subscribers that look for a logger in
// it; else the background context.
func (e *Event) Context() context.Context {
	if e.attached == nil || e.attached.ctx == nil {
		return context.Background()
	}
	return e.attached.ctx
}

// Time returns when the event happened: when it was recorded, or the time given to Recorder.At. It
// is zero before that.
func (e *Event) Time() time.Time { return e.at }

// SetTime sets the time of an event that has no time yet, and lets go of what was cut off its
// texts. A publisher calls it, after Redact.
func (internals) SetTime(e *Event, t time.Time) {
	e.uncut = nil
	if e.at.IsZero() {
		e.at = t
	}
}

// NewVerbatimEvent makes an event from a finished message, as the drop-in for client-go does. It
// neither cuts nor cleans message and annotations, and requires only an object and a type that the
// API knows. The definition must be verbatim, and its message must be its one param. Annotations
// must be sorted by key, and must not change afterwards. The caller is responsible for all bounds.
func (internals) NewVerbatimEvent(def *Definition, regarding, related ObjectRef, message string, annotations []Annotation) Event {
	e := Event{def: def, regarding: regarding, related: related}
	e.regarding.settle()
	e.related.settle()
	e.args[0] = Arg{kind: argText, text: message}
	if len(annotations) > 0 {
		e.attached = &attached{annotations: annotations}
	}
	switch {
	case !regarding.present:
		e.problem = problems.NilRegarding
	case !isEventType(def.Type):
		e.problem = problems.BadType
	}
	return e
}
