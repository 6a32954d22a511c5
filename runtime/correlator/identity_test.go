package correlator

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/sink"
)

// facts holds the fields of an event.
type facts struct {
	def         *eventrt.Definition
	regarding   corev1.ObjectReference
	related     corev1.ObjectReference
	args        []eventrt.Arg
	controller  string
	annotations map[string]string
}

// twoArgs has two params that count, and one that is merged.
var twoArgs = func() *eventrt.Definition {
	def := testDefinition("Started", eventrt.Normal)
	def.Params = []eventrt.Param{{Name: "a"}, {Name: "b"}, {Name: "merged"}}
	def.HasRelated, def.RelatedOptional = true, true
	def.Correlation.Merged = 1 << 2
	return def
}()

func base() facts {
	return facts{
		def:        twoArgs,
		regarding:  corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: "prod", Name: "job", FieldPath: "spec.a"},
		related:    corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Namespace: "prod", Name: "node"},
		args:       []eventrt.Arg{eventrt.String("x"), eventrt.String("y"), eventrt.Int(1)},
		controller: "example.com/c",
	}
}

func (f facts) event() eventrt.Event {
	related := eventrt.ObjectRef{}
	if f.related != (corev1.ObjectReference{}) {
		related = refer(f.related)
	}
	sent := capture{}
	r := eventrt.NewRecorder(&sent)
	if f.controller != "" {
		r = r.WithReportingController(f.controller)
	}
	r.WithAnnotations(f.annotations).Emit(eventrt.NewEvent(f.def, refer(f.regarding), related, f.args...))
	return sent.e
}

// withUID gives both events one UID.
func withUID(f *facts) { f.regarding.UID, f.related.UID = "u-1", "u-2" }

func forwardedFacts(f *facts) {
	f.def, f.args, f.related = forwardedDefinition("Reason", "Action", eventrt.Normal), f.args[:1], corev1.ObjectReference{}
}

func forwardedDefinition(reason, action, eventType string) *eventrt.Definition {
	def := testDefinition(reason, eventType)
	def.Action, def.Forwarded = action, true
	return def
}

func TestWhatMakesAnIdentity(t *testing.T) {
	other := *twoArgs
	with := func(changes ...func(*facts)) func(*facts) {
		return func(f *facts) {
			for _, change := range changes {
				change(f)
			}
		}
	}
	tests := []struct {
		name   string
		common func(*facts) // made to both events
		change func(*facts) // made to the second
		same   bool
	}{
		{"nothing", nil, with(), true},
		{"group", nil, func(f *facts) { f.regarding.APIVersion = "example.com/v1" }, false},
		{"the core group", nil, func(f *facts) { f.regarding.APIVersion = "v1" }, false},
		{"version", nil, func(f *facts) { f.regarding.APIVersion = "batch/v1beta1" }, true},
		{"kind", nil, func(f *facts) { f.regarding.Kind = "CronJob" }, false},
		{"namespace", nil, func(f *facts) { f.regarding.Namespace = "test" }, false},
		{"name", nil, func(f *facts) { f.regarding.Name = "jobs" }, false},
		{"UID", withUID, func(f *facts) { f.regarding.UID = "u-3" }, false},
		{"no UID", withUID, func(f *facts) { f.regarding.UID = "" }, false},
		{"group, with UID", withUID, func(f *facts) { f.regarding.APIVersion = "example.com/v1" }, true},
		{"name, with UID", withUID, func(f *facts) { f.regarding.Name = "jobs" }, false},
		{"resourceVersion", nil, func(f *facts) { f.regarding.ResourceVersion = "8" }, true},
		{"fieldPath", nil, func(f *facts) { f.regarding.FieldPath = "spec.b" }, false},
		{"no fieldPath", nil, func(f *facts) { f.regarding.FieldPath = "" }, false},
		{"related group", nil, func(f *facts) { f.related.APIVersion = "example.com/v1" }, false},
		{"related version", nil, func(f *facts) { f.related.APIVersion = "v2" }, true},
		{"related group, with UID", withUID, func(f *facts) { f.related.APIVersion = "example.com/v1" }, true},
		{"related kind", nil, func(f *facts) { f.related.Kind = "Pod" }, false},
		{"related namespace", nil, func(f *facts) { f.related.Namespace = "test" }, false},
		{"related name", nil, func(f *facts) { f.related.Name = "nodes" }, false},
		{"related UID", withUID, func(f *facts) { f.related.UID = "u-3" }, false},
		{"related fieldPath", nil, func(f *facts) { f.related.FieldPath = "spec.b" }, false},
		{"related resourceVersion", nil, func(f *facts) { f.related.ResourceVersion = "8" }, true},
		{"no related object", nil, func(f *facts) { f.related = corev1.ObjectReference{} }, false},
		{"regarding and related exchanged", nil, func(f *facts) { f.regarding, f.related = f.related, f.regarding }, false},
		{"definition of equal content", nil, func(f *facts) { f.def = &other }, true},
		{"controller", nil, func(f *facts) { f.controller = "example.com/d" }, false},
		{"no controller", nil, func(f *facts) { f.controller = "" }, false},
		{"annotations", nil, func(f *facts) { f.annotations = map[string]string{"a": "b"} }, true},
		{"first argument", nil, func(f *facts) { f.args[0] = eventrt.String("z") }, false},
		{"second argument", nil, func(f *facts) { f.args[1] = eventrt.String("z") }, false},
		{"merged argument", nil, func(f *facts) { f.args[2] = eventrt.Int(2) }, true},
		{"arguments exchanged", nil, func(f *facts) { f.args[0], f.args[1] = f.args[1], f.args[0] }, false},
		{"arguments split elsewhere", func(f *facts) { f.args[0], f.args[1] = eventrt.String("Ab"), eventrt.String("c") },
			func(f *facts) { f.args[0], f.args[1] = eventrt.String("A"), eventrt.String("bc") }, false},
		{"an argument of another type", func(f *facts) { f.args[0] = eventrt.Int(1) }, func(f *facts) { f.args[0] = eventrt.Uint(uint(1)) }, false},
		{"an absent argument", func(f *facts) { f.args[0] = eventrt.String("") }, func(f *facts) { f.args = nil }, false},
		{"one instant in two places", func(f *facts) { f.args[0] = eventrt.Time(time.Unix(5, 0).UTC()) },
			func(f *facts) { f.args[0] = eventrt.Time(time.Unix(5, 0).In(time.FixedZone("", 3600))) }, true},
		{"an instant a nanosecond later", func(f *facts) { f.args[0] = eventrt.Time(time.Unix(5, 0)) },
			func(f *facts) { f.args[0] = eventrt.Time(time.Unix(5, 1)) }, false},
		{"what is no number", func(f *facts) { f.args[0] = eventrt.Float(math.NaN()) }, func(*facts) {}, true},
		{"names split elsewhere", func(f *facts) { f.regarding.Namespace, f.regarding.Name = "ab", "c" },
			func(f *facts) { f.regarding.Namespace, f.regarding.Name = "a", "bc" }, false},

		{"forwarded: equal content", forwardedFacts, func(f *facts) { f.def = forwardedDefinition("Reason", "Action", eventrt.Normal) }, true},
		{"forwarded, and of a catalog", forwardedFacts, func(f *facts) {
			f.def = forwardedDefinition("Reason", "Action", eventrt.Normal)
			f.def.Forwarded = false
		}, true},
		{"forwarded: reason", forwardedFacts, func(f *facts) { f.def = forwardedDefinition("Reasons", "Action", eventrt.Normal) }, false},
		{"forwarded: action", forwardedFacts, func(f *facts) { f.def = forwardedDefinition("Reason", "Actions", eventrt.Normal) }, false},
		{"forwarded: type", forwardedFacts, func(f *facts) { f.def = forwardedDefinition("Reason", "Action", eventrt.Warning) }, false},
		{"forwarded: message", forwardedFacts, func(f *facts) { f.args = []eventrt.Arg{eventrt.String("z")} }, false},
		{"forwarded: reason and message split elsewhere", with(forwardedFacts, func(f *facts) {
			f.def, f.args = forwardedDefinition("Ab", "x", eventrt.Normal), []eventrt.Arg{eventrt.String("c")}
		}), func(f *facts) {
			f.def, f.args = forwardedDefinition("A", "x", eventrt.Normal), []eventrt.Arg{eventrt.String("bc")}
		}, false},
		{"forwarded: reason and action split elsewhere", with(forwardedFacts, func(f *facts) { f.def = forwardedDefinition("Ab", "c", eventrt.Normal) }),
			func(f *facts) { f.def = forwardedDefinition("A", "bc", eventrt.Normal) }, false},
	}
	for _, tt := range tests {
		for mask, hashes := range map[uint64]string{math.MaxUint64: "", 0: ", all hashes equal"} {
			t.Run(tt.name+hashes, func(t *testing.T) {
				first, second := base(), base()
				if tt.common != nil {
					tt.common(&first)
					tt.common(&second)
				}
				tt.change(&second)
				r := newRig(t, Options{Burst: -1})
				r.c.hashMask = mask
				r.record(first.event(), second.event(), first.event())
				want := 2
				if tt.same {
					want = 1
				}
				if got := r.c.Stats().Identities; got != want {
					t.Errorf("%d identities, want %d", got, want)
				}
				writes, names := r.writeAll(), map[string]bool{}
				for i := range writes {
					names[writes[i].Name] = true
				}
				if len(writes) != want || len(names) != want {
					t.Errorf("%d writes of %d names, want %d", len(writes), len(names), want)
				}
				if a, b := nameAfter(t, first), nameAfter(t, second); (a == b) != tt.same {
					t.Errorf("two processes name them %s and %s", a, b)
				}
			})
		}
	}
}

// nameAfter is the name that a new process gives an event.
func nameAfter(t *testing.T, f facts) string {
	t.Helper()
	r := newRig(t, Options{}, writerOptions{Tag: 1})
	r.record(f.event())
	return r.next().Name
}

// TestNoFieldMakesLookUpsLong: events that differ in one field of their identity have different
// hashes, and so have their objects and groups.
func TestNoFieldMakesLookUpsLong(t *testing.T) {
	forwarded := func(change func(*eventrt.Definition, string)) func(*facts, string) {
		return func(f *facts, s string) {
			def := *twoArgs
			def.Forwarded = true
			change(&def, s)
			f.def = &def
		}
	}
	for name, differ := range map[string]func(f *facts, s string){
		"name, one UID":        func(f *facts, s string) { f.regarding.UID, f.regarding.Name = "u", s },
		"UID":                  func(f *facts, s string) { f.regarding.UID = types.UID(s) },
		"namespace":            func(f *facts, s string) { f.regarding.Namespace = s },
		"kind":                 func(f *facts, s string) { f.regarding.Kind = s },
		"group":                func(f *facts, s string) { f.regarding.APIVersion = s + "/v1" },
		"field path":           func(f *facts, s string) { f.regarding.FieldPath = s },
		"related name":         func(f *facts, s string) { f.related.Name = s },
		"related UID":          func(f *facts, s string) { f.related.UID = types.UID(s) },
		"related namespace":    func(f *facts, s string) { f.related.Namespace = s },
		"related kind":         func(f *facts, s string) { f.related.Kind = s },
		"related field path":   func(f *facts, s string) { f.related.FieldPath = s },
		"argument":             func(f *facts, s string) { f.args[1] = eventrt.String(s) },
		"controller":           func(f *facts, s string) { f.controller = "example.com/" + s },
		"forwarded reason":     forwarded(func(d *eventrt.Definition, s string) { d.Reason = s }),
		"forwarded action":     forwarded(func(d *eventrt.Definition, s string) { d.Action = s }),
		"forwarded controller": forwarded(func(d *eventrt.Definition, s string) { d.ReportingController = s }),
	} {
		c := newRig(t, Options{Burst: -1}).c
		groups := map[*group]bool{}
		for n := range 300 {
			f := base()
			differ(&f, fmt.Sprint("a", n))
			e := f.event()
			c.Observe(&e, clock.Instant{})
			groups[c.all[len(c.all)-1].group] = true
		}
		if len(c.all) != 300 || c.records.Hashes() < 298 || c.objects.Hashes() < c.objectCount-2 {
			t.Errorf("%s: %d events of %d objects and %d groups have %d and %d hashes", name,
				len(c.all), c.objectCount, len(groups), c.records.Hashes(), c.objects.Hashes())
		}
	}
}

func TestResourceVersionsAreNumbers(t *testing.T) {
	for given, want := range map[string]string{
		"": "", "0": "", "7": "7", "007": "7", "9999999999999999999": "9999999999999999999", "18446744073709551616": "",
		"-1": "", "+1": "", "1a": "", "abc": "", " 1": "", "1e5": "", "\xff": "", "٣": "",
	} {
		r := newRig(t, Options{})
		f := base()
		f.regarding.ResourceVersion = given
		r.record(f.event())
		if got := r.next().Regarding.ResourceVersion; got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

// labelledEvent is an event about an object with labels, of a recorder with labels.
func labelledEvent(def *eventrt.Definition, ofObject, ofRecorder map[string]string) eventrt.Event {
	sent := capture{}
	object := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "job", UID: "u", Labels: ofObject}}
	eventrt.NewRecorder(&sent).WithLabels(ofRecorder).EmitNew(def, eventrt.AnyObject(object), eventrt.ObjectRef{}, eventrt.String("text"))
	return sent.e
}

// TestTheCreateSetsLabels: those of the first occurrence stay, also when the event is created anew.
func TestTheCreateSetsLabels(t *testing.T) {
	def := testDefinition("Started", eventrt.Normal)
	def.Labels = []eventrt.AnnotationDefinition{{Key: "app"}, {Key: "team", Value: []eventrt.Segment{{Text: "storage"}}}, {Key: "zone"}}
	r := newRig(t, Options{})
	r.record(labelledEvent(def, map[string]string{"app": "first", "zone": "no value"}, map[string]string{"x": "y", "a b": "c"}))
	r.record(labelledEvent(def, map[string]string{"app": "second", "zone": "a"}, nil))
	want := []eventrt.Annotation{{Key: "app", Value: "first"}, {Key: "team", Value: "storage"}, {Key: "x", Value: "y"}}
	w := r.next()
	if diff := cmp.Diff(want, w.Labels); diff != "" || r.c.Stats().LabelsLeftOut != 2 {
		t.Errorf("%d labels left out\n%s", r.c.Stats().LabelsLeftOut, diff)
	}
	if notices := r.c.Notices(); len(notices) != 1 || notices[0].Type != notice.LabelLeftOut || notices[0].Label != "zone" {
		t.Errorf("%+v", notices)
	}
	r.done(w, sink.Answer{Outcome: sink.Done, ResourceVersion: 5})
	r.record(labelledEvent(def, nil, nil))
	update := r.nextIn(time.Second)
	if update.Operation != sink.Update || len(update.Labels) > 0 {
		t.Errorf("an update sends the labels %v", update.Labels)
	}
	r.done(update, sink.Answer{Outcome: sink.Gone})
	if w = r.next(); w.Operation != sink.Create || !slices.Equal(want, w.Labels) {
		t.Errorf("%v of labels %v", w.Operation, w.Labels)
	}
}

// TestLabelsCountAsMemory: a record with labels holds what they take. Constants take nothing.
func TestLabelsCountAsMemory(t *testing.T) {
	plain, constant, copies := testDefinition("A", eventrt.Normal), testDefinition("A", eventrt.Normal), testDefinition("A", eventrt.Normal)
	constant.Labels = []eventrt.AnnotationDefinition{{Key: "team", Value: []eventrt.Segment{{Text: "storage"}}}}
	copies.Labels = []eventrt.AnnotationDefinition{{Key: "app"}}
	bytes := func(def *eventrt.Definition) int64 {
		r := newRig(t, Options{})
		r.record(labelledEvent(def, map[string]string{"app": "shop"}, nil))
		return r.c.Stats().Bytes
	}
	want := moreBytes + annotationBytes + textSize("app", "shop")
	if none, grown := bytes(constant)-bytes(plain), bytes(copies)-bytes(plain); none != 0 || grown != want {
		t.Errorf("a constant takes %d bytes, a copied label %d, want 0 and %d", none, grown, want)
	}
}

func TestTheFirstWritesAnnotationsStay(t *testing.T) {
	r := newRig(t, Options{})
	f := base()
	f.annotations = map[string]string{"a": "first"}
	r.record(f.event())
	f.annotations = map[string]string{"a": "second", "b": "second"}
	r.record(f.event())
	if w := r.next(); len(w.Annotations) != 2 || w.Annotations[0].Value != "first" {
		t.Errorf("%v", w.Annotations)
	}
}
