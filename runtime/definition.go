package eventrt

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MaxParams is the largest number of params an event may have. They are kept inline in the Event,
// so that recording one allocates nothing.
const MaxParams = 8

// Event types, the only two that the API server accepts (kubernetes
// pkg/apis/core/validation/events.go).
const (
	Normal  = "Normal"
	Warning = "Warning"
)

// Definition declares one event, as a catalog does: reason, action and type, the message, and how
// occurrences are merged. Generated packages hold one for each event (and for each kind and variant
// of it) as a package variable. It never changes after that, and an Event refers to it by pointer.
type Definition struct {
	// Subject is shared by the events of a controller about objects of one kind.
	Subject
	// Name is the name of the event in the Go API. Empty: Reason.
	Name string
	// Reason, Action and Type are stored by the API server. Reason and Action are at most 128
	// bytes. An empty Action is the Reason, except in a Forwarded definition.
	Reason string
	Action string
	Type   string
	// Related is the kind of the related object; zero if the object itself carries it.
	Related metav1.TypeMeta
	// HasRelated is true if the event has a related object, RelatedOptional if that may be nil.
	HasRelated      bool
	RelatedOptional bool
	// RelatedPrefix precedes the first placeholder of an optional related object in the message.
	// Neither is shown when the object is absent.
	RelatedPrefix string
	// AnyOf lists the allowed kinds of the regarding object. Empty: every kind is allowed.
	AnyOf []metav1.TypeMeta
	// FieldPath, when not empty, makes the reference's fieldPath "<FieldPath>{<value of param
	// FieldPathParam>}".
	FieldPath      string
	FieldPathParam int
	// Params describes the arguments, at most MaxParams of them, in order.
	Params []Param
	// Message is the note, as literal text and placeholders.
	Message []Segment
	// Annotations are set on the stored event.
	Annotations []AnnotationDefinition
	// Labels are set on the event when it is created, at most eight. A Value is one constant
	// text. A label without a Value is copied from the regarding object, if that has it.
	Labels []AnnotationDefinition
	// Correlation decides which occurrences are one event, and how many are written.
	Correlation Correlation
	// Forwarded marks a definition that no catalog declares (Recorder.Forward and the drop-in for
	// client-go). Two of them with equal content are one.
	Forwarded bool
	shared    bool // see internals.MakeShared
	verbatim  bool
}

// Subject says who reports an event, and about objects of which kind.
type Subject struct {
	// ReportingController is a qualified name. Empty: the recorder names it
	// (Recorder.WithReportingController).
	ReportingController string
	// Regarding is the kind of the object the event is about; zero if the object itself carries it.
	Regarding metav1.TypeMeta
}

func (d *Definition) storedAction() string {
	if d.Action == "" && !d.Forwarded {
		return d.Reason
	}
	return d.Action
}

// Param describes one argument of an event.
type Param struct {
	// Name is the catalog's name of the param.
	Name string
	// MaxBytes bounds the text of the argument, in bytes of UTF-8. Zero: only the message bounds
	// it. A float that would exceed the bound is shown in scientific notation, which takes at least
	// 7 bytes.
	MaxBytes int
	// Optional: a zero argument shows nothing, neither itself nor Prefix.
	Optional bool
	Prefix   string
	// Sensitive: the value is never kept; the message shows <redacted>.
	Sensitive bool
	// Quote shows a string as a Go string literal.
	Quote bool
	// Layout is the time layout; empty: RFC 3339 in UTC.
	Layout string
	// Precision is the number of digits behind the decimal point of a float, plus one; zero: as
	// many as are needed.
	Precision int
	// Round rounds a duration to a multiple of it; Unit shows it as a whole number of units.
	Round time.Duration
	Unit  time.Duration
}

// Segment is a piece of a message: literal text, then the value of a placeholder.
type Segment struct {
	Text  string
	Value Value
	// Param is the index of the param if Value is ParamValue.
	Param int
}

// Value is the kind of value that a placeholder stands for.
type Value uint8

// The values a placeholder can stand for.
const (
	NoValue Value = iota
	ParamValue
	RegardingName
	RegardingNamespace
	RegardingKind
	RegardingUID
	RelatedName
	RelatedNamespace
	RelatedKind
	RelatedUID
)

// AnnotationDefinition is an annotation or a label that the catalog puts on an event.
type AnnotationDefinition struct {
	Key   string
	Value []Segment
}

// Annotation is an annotation or a label of a stored event.
type Annotation struct {
	Key, Value string
}

// Correlation says how occurrences of an event are merged and how many become writes of their own.
// The zero value is the default policy.
type Correlation struct {
	// Merged has bit i set if param i is not part of the identity: occurrences that differ only
	// there are one event.
	Merged uint8
	// LatestNote makes the stored note follow the occurrences: an identity keeps the arguments of
	// its latest occurrence, and a write shows them. In core/v1 an update changes the message. In
	// events.k8s.io/v1 the note never changes, and an update sets LatestNoteAnnotation. False: the
	// first write's note stays.
	LatestNote bool
	// Limit holds back the writes of all events that have it; nil: none. Events with a Limit share
	// Threshold, Burst and the aggregate with no other definition of their reason.
	Limit *Limit
	// Interval is the least time between the starts of two writes of one identity, retries
	// excepted; the first write starts at once. It replaces the default schedule, and is cut to
	// half of correlator.Options.EventTTL, so that the stored event does not expire in between.
	// Shutdown lifts it. Events with an Interval share Threshold, Burst and the aggregate with no
	// other definition of their reason. Zero: the default schedule.
	Interval time.Duration
	// Window is the time for which an identity is remembered after its last occurrence, and the
	// span in which distinct messages are counted. Zero: 10 minutes.
	Window time.Duration
	// Threshold is the number of distinct messages of one {object, reason, type} that pass in a
	// window before the rest are aggregated. Zero: 10.
	Threshold int
	// Burst is the number of events of one {object, reason, type} that are created at once, Every
	// the time to earn another. Zero: 25, and 5 minutes. Further events are aggregated,
	// which counts their occurrences.
	Burst int
	Every time.Duration
	// NoAggregate switches both limits off: every distinct message is an event of its own.
	NoAggregate bool
}

// Limit is a token bucket that several definitions share. Each broadcaster has one bucket for it. A
// create or an update takes a token, a retry takes none. The event that waits longest gets the next
// token, Warnings before Normal events. A waiting event is pending, and other events of its object
// do not wait for it. Shutdown lifts every limit.
type Limit struct {
	// Name is the name in the catalog.
	Name string
	// Every is the time to earn a token, Burst the most tokens that the bucket holds. Less than one
	// counts as one (nanosecond).
	Every time.Duration
	Burst int
	// Wait is the time that an event waits for a token before its occurrences are lost
	// (Lost.Limited). Zero: for ever.
	Wait time.Duration
}

// SupportsCodeV1 is referred to by generated code. A run time that can't serve code of that
// generation does not have the constant, so that the mismatch is a compile error and not a surprise
// at run time.
const SupportsCodeV1 = true
