package eventrt_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/seed"
)

// maxMessage is what the API server takes, less the room for the aggregate's prefix.
const maxMessage = 1024 - len("(combined from similar events): ")

func TestMessagesAreRendered(t *testing.T) {
	regarding := eventrt.ReferenceOf(&corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: "web", UID: "u-1"})
	node := eventrt.ReferenceOf(&corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Namespace: "sys", Name: "n-1", UID: "u-2"})
	params := []eventrt.Param{{Name: "from"}, {Name: "hint", Optional: true, Prefix: "; hint: "}}
	segment := func(text string, value eventrt.Value) eventrt.Segment {
		return eventrt.Segment{Text: text, Value: value}
	}
	hint := eventrt.Segment{Value: eventrt.ParamValue, Param: 1}
	tests := []struct {
		name    string
		message []eventrt.Segment
		related eventrt.ObjectRef
		args    []eventrt.Arg
		want    string
	}{
		{"nothing", nil, eventrt.ObjectRef{}, nil, ""},
		{"text alone", []eventrt.Segment{{Text: "100% done {}"}}, eventrt.ObjectRef{}, nil, "100% done {}"},
		{"the regarding object", []eventrt.Segment{segment("", eventrt.RegardingKind), segment(" ", eventrt.RegardingNamespace),
			segment("/", eventrt.RegardingName), segment(" ", eventrt.RegardingUID)}, eventrt.ObjectRef{}, nil, "Pod prod/web u-1"},
		{"the related object", []eventrt.Segment{segment("", eventrt.RelatedKind), segment(" ", eventrt.RelatedNamespace),
			segment("/", eventrt.RelatedName), segment(" ", eventrt.RelatedUID)}, node, nil, " on Node sys/n-1 u-2"},
		{"the related object's prefix stands once", []eventrt.Segment{segment("from", eventrt.RelatedName), segment(" to", eventrt.RelatedName)},
			node, nil, "from on n-1 ton-1"},
		{"no related object", []eventrt.Segment{segment("gone", eventrt.RelatedName), segment(".", eventrt.RelatedUID)}, eventrt.ObjectRef{}, nil, "gone."},
		{"params", []eventrt.Segment{segment("from ", eventrt.ParamValue), hint, {Text: "."}}, eventrt.ObjectRef{},
			[]eventrt.Arg{eventrt.Int(3), eventrt.String("wait")}, "from 3; hint: wait."},
		{"an optional param that is absent", []eventrt.Segment{segment("from ", eventrt.ParamValue), hint, {Text: "."}}, eventrt.ObjectRef{},
			[]eventrt.Arg{eventrt.Int(3), eventrt.String("")}, "from 3."},
		{"missing arguments", []eventrt.Segment{segment("from ", eventrt.ParamValue), hint, {Text: "."}}, eventrt.ObjectRef{}, nil, "from ."},
		{"a param shown twice", []eventrt.Segment{segment("", eventrt.ParamValue), segment("=", eventrt.ParamValue)}, eventrt.ObjectRef{},
			[]eventrt.Arg{eventrt.Bool(true)}, "true=true"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			def := &eventrt.Definition{Reason: "Tested", Subject: eventrt.Subject{Regarding: podKind}, RelatedOptional: true, HasRelated: true, RelatedPrefix: " on ", Params: params, Message: tt.message}
			e := eventrt.NewEvent(def, regarding, tt.related, tt.args...)
			if got := e.Message(); got != tt.want {
				t.Errorf("message %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAZeroEventHasNoText(t *testing.T) {
	var e eventrt.Event
	if e.Message()+e.Reason()+e.Action()+e.Type()+e.ReportingController() != "" || e.Definition() != nil || e.Args() != nil || e.Annotations() != nil {
		t.Errorf("a zero event says something: %+v", e)
	}
	if ref := e.RegardingReference(); ref != (corev1.ObjectReference{}) {
		t.Errorf("a zero event refers to %+v", ref)
	}
	if e.Context() == nil {
		t.Error("a zero event has a nil context")
	}
}

func TestAMessageIsCutAsAWhole(t *testing.T) {
	def := messageDefinition(eventrt.Param{}, eventrt.Param{})
	e := eventrt.NewEvent(def, eventrt.ObjectOf(pod()), eventrt.ObjectRef{}, eventrt.String(strings.Repeat("a", 990)), eventrt.String("bcd"))
	if got, want := e.Message(), strings.Repeat("a", 989)+"…"; got != want {
		t.Errorf("%d bytes, ends in %q", len(got), got[980:])
	}
}

// TestAnyArgsMakeAFitMessage holds the bound and the cleanness of a message whatever objects and
// arguments say.
func TestAnyArgsMakeAFitMessage(t *testing.T) {
	seed.Check(t, func(t *rapid.T) {
		def := anyDefinition(t)
		args := rapid.SliceOfN(rapid.Custom(anyArg), 0, len(def.Params)).Draw(t, "args")
		e := eventrt.NewEvent(def, anyObject(t, "regarding"), anyObject(t, "related"), args...)
		checkFit(t, "message", e.Message(), maxMessage)
		for _, a := range def.Annotations {
			value := internals.AppendAnnotation(nil, def, a.Value, e.Regarding(), e.Related(), e.Args())
			checkFit(t, "annotation", string(value), 1024)
		}
		checkFit(t, "fieldPath", internals.FieldPath(def, e.Args()), 1024)
	})
}

func checkFit(t *rapid.T, what, text string, limit int) {
	if len(text) > limit {
		t.Fatalf("%s has %d bytes: %q", what, len(text), text)
	}
	if problem := unclean(text); problem != "" {
		t.Fatalf("%s %s: %q", what, problem, text)
	}
}

func anyDefinition(t *rapid.T) *eventrt.Definition {
	def := plainDefinition()
	def.HasRelated, def.RelatedOptional = rapid.Bool().Draw(t, "has related"), true
	def.RelatedPrefix = rapid.SampledFrom([]string{"", " on "}).Draw(t, "related prefix")
	def.FieldPath = rapid.SampledFrom([]string{"", "spec.containers"}).Draw(t, "field path")
	def.Params = rapid.SliceOfN(rapid.Custom(anyParam), 0, eventrt.MaxParams).Draw(t, "params")
	def.Message = rapid.SliceOfN(rapid.Custom(anySegment), 0, 20).Draw(t, "message")
	def.Annotations = []eventrt.AnnotationDefinition{{Key: "example.com/x", Value: def.Message}}
	return def
}

func anyParam(t *rapid.T) eventrt.Param {
	return eventrt.Param{
		MaxBytes:  rapid.SampledFrom([]int{0, 0, 1, 2, 3, 5, 80, 991, 5000}).Draw(t, "max bytes"),
		Optional:  rapid.Bool().Draw(t, "optional"),
		Prefix:    rapid.SampledFrom([]string{"", "; hint: "}).Draw(t, "prefix"),
		Sensitive: rapid.IntRange(0, 9).Draw(t, "sensitive") == 0,
		Quote:     rapid.Bool().Draw(t, "quote"),
		Layout:    rapid.SampledFrom([]string{"", time.RFC1123Z, time.StampNano}).Draw(t, "layout"),
		Precision: rapid.SampledFrom([]int{0, 1, 3, 2000}).Draw(t, "precision"),
		Round:     rapid.SampledFrom([]time.Duration{0, 1, time.Hour, math.MaxInt64}).Draw(t, "round"),
		Unit:      rapid.SampledFrom([]time.Duration{0, 1, time.Microsecond, time.Hour}).Draw(t, "unit"),
	}
}

func anySegment(t *rapid.T) eventrt.Segment {
	return eventrt.Segment{
		Text:  rapid.SampledFrom([]string{"", " ", "text ", "€", strings.Repeat("long ", 50)}).Draw(t, "text"),
		Value: eventrt.Value(rapid.IntRange(0, int(eventrt.RelatedUID)).Draw(t, "value")),
		Param: rapid.IntRange(0, eventrt.MaxParams).Draw(t, "param"),
	}
}

func anyArg(t *rapid.T) eventrt.Arg {
	text := hostileText(t, "text")
	switch rapid.IntRange(0, 10).Draw(t, "kind") {
	case 0:
		return eventrt.Bool(rapid.Bool().Draw(t, "bool"))
	case 1:
		return eventrt.Int(rapid.Int64().Draw(t, "int"))
	case 2:
		return eventrt.Uint(rapid.Uint64().Draw(t, "uint"))
	case 3:
		return eventrt.Float(math.Float64frombits(rapid.Uint64().Draw(t, "float")))
	case 4:
		return eventrt.Duration(time.Duration(rapid.Int64().Draw(t, "duration")))
	case 5:
		return eventrt.Time(time.Unix(rapid.Int64().Draw(t, "seconds"), rapid.Int64().Draw(t, "nanoseconds")))
	case 6:
		return eventrt.Error(errors.New(text))
	case 7:
		return eventrt.Strings([]string{text, text}, rapid.SampledFrom([]string{"", ", ", "\n", "\xff"}).Draw(t, "separator"))
	case 8:
		return eventrt.Arg{}
	}
	return eventrt.String(text)
}

// hostileText is text of any bytes: short and long, clean and not.
func hostileText(t *rapid.T, label string) string {
	pieces := []string{"a", "word ", "\x00", "\n", "\x7f", "\xff", "\xe2\x82", "\xed\xa0\x80", "\u0085", "\u2028", "€", "😀", `"`, `\`, "{", "}", "%s", "\uFFFD", "…"}
	text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, label), "")
	return strings.Repeat(text, rapid.SampledFrom([]int{1, 1, 1, 40, 1000}).Draw(t, label+" repeated"))
}

func anyObject(t *rapid.T, label string) eventrt.ObjectRef {
	ref := &corev1.ObjectReference{
		APIVersion: hostileText(t, label+" apiVersion"), Kind: hostileText(t, label+" kind"), Namespace: hostileText(t, label+" namespace"),
		Name: hostileText(t, label+" name"), FieldPath: hostileText(t, label+" fieldPath"),
	}
	if rapid.Bool().Draw(t, label+" is nil") {
		ref = nil
	}
	return eventrt.ReferenceOf(ref)
}

// TestPartsOfObjectsAreBounded: the proof of a message's length in the generator relies on these
// bounds.
func TestPartsOfObjectsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 3000)
	o := eventrt.ReferenceOf(&corev1.ObjectReference{APIVersion: "v1", Kind: long, Namespace: long, Name: long, UID: types.UID(long)})
	for i, want := range []int{253, 63, 63, 36, 253, 63, 63, 36} {
		def := plainDefinition()
		def.Message = []eventrt.Segment{{Value: eventrt.RegardingName + eventrt.Value(i)}}
		if e := eventrt.NewEvent(def, o, o); len(e.Message()) != want {
			t.Errorf("value %d: %d bytes shown, want %d", i, len(e.Message()), want)
		}
	}
}
