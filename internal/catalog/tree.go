package catalog

import "github.com/event-gen/event-gen/internal/plumbing/diag"

// This file and config.go define the format. The reader, the JSON Schema and the tables of keys in
// docs/catalog.md come from the tags and comments of these fields. shape.go describes the tags. A
// field without the tag key is not a key of the catalog.

// Scalar is a scalar of the catalog with its position. The zero Scalar is an absent key.
type Scalar struct {
	Value string
	Pos   diag.Pos
}

// Set reports whether the catalog has the key.
func (s Scalar) Set() bool { return s.Pos.Line != 0 }

// True reports whether the catalog has the key with the value true.
func (s Scalar) True() bool { return s.Value == "true" }

// Catalog is one document of kind EventCatalog, as it is written: no default is applied and no name
// is looked up. Sequences and mappings keep the order of the file.
type Catalog struct {
	// File is the path as it was given.
	File string
	Pos  diag.Pos
	// Incomplete is true if the reader reported an error and left something out. Something that
	// looks missing may then exist.
	Incomplete bool
	// Partial is true if Complete left out events. Something that looks unused may then be used.
	Partial bool

	APIVersion Scalar `key:"apiVersion,required" form:"event-gen.github.io/v1alpha1"`
	Kind       Scalar `key:"kind,required" form:"EventCatalog"`
	Spec       `key:"spec,required"`
}

// Spec is the content of a catalog.
type Spec struct {
	Go GoSettings `key:"go,required"`
	// qualified name of the controller, as stored. Without it the program sets it:
	// `rec.WithReportingController("example.com/x")`, else `broadcaster.Options`
	ReportingController Scalar `key:"reportingController" schema:"controller"`
	// alias: import path, for Go types. `metav1` and the packages of k8s.io/api (`batchv1`) need no
	// entry
	Imports []Import `key:"imports" each:"import"`
	// the kinds of objects that events are about, see [below](#objects)
	Objects []ObjectDecl `key:"objects" each:"object"`
	// `regarding`, `type`, `correlation`, `labels` and `copyLabels` for entries that do not set
	// them
	Defaults Defaults `key:"defaults"`
	// a vocabulary: params that are typed once and used by name
	Params Vocabulary `key:"params"`
	// token buckets that events share, see [below](#limit)
	Limits []LimitDecl `key:"limits" each:"limit"`
	// `{ignore: [{rule: EV402, reason: "…"}]}`: rules to suppress in the catalog
	Lint `key:"lint"`
	// the entries, in the order of the generated methods
	Events []Event `key:"events,required" each:"an event"`
}

// GoSettings is spec.go.
type GoSettings struct {
	Pos diag.Pos
	// name of the generated package
	Package Scalar `key:"package,required"`
	// name of the generated type; default `Recorder`
	Recorder Scalar `key:"recorder"`
	// the file to write, relative to the catalog. Default: `zz_generated.events.go`, beside the
	// catalog if its folder is the package's, else in a folder named `go.package`
	Output Scalar `key:"output"`
	// `positional` (default), or `struct`: params in one `<Event>Args` struct. Objects stay
	// positional, and an event without params has none
	Args Scalar `key:"args" form:"positional|struct"`
	// `true`: also generate the package `<package>test`, a fake with matchers
	Fake Scalar `key:"fake" form:"boolean"`
	// also generate a role for the sink's API groups: `auto` (as `kube.Auto`), `core`, `events`, or
	// `none` (default)
	RBAC Scalar `key:"rbac" form:"auto|core|events|none"`
}

// Import is an entry of spec.imports.
type Import struct {
	Alias Scalar `key:"*"`
	Path  Scalar `key:",short"`
}

// ObjectDecl is an entry of spec.objects: an alias, and either a group version (short form) or a
// type.
type ObjectDecl struct {
	Alias Scalar `key:"*"`
	// short form: "batch/v1", "v1"
	Version Scalar `key:",short"`
	// the Go type: `widgetv1.Widget`, `Widget` of the generated package itself, or `any`
	Type Scalar `key:"type"`
	// the stored API version; default: that of the markers of the type's package
	APIVersion Scalar `key:"apiVersion"`
	// the stored kind; default: the name of the Go type
	Kind Scalar `key:"kind"`
	// `Namespaced` or `Cluster`; default: that of the type's markers
	Scope Scalar `key:"scope" form:"Namespaced|Cluster"`
}

// LimitDecl is an entry of spec.limits: a token bucket.
type LimitDecl struct {
	Name Scalar `key:"*"`
	// tokens that are earned in a second, minute or hour: 5/s, 10/m, 1/h
	Rate Scalar `key:"rate,required" schema:"rate"`
	// tokens that the bucket holds
	Burst Scalar `key:"burst,required" form:"number"`
	// the longest time that an event waits for a token; default 10m
	Wait Scalar `key:"wait" form:"duration"`
}

// Defaults is spec.defaults.
type Defaults struct {
	Regarding   *Regarding   `key:"regarding"`
	Type        Scalar       `key:"type" schema:"type"`
	Correlation *Correlation `key:"correlation"`
	Labels      []Label      `key:"labels" each:"label"`
	CopyLabels  []Scalar     `key:"copyLabels" some:"the labels that events copy"`
}

// Event is an entry of spec.events.
type Event struct {
	Pos        diag.Pos
	Incomplete bool // as in Catalog

	// the Go method, unique in the package; default: the reason
	Name Scalar `key:"name"`
	// stored; alerts match on it. At most 128 bytes. Required without `variants`
	Reason Scalar `key:"reason" schema:"name"`
	// stored, at most 128 bytes; default: the reason
	Action Scalar `key:"action" schema:"name"`
	// stored: `Normal` (default) or `Warning`
	Type Scalar `key:"type" schema:"type"`
	// the object that the event is about
	Regarding *Regarding `key:"regarding"`
	// the transition of the object's condition that the event stands for, see [below](#transitions)
	On *Transition `key:"on"`
	// further objects on which each call records an event, see [below](#alsoon)
	AlsoOn []Scalar `key:"alsoOn" some:"the objects on which a call records an event too"`
	// a second object, which the event names
	Related *Related `key:"related"`
	// the note, quoted
	Message *Message `key:"message,required"`
	// arguments of the method, at most 8
	Params Params `key:"params"`
	// a summary, or `{summary: …, runbook: …}`: the method's comment
	Doc Doc `key:"doc"`
	// `since`, and `deprecated: {replacedBy, reason, removeAfter}`: the comment says `Deprecated:`
	Lifecycle Lifecycle `key:"lifecycle"`
	// `[{name: JobCreated, removeAfter: v1.6.0}]`: former names, which still compile, see
	// [below](#formerly)
	Formerly []Former `key:"formerly" some:"the event's former names"`
	// which occurrences count as one event, see [below](#correlation)
	Correlation *Correlation `key:"correlation"`
	// set on the stored event; values may have placeholders
	Annotations []Annotation `key:"annotations" each:"annotation"`
	// set on the stored event, to select by; with `copyLabels` at most 8, see [below](#labels)
	Labels []Label `key:"labels" each:"label"`
	// keys of labels that the event copies from its object, see [below](#labels)
	CopyLabels []Scalar `key:"copyLabels" some:"the labels that the event copies"`
	// replaces the catalog's reporting controller
	ReportingController Scalar `key:"reportingController" schema:"controller"`
	// `{ignore: [{rule: EV106, reason: "…"}]}`: rules to suppress for the entry; not errors
	Lint `key:"lint"`
	// the enum or string param that picks a variant, see [below](#variants)
	Select Scalar `key:"select"`
	// one method with several reasons, by the value of `select`
	Variants []Variant `key:"variants" each:"variant" schema:"some"`
	// the variant for all other values
	Other *Variant `key:"other" schema:"other"`

	ParamsPos diag.Pos `key:"params,pos"`
}

// Regarding is the object of an event: one alias, a list (a method per kind), a closed set (one
// method), or an object with a container param.
type Regarding struct {
	Pos       diag.Pos
	Objects   []Scalar
	AnyOf     bool
	Container Scalar
}

// Transition is the change of a condition of an object's status.
type Transition struct {
	Pos diag.Pos
	// the condition's type, such as Ready
	Condition Scalar `key:"condition,required"`
	// the status that it gets: `"True"`, `"False"` or `"Unknown"`
	Status Scalar `key:"status,required" form:"True|False|Unknown"`
	// the reason that it gets; default: any
	Reason Scalar `key:"reason"`
	// the status that it had; default: any, or the condition was not there
	From Scalar `key:"from" form:"True|False|Unknown"`
}

// Related is an event's related object.
type Related struct {
	Pos      diag.Pos
	Object   Scalar `key:"object,required,short"`
	Optional Scalar `key:"optional" form:"boolean"`
	// text before the object in the message; left out if there is no object
	Prefix Scalar `key:"prefix" form:"quoted"`
	// the method takes only the object's name; its namespace is the regarding object's
	ByName Scalar `key:"byName" form:"boolean"`
}

// Params are the params of an event.
type Params []Param

// Vocabulary is spec.params.
type Vocabulary []Param

// Param is a declaration of a param: shorthand ("from int32", "schedule string(200)", or a name of
// spec.params), or in full. The zero Type means: look in the vocabulary.
type Param struct {
	Pos  diag.Pos
	Name Scalar `key:"name,required"`
	// "string", "enum", "batchv1.JobConditionType", ...
	Type Scalar `key:"type"`
	// bounds the text, in bytes of UTF-8; also from "string(200)"
	MaxBytes Scalar `key:"maxBytes" form:"number"`
	// a zero value is not shown; any other value is shown after `prefix`
	Optional Scalar `key:"optional" form:"boolean"`
	Prefix   Scalar `key:"prefix" form:"quoted"`
	// shows a string as a Go string literal
	Quote Scalar `key:"quote" form:"boolean"`
	// digits behind the decimal point
	Precision Scalar `key:"precision" form:"number"`
	Round     Scalar `key:"round" form:"duration"`
	// the unit of a duration that is shown as a whole number
	Unit Scalar `key:"unit"`
	// the name of one of package time's layouts
	Layout Scalar `key:"layout"`
	// the values of an enum
	Values []Scalar `key:"values"`
	// the name of the enum's Go type
	GoName Scalar `key:"goName"`
	// text between the strings of a list
	Separator Scalar `key:"separator" form:"quoted"`
	// values are shown as <redacted>
	Sensitive Scalar `key:"sensitive" form:"boolean"`
}

// Doc is an event's documentation.
type Doc struct {
	Summary Scalar `key:"summary,short"`
	Runbook Scalar `key:"runbook"`
}

// Lifecycle is an event's life cycle.
type Lifecycle struct {
	Pos diag.Pos
	// the release since which the event exists
	Since      Scalar      `key:"since"`
	Deprecated *Deprecated `key:"deprecated"`
}

// Deprecated is the deprecation of an event.
type Deprecated struct {
	Pos diag.Pos
	// the event to record instead
	ReplacedBy Scalar `key:"replacedBy" schema:"present"`
	Reason     Scalar `key:"reason"`
	// the last release with the event
	RemoveAfter Scalar `key:"removeAfter"`
}

// Former is a former name of an event.
type Former struct {
	Pos diag.Pos
	// the former Go method
	Name Scalar `key:"name,required"`
	// the last release with the name
	RemoveAfter Scalar `key:"removeAfter"`
}

// Correlation is a correlation policy. Aggregate is "true" or "false"; times are Go durations.
type Correlation struct {
	Pos diag.Pos
	// the params that tell events apart; the message shows the first values of the others, or with
	// `note: latest` the latest. `[]`: none. Default: all
	Key []Scalar `key:"key"`
	// `latest`: the note of the latest occurrence, see [below](#note). A param of the message must
	// be outside the key. Default: `first`
	Note Scalar `key:"note" form:"first|latest"`
	// a name in `spec.limits`: the event's writes take tokens from this bucket, see [below](#limit)
	Limit Scalar `key:"limit"`
	// the least time between writes of one event, at most 30m, in place of [the
	// schedule](mechanics.md#merging), see [below](#interval)
	Interval Scalar `key:"interval" form:"duration"`
	// the time over which `threshold` counts, and the silence after which the schedule begins anew.
	// Default: 10m
	Window Scalar `key:"window" form:"duration"`
	// distinct messages of one object, reason and type in a window. Further ones are aggregated.
	// More than 65,535 count as 65,535. Default: 10
	Threshold Scalar `key:"threshold" form:"number"`
	// events of one object, reason and type created at once (`burst`), and the time to earn another
	// (`every`). Further ones are aggregated. Default: 25, 5m
	Budget `key:"budget"`
	// `false`: every distinct message is an event. It excludes `threshold` and `budget`. Default:
	// `true`
	Aggregate Scalar `key:"aggregate" form:"boolean"`

	KeyPos diag.Pos `key:"key,pos"` // set if the key is there, though its list be empty
}

// Budget bounds creates: Burst at once, then one for each Every.
type Budget struct {
	Burst Scalar `key:"burst" form:"number"`
	Every Scalar `key:"every" form:"duration"`
}

// Annotation is an annotation template.
type Annotation struct {
	Key   Scalar  `key:"*"`
	Value Message `key:",short"`
}

// Label is a label of a stored event: a constant.
type Label struct {
	Key   Scalar `key:"*"`
	Value Scalar `key:",short"`
}

// Lint suppresses rules.
type Lint struct {
	Ignore []Ignore `key:"ignore,required"`
}

// Ignore suppresses a rule for an event, a catalog or, in the configuration, everywhere.
type Ignore struct {
	Pos    diag.Pos
	Rule   Scalar `key:"rule,required"`
	Reason Scalar `key:"reason,required"`
}

// Variant is an entry of variants. It holds the differences from the event.
type Variant struct {
	Pos     diag.Pos
	Name    Scalar   `key:"*"` // the enum value; not set for other
	Reason  Scalar   `key:"reason" schema:"name"`
	Action  Scalar   `key:"action" schema:"name"`
	Type    Scalar   `key:"type" schema:"type"`
	Message *Message `key:"message"`
	Doc     Doc      `key:"doc"`
}

// Message is a parsed message or annotation template.
type Message struct {
	Pos      diag.Pos
	Text     string
	Segments []Segment
}

// Segment is literal text (braces undoubled) or a placeholder; a placeholder has Placeholder set:
// "from", "regarding.name".
type Segment struct {
	Pos         diag.Pos
	Text        string
	Placeholder string
}
