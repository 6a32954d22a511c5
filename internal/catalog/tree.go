package catalog

import "github.com/event-gen/event-gen/internal/plumbing/diag"

// Scalar is a scalar of the catalog with its position. The zero Scalar is an absent key.
type Scalar struct {
	Value string
	Pos   diag.Pos
}

// Set reports whether the key is there.
func (s Scalar) Set() bool { return s.Pos.Line != 0 }

// True reports whether a boolean is there and true.
func (s Scalar) True() bool { return s.Value == "true" }

// Catalog is one document of kind EventCatalog, as it is written: no default is applied and no name is looked up.
// Sequences and mappings keep the order of the file.
type Catalog struct {
	// File is the path as it was given; Hash is of the document's bytes.
	File string
	Hash string
	Pos  diag.Pos
	// Incomplete: the reader reported an error and left something out, so something that looks missing may not be.
	Incomplete bool
	// Partial: Complete left out events, so something that looks unused may not be.
	Partial bool

	Go                  GoSettings
	ReportingController Scalar
	Imports             []Import
	Objects             []ObjectDecl
	Defaults            Defaults
	Params              []Param
	Limits              []LimitDecl
	Events              []Event
	Ignore              []Ignore // spec.lint
}

// GoSettings is spec.go.
type GoSettings struct {
	Pos      diag.Pos
	Package  Scalar
	Recorder Scalar
	Output   Scalar
	Args     Scalar // positional or struct
}

// Import is an entry of spec.imports.
type Import struct {
	Alias, Path Scalar
}

// ObjectDecl is an entry of spec.objects: an alias, and either a group version (short form) or a type.
type ObjectDecl struct {
	Alias      Scalar
	Version    Scalar // short form: "batch/v1", "v1"
	Type       Scalar // "widgetv1.Widget", "Widget" (of the package generated into), "any"
	APIVersion Scalar
	Kind       Scalar
	Scope      Scalar // Namespaced or Cluster
}

// LimitDecl is an entry of spec.limits: a rate such as 5/s, how much may come at once, and how long an event may wait.
type LimitDecl struct {
	Name, Rate, Burst, Wait Scalar
}

// Defaults is spec.defaults.
type Defaults struct {
	Regarding   *Regarding
	Type        Scalar
	Correlation *Correlation
}

// Event is an entry of spec.events.
type Event struct {
	Pos                 diag.Pos
	Incomplete          bool // as in Catalog
	Name                Scalar
	Reason              Scalar
	Action              Scalar
	Type                Scalar
	Regarding           *Regarding
	AlsoOn              []Scalar
	Related             *Related
	Message             *Message
	Params              []Param
	ParamsPos           diag.Pos
	Doc                 Doc
	Lifecycle           Lifecycle
	Correlation         *Correlation
	Annotations         []Annotation
	ReportingController Scalar
	Ignore              []Ignore
	Select              Scalar
	Variants            []Variant
	Other               *Variant
}

// Regarding is the object of an event: one alias, a list (a method per kind), a closed set (one method), or an object
// with a container param.
type Regarding struct {
	Pos       diag.Pos
	Objects   []Scalar
	AnyOf     bool
	Container Scalar
}

// Related is an event's related object.
type Related struct {
	Pos      diag.Pos
	Object   Scalar
	Optional Scalar // "true" or "false"
	Prefix   Scalar
}

// Param is a declaration of a param: shorthand ("from int32", "schedule string(200)", or a name of spec.params), or in
// full. The zero Type means: look in the vocabulary.
type Param struct {
	Pos                                                     diag.Pos
	Name                                                    Scalar
	Type                                                    Scalar // "string", "enum", "batchv1.JobConditionType", ...
	MaxBytes                                                Scalar // also from "string(200)"
	Optional, Prefix, Quote, Precision, Round, Unit, Layout Scalar
	Values                                                  []Scalar
	GoName, Separator, Sensitive                            Scalar
}

// Doc is an event's documentation.
type Doc struct {
	Summary, Runbook Scalar
}

// Lifecycle is an event's life cycle.
type Lifecycle struct {
	Pos        diag.Pos
	Since      Scalar
	Deprecated *Deprecated
}

// Deprecated is the deprecation of an event.
type Deprecated struct {
	Pos                             diag.Pos
	ReplacedBy, Reason, RemoveAfter Scalar
}

// Correlation is a correlation policy. Aggregate is "true" or "false"; times are Go durations.
type Correlation struct {
	Pos                                                  diag.Pos
	Key                                                  []Scalar
	KeyPos                                               diag.Pos // set if the key is there, though its list be empty
	Note                                                 Scalar   // first or latest
	Limit                                                Scalar   // a name of spec.limits
	Interval, Window, Threshold, Burst, Every, Aggregate Scalar
}

// Annotation is an annotation template.
type Annotation struct {
	Key   Scalar
	Value Message
}

// Ignore suppresses a rule for an event, a catalog or, in the configuration, everywhere.
type Ignore struct {
	Pos          diag.Pos
	Rule, Reason Scalar
}

// Variant is an entry of variants, or other. It holds the differences from the event.
type Variant struct {
	Pos     diag.Pos
	Name    Scalar // the enum value; not set for other
	Reason  Scalar
	Action  Scalar
	Type    Scalar
	Message *Message
	Doc     Doc
}

// Message is a parsed message or annotation template.
type Message struct {
	Pos      diag.Pos
	Text     string
	Segments []Segment
}

// Segment is literal text (braces undoubled) or a placeholder; a placeholder has Placeholder set: "from", "regarding.name".
type Segment struct {
	Pos         diag.Pos
	Text        string
	Placeholder string
}
