// Package model resolves catalogs: defaults, names, kinds, Go types and the byte proof, each
// computed once. The emitter, the documentation, lint and the breaking check need nothing else of a
// catalog.
package model

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// Set holds the catalogs of one run, in the order in which they were given.
type Set struct {
	Packages []*Package
}

// Package is one catalog and the Go file that is generated from it.
type Package struct {
	Catalog *catalog.Catalog

	Name string // of the Go package
	Path string // its import path; empty without a go.mod
	// Output is the absolute path of the file to write, Source the catalog's path relative to its
	// folder, with slashes.
	Output string
	Source string
	// Documented is true if another file of the package has its doc comment.
	Documented bool

	Recorder    string // the Go type
	NewRecorder string
	// For is the function that returns a recorder for a manager of controller-runtime. FromEvents
	// and FromRecord return a recorder that records on one of client-go's, of tools/events or
	// tools/record.
	For        string
	FromEvents string
	FromRecord string
	Controller string // empty if the program sets it at run time
	ArgsStruct bool   // params are fields of a struct
	HasFake    bool   // the catalog asks for a fake
	RBAC       string // the groups of the role that the catalog asks for; empty: none

	Imports     []Import // sorted by path
	Objects     []*Object
	Reasons     []Constant
	Enums       []*Enum  // the ones of spec.params first, in their order there
	Limits      []*Limit // in the order of spec.limits
	Events      []*Event
	Transitions []*Transitions // in the order of the events that need them
	// Subjects are the variables that definitions share, in the order of spec.objects.
	Subjects []SubjectVar
	// Labels are the variables with the labels of events, in the order of the events.
	Labels []LabelsVar
}

// LabelsVar is an unexported variable that holds labels.
type LabelsVar struct {
	Name   string
	Labels []eventrt.AnnotationDefinition
}

// SubjectVar is an unexported variable that holds a subject.
type SubjectVar struct {
	Name    string
	Subject eventrt.Subject
}

// Import is a package that the generated file imports.
type Import struct {
	Path  string
	Alias string
	// Plain is true if the alias is the package's own name.
	Plain bool
}

// GoType is a Go type as generated code writes it. A type with an empty Path is predeclared or of
// the generated package.
type GoType struct {
	Path    string
	Name    string
	Pointer bool
	Slice   bool
	// Args holds the type arguments of an instance of a generic type, separated by commas. Each is
	// written as in Go, with the path of its package instead of the alias. TypeArgs splits them.
	Args string
}

// Object is an entry of spec.objects.
type Object struct {
	Alias string
	Pos   diag.Pos
	// Any is true for objects of every kind. GoType is then runtime.Object.
	Any    bool
	GoType GoType
	Kind   metav1.TypeMeta
	Scope  string // Namespaced or Cluster; empty if it is not known
}

// Limit is an entry of spec.limits that events name.
type Limit struct {
	Var     string
	Pos     diag.Pos
	Runtime eventrt.Limit
}

// Constant is the constant of a reason or of an enum's value: its name, and its text in events.
type Constant struct {
	Name, Value string
}

// Enum is a generated integer type and its constants, which are numbered from 1.
type Enum struct {
	Type string
	// Parse is the function that returns the value with a text. TextsVar is the variable with the
	// texts.
	Parse    string
	TextsVar string
	Pos      diag.Pos
	Param    string // the catalog's name of the first param of the type
	Values   []Constant
	// Vocabulary is true if spec.params declares the param.
	Vocabulary bool
}

// Event is an entry of spec.events.
type Event struct {
	Source *catalog.Event
	Name   string

	Summary string
	Runbook string
	Since   string
	// Deprecated is nil unless the event is deprecated.
	Deprecated *Deprecated
	Formers    []*Former // the event's former names

	// On is the transition that the event stands for; nil if there is none.
	On        *Transition
	Regarding Regarding
	// Also holds the further objects. Each call records an event of its own on each of them.
	Also     []*Also
	Related  *Related // nil if there is none
	Params   []*Param
	ArgsType string // of the struct of params; empty if they are positional or there are none
	Select   *Param // picks among variants; nil if there are none
	// Methods has one entry, or one for each kind of a regarding list, in its order.
	Methods []*Method
	// Shared names the variables of the parts that all definitions of the event have in common.
	Shared Shared
	// LabelsVar is the variable with the event's labels; empty if there are none.
	LabelsVar string
	// Declares holds the declarations that no event before this one needs.
	Declares Declares

	unresolved []string // names of params that had findings
}

// Declares holds the declarations beside the first event that needs them. Two branches that each
// add an event then change different lines. The enums of spec.params are not among them.
type Declares struct {
	Reasons  []Constant
	Enums    []*Enum
	KindFunc *KindFunc // nil if there is none
}

// Shared names the variables of the parts that all definitions of an event have in common. A name
// is empty if there is only one definition, or if the definitions differ.
type Shared struct {
	Params, Message, Annotations string
}

// Unresolved reports whether Params lacks params that had findings. Others may only look like
// neighbours then, say.
func (e *Event) Unresolved() bool { return len(e.unresolved) > 0 }

// ReportingController returns the controller that reports the event; empty if the program sets it
// at run time.
func (e *Event) ReportingController() string {
	if len(e.Methods) == 0 || len(e.Methods[0].Definitions) == 0 {
		return ""
	}
	return e.Methods[0].Definitions[0].Runtime.ReportingController
}

// Definitions returns all wire identities of an event: first those of its methods, in their order,
// then those on further objects.
func (e *Event) Definitions() []*Definition {
	var out []*Definition
	for _, w := range e.Wires() {
		out = append(out, w.Definitions...)
	}
	return out
}

// Wires returns the wire identities about each object: first those of the methods, in their order,
// then those of alsoOn.
func (e *Event) Wires() []Wire {
	var out []Wire
	for _, m := range e.Methods {
		out = append(out, m.Wire)
	}
	for _, a := range e.Also {
		out = append(out, a.Wire)
	}
	return out
}

// Objects returns the objects that an event can be about, the objects of alsoOn last.
func (e *Event) Objects() []*Object {
	out := slices.Clone(e.Regarding.Objects)
	for _, a := range e.Also {
		out = append(out, a.Object)
	}
	return out
}

// Deprecated is the deprecation of an event: its replacement and its end.
type Deprecated struct {
	ReplacedBy, Reason, RemoveAfter string
}

// Regarding is the regarding object of an event, or its alternatives.
type Regarding struct {
	// Objects holds the object, or the alternatives. With AnyOf the alternatives are a closed set
	// and share one method. Without it each has a method of its own.
	Objects   []*Object
	AnyOf     bool
	Container *Param // names the container of a fieldPath; nil if there is none
}

// Related is an event's related object.
type Related struct {
	Object   *Object
	Optional bool
	Prefix   string
	// ByName is true if the methods take only the object's name. Its namespace is then the
	// regarding object's, unless its kind is cluster-scoped.
	ByName bool
}

// Param is an argument of an event.
type Param struct {
	Name   string
	Pos    diag.Pos
	Type   string // as the catalog writes it: "int32", "enum", "batchv1.JobConditionType"
	GoType GoType
	GoName string // the Go parameter
	Field  string // of the struct of params
	Enum   *Enum  // the generated type; nil for other types
	// Convert is the function of eventrt that converts the parameter to an Arg. If ByAddress is
	// true, the function takes its address. Extra is a further argument, a separator.
	Convert   string
	ByAddress bool
	Extra     *string
	// MaxBytes bounds the param's text in a message, without the prefix. If it is zero, the param
	// gets the bytes that the rest of the message leaves.
	MaxBytes int
	// Layout is the name of the layout constant of package time.
	Layout string
	// Definition is the param's definition for the run time. Its MaxBytes is set separately for
	// each message, in Definition.Runtime.
	Definition eventrt.Param

	boundable bool     // maxBytes has an effect
	constants []string // the known values of the Go type's constants
	literal   catalog.Param
}

// Tells reports whether occurrences can be told apart by the param's value. A sensitive param's
// value is not stored, except for whether it is there.
func (p *Param) Tells() bool { return !p.Definition.Sensitive || p.Definition.Optional }

// Method is a recorder method, its constructor and the definitions it uses.
type Method struct {
	Name        string
	Constructor string
	// Regarding is the object of the method; nil for a closed set, which KindFunc refers to.
	Regarding     *Object
	KindFunc      *KindFunc
	RegardingName string // the Go parameters
	AlsoNames     []string
	RelatedName   string
	ArgsName      string
	Wire
}

// Also is a further object on which each call records an event, and the definitions of that event.
type Also struct {
	Object *Object
	Wire
}

// Wire holds the definitions of an event about one object. With select, it has one for each variant
// and, last, one for other, and DefinitionFunc picks among them. Var is the variable of the
// definition, or of the array of definitions.
type Wire struct {
	Definitions    []*Definition
	DefinitionFunc string
	Var            string
}

// Definition is a wire identity and its message, as the run time holds them.
type Definition struct {
	ReasonConst string
	// Variant is the value that selects the definition. It is nil for other, and for an event
	// without select.
	Variant *Constant
	Summary string // of the variant; else empty
	Runbook string // likewise
	Runtime eventrt.Definition
	Message string // as the catalog writes it
	// MaxBytes bounds the rendered message, by the byte proof.
	MaxBytes int
}

// KindFunc is an unexported function that refers to an object of a closed set of kinds.
type KindFunc struct {
	Name    string
	Objects []*Object
}
