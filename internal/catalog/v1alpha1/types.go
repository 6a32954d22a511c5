package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// EventCatalog declares the events of one generated Go package.
type EventCatalog struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Spec       Spec   `json:"spec"`
}

// Spec is the content of a catalog.
type Spec struct {
	// Go describes the generated package.
	Go GoSettings `json:"go"`
	// ReportingController is the qualified name of the controller that reports the events. Without it the program sets it at run time.
	ReportingController string `json:"reportingController,omitempty"`
	// Imports maps aliases to import paths.
	Imports map[string]string `json:"imports,omitempty"`
	// Objects maps aliases to the kinds of objects that events are about.
	Objects map[string]Object `json:"objects,omitempty"`
	// Defaults are the values for every event that does not set its own.
	Defaults *Defaults `json:"defaults,omitempty"`
	// Params is the vocabulary: params that are typed once and used by name.
	Params map[string]ParamType `json:"params,omitempty"`
	// Limits are token buckets that events share by name: each holds for a whole process.
	Limits map[string]Limit `json:"limits,omitempty"`
	// Lint suppresses rules for the whole catalog.
	Lint *Lint `json:"lint,omitempty"`
	// Events are the events, in the order of the generated methods.
	Events []Event `json:"events"`
}

// GoSettings describes the generated package.
type GoSettings struct {
	// Package is the name of the generated package.
	Package string `json:"package"`
	// Recorder is the name of the generated type; Recorder by default.
	Recorder string `json:"recorder,omitempty"`
	// Output is the generated file, relative to the catalog's folder.
	Output string `json:"output,omitempty"`
	// Args is the way in which methods take params: positional (the default) or struct.
	Args string `json:"args,omitempty"`
}

// Object is a kind of object: a group version, with the alias as the kind, or in full.
type Object struct {
	// Version is the short form: "batch/v1".
	Version string `json:"-"`
	// Type is the Go type: "widgetv1.Widget", "Widget" of the generated package itself, or "any".
	Type       string `json:"type,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
	// Kind is the stored kind; the name of the Go type by default.
	Kind string `json:"kind,omitempty"`
	// Scope is Namespaced or Cluster.
	Scope string `json:"scope,omitempty"`
}

// Defaults are the values for every event that does not set its own.
type Defaults struct {
	Regarding   *Regarding   `json:"regarding,omitempty"`
	Type        string       `json:"type,omitempty"`
	Correlation *Correlation `json:"correlation,omitempty"`
}

// Event is one event.
type Event struct {
	// Name is the Go method; the reason by default.
	Name string `json:"name,omitempty"`
	// Reason, Action and Type are stored by the API server. The action is the reason by default, the type Normal.
	Reason string `json:"reason,omitempty"`
	Action string `json:"action,omitempty"`
	Type   string `json:"type,omitempty"`
	// Regarding is the object that the event is about.
	Regarding *Regarding `json:"regarding,omitempty"`
	// AlsoOn are further objects: each call records an event on each of them, too.
	AlsoOn []string `json:"alsoOn,omitempty"`
	// Related is a second object.
	Related *Related `json:"related,omitempty"`
	// Message is the note. Placeholders are {param}, {regarding.name} and the like; {{ and }} are braces.
	Message string `json:"message"`
	// Params are the arguments of the method.
	Params []Param `json:"params,omitempty"`
	Doc    *Doc    `json:"doc,omitempty"`
	// Lifecycle is the release since which the event exists, and its deprecation.
	Lifecycle   *Lifecycle   `json:"lifecycle,omitempty"`
	Correlation *Correlation `json:"correlation,omitempty"`
	// Annotations are set on the stored event; values have placeholders.
	Annotations map[string]string `json:"annotations,omitempty"`
	// ReportingController replaces the catalog's.
	ReportingController string `json:"reportingController,omitempty"`
	Lint                *Lint  `json:"lint,omitempty"`
	// Select is the enum param that picks the variant.
	Select string `json:"select,omitempty"`
	// Variants are the reasons, actions and types, by value of the enum.
	Variants map[string]Variant `json:"variants,omitempty"`
	// Other is the variant for any other value.
	Other *Variant `json:"other,omitempty"`
}

// Regarding names the object of an event: one object, a list of them (a method for each), a closed set (one method), or an
// object with the param that names its container.
type Regarding struct {
	// Objects is the short form: one alias or a list.
	Objects   []string `json:"-"`
	AnyOf     []string `json:"anyOf,omitempty"`
	Object    string   `json:"object,omitempty"`
	Container string   `json:"container,omitempty"`
}

// Related is the related object of an event: an alias, or in full.
type Related struct {
	Object   string `json:"object"`
	Optional bool   `json:"optional,omitempty"`
	// Prefix stands before the object in the message if there is one.
	Prefix string `json:"prefix,omitempty"`
}

// ParamType is a param without its name: a type ("error", "string(200)"), or in full.
type ParamType struct {
	// Short is the short form.
	Short string `json:"-"`
	Type  string `json:"type,omitempty"`
	// MaxBytes bounds the text, in bytes of UTF-8.
	MaxBytes int32 `json:"maxBytes,omitempty"`
	// Optional: the message shows no zero value, and Prefix before any other value.
	Optional bool   `json:"optional,omitempty"`
	Prefix   string `json:"prefix,omitempty"`
	// Quote shows a string as a Go string literal.
	Quote bool `json:"quote,omitempty"`
	// Precision is the number of digits behind the decimal point.
	Precision int32 `json:"precision,omitempty"`
	// Round and Unit set the form of a duration.
	Round metav1.Duration `json:"round,omitempty"`
	Unit  string          `json:"unit,omitempty"`
	// Layout is the name of one of package time's layouts.
	Layout string `json:"layout,omitempty"`
	// Values are the values of an enum.
	Values []string `json:"values,omitempty"`
	// GoName is the name of the enum's Go type.
	GoName string `json:"goName,omitempty"`
	// Separator is written between strings.
	Separator string `json:"separator,omitempty"`
	// Sensitive values are shown as <redacted>.
	Sensitive bool `json:"sensitive,omitempty"`
}

// Param is a param of an event: "from int32", a name of the vocabulary, or in full.
type Param struct {
	Name string `json:"name"`
	ParamType
}

// Doc documents an event: a summary, or in full.
type Doc struct {
	Summary string `json:"summary,omitempty"`
	Runbook string `json:"runbook,omitempty"`
}

// Lifecycle is the release since which an event exists, and its deprecation.
type Lifecycle struct {
	Since      string      `json:"since,omitempty"`
	Deprecated *Deprecated `json:"deprecated,omitempty"`
}

// Deprecated gives the replacement of an event, the reason, and the last release with the event.
type Deprecated struct {
	ReplacedBy  string `json:"replacedBy,omitempty"`
	Reason      string `json:"reason,omitempty"`
	RemoveAfter string `json:"removeAfter,omitempty"`
}

// Correlation decides which occurrences are one event, and how many are written.
type Correlation struct {
	// Key names the params that tell occurrences apart; all by default.
	Key []string `json:"key,omitempty"`
	// Note is the occurrence whose note is stored: the first (the default) or the latest.
	Note string `json:"note,omitempty"`
	// Limit names an entry of spec.limits, which holds back the writes of all events that name it.
	Limit string `json:"limit,omitempty"`
	// Interval is the least time between two writes of one event; at most 30m. It replaces the default schedule.
	Interval  metav1.Duration `json:"interval,omitempty"`
	Window    metav1.Duration `json:"window,omitempty"`
	Threshold int32           `json:"threshold,omitempty"`
	Budget    *Budget         `json:"budget,omitempty"`
	Aggregate *bool           `json:"aggregate,omitempty"`
}

// Limit is a token bucket. A create or an update takes a token.
type Limit struct {
	// Rate is the number of tokens earned in a second, minute or hour: 5/s, 10/m, 1/h.
	Rate string `json:"rate"`
	// Burst is the number of tokens that the bucket holds.
	Burst int32 `json:"burst"`
	// Wait is the time that an event waits for a token before it is lost; 10m by default.
	Wait metav1.Duration `json:"wait,omitempty"`
}

// Budget bounds creates: Burst at once, then one for each Every.
type Budget struct {
	Burst int32           `json:"burst,omitempty"`
	Every metav1.Duration `json:"every,omitempty"`
}

// Lint suppresses rules.
type Lint struct {
	Ignore []Ignore `json:"ignore"`
}

// Ignore suppresses a rule, with a reason.
type Ignore struct {
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
}

// Variant holds the differences from the event.
type Variant struct {
	Reason  string `json:"reason,omitempty"`
	Action  string `json:"action,omitempty"`
	Type    string `json:"type,omitempty"`
	Message string `json:"message,omitempty"`
	Doc     *Doc   `json:"doc,omitempty"`
}

// Configuration is the file event-gen.yaml of a module.
type Configuration struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Catalogs are the module's catalogs: files and folders, relative to this file.
	Catalogs []string `json:"catalogs"`
	// Lint holds the settings of lint.
	Lint *LintSettings `json:"lint,omitempty"`
	// Breaking lists the intended breaking changes.
	Breaking *BreakingSettings `json:"breaking,omitempty"`
	// Generate holds the settings of generate.
	Generate *GenerateSettings `json:"generate,omitempty"`
	// Calls holds the settings for calls that record without a catalog.
	Calls *CallSettings `json:"calls,omitempty"`
}

// LintSettings holds the settings of lint.
type LintSettings struct {
	// FailOn is the least severity that makes a command fail; error by default.
	FailOn string `json:"failOn,omitempty"`
	// Severities changes the severities of rules that are not errors.
	Severities map[string]string `json:"severities,omitempty"`
	// Ignore suppresses rules everywhere.
	Ignore []Ignore `json:"ignore,omitempty"`
}

// BreakingSettings lists the intended breaking changes.
type BreakingSettings struct {
	Acknowledged []Acknowledged `json:"acknowledged"`
}

// Acknowledged is an intended breaking change.
type Acknowledged struct {
	Rule  string `json:"rule"`
	Event string `json:"event,omitempty"`
	// Reason gives the reason of the change.
	Reason string `json:"reason"`
	// Since is the last release before the change.
	Since string `json:"since"`
}

// GenerateSettings holds the settings of generate.
type GenerateSettings struct {
	// HeaderFile is a file, relative to this file, whose text is put above generated files.
	HeaderFile string `json:"headerFile,omitempty"`
}

// CallSettings holds the settings for calls that record without a catalog.
type CallSettings struct {
	// Strict: every note whose length can't be proven is a finding.
	Strict bool `json:"strict,omitempty"`
	// Early switches EV523 on.
	Early bool `json:"early,omitempty"`
	// Allow lists the files and folders that may have raw calls.
	Allow []AllowedCalls `json:"allow,omitempty"`
}

// AllowedCalls is a file, or a folder with everything below it.
type AllowedCalls struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}
