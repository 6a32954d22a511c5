package eventtest_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/eventtest"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
)

func contextWithTimeout(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(t.Context(), d)
}

var (
	one       = cronjobevents.NewSuccessfulCreate(cronJob("nightly"), job("nightly-1"))
	two       = cronjobevents.NewSuccessfulCreate(cronJob("nightly"), job("nightly-2"))
	completed = eventtest.Event{Reason: "SawCompletedJob", Params: map[string]string{"job": "nightly-1"}}
)

func TestExpectationsThatHold(t *testing.T) {
	fake := recorded()
	fake.To(t).ExpectInAnyOrder(completed, one, two)
	fake.To(t).ExpectExactly(one, two, completed)
	fake.To(t).ExpectContains(completed)
	fake.To(t).ExpectContains()
	// A vague expectation leaves the only event that a precise one could have.
	fake.To(t).ExpectInAnyOrder(eventtest.Any, eventtest.Event{Type: "Normal"}, one)
	fake.To(t).ExpectInAnyOrder(eventtest.Event{Reason: "SuccessfulCreate"}, eventtest.Event{Reason: "SuccessfulCreate"}, eventtest.Any)
	eventtest.NewFake(t).ExpectInAnyOrder()
	eventtest.NewFake(t).ExpectNone()
}

func TestDifferencesAreReadable(t *testing.T) {
	three := cronjobevents.NewSuccessfulCreate(cronJob("nightly"), job("nightly-3"))
	tests := []struct {
		name   string
		expect func(*eventtest.Fake, eventtest.TB) bool
		want   string
	}{
		{"one is missing, one too much", func(f *eventtest.Fake, t eventtest.TB) bool { return f.To(t).ExpectInAnyOrder(one, three, completed) }, `
events differ (- expected, + recorded):
  - Normal SuccessfulCreate CronJob prod/nightly (related Job prod/nightly-3) "Created job nightly-3"
      closest: Normal SuccessfulCreate CronJob prod/nightly (related Job prod/nightly-2) "Created job nightly-2"
        message: expected "Created job nightly-3", recorded "Created job nightly-2"
        related.name: expected "nightly-3", recorded "nightly-2"
  + Normal SuccessfulCreate CronJob prod/nightly (related Job prod/nightly-2) "Created job nightly-2"
`},
		{"one too few", func(f *eventtest.Fake, t eventtest.TB) bool { return f.To(t).ExpectInAnyOrder(one, two) }, `
events differ (- expected, + recorded):
  + Normal SawCompletedJob CronJob prod/nightly "Saw completed job: nightly-1, condition: Complete"
`},
		{"one too many", func(f *eventtest.Fake, t eventtest.TB) bool {
			return f.To(t).ExpectInAnyOrder(one, two, completed, completed)
		}, `
events differ (- expected, + recorded):
  - reason SawCompletedJob, param job "nightly-1"
      closest: Normal SawCompletedJob CronJob prod/nightly "Saw completed job: nightly-1, condition: Complete"
        which meets another expectation
`},
		{"another order", func(f *eventtest.Fake, t eventtest.TB) bool { return f.To(t).ExpectExactly(two, one, completed) }, `
events differ (- expected, + recorded):
  - Normal SuccessfulCreate CronJob prod/nightly (related Job prod/nightly-2) "Created job nightly-2"
      closest: Normal SuccessfulCreate CronJob prod/nightly (related Job prod/nightly-2) "Created job nightly-2"
        which was recorded in another place
    Normal SuccessfulCreate CronJob prod/nightly (related Job prod/nightly-1) "Created job nightly-1"
  + Normal SuccessfulCreate CronJob prod/nightly (related Job prod/nightly-2) "Created job nightly-2"
    Normal SawCompletedJob CronJob prod/nightly "Saw completed job: nightly-1, condition: Complete"
`},
		{"missing among others", func(f *eventtest.Fake, t eventtest.TB) bool {
			return f.To(t).ExpectContains(eventtest.All(completed, eventtest.MessageContains("Failed")))
		}, `
events are missing (- expected):
  - reason SawCompletedJob, param job "nightly-1", message with "Failed"
      closest: Normal SawCompletedJob CronJob prod/nightly "Saw completed job: nightly-1, condition: Complete"
        expected message with "Failed", recorded message "Saw completed job: nightly-1, condition: Complete"
`},
		{"every field", func(f *eventtest.Fake, t eventtest.TB) bool {
			return f.To(t).ExpectContains(eventtest.All(eventtest.Event{Name: "N", Type: "Warning", Reason: "R", Action: "A", Message: "M",
				Regarding:           corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "n", Name: "p", UID: "u", FieldPath: "f", ResourceVersion: "9"},
				Related:             corev1.ObjectReference{Kind: "Node", Name: "n"},
				ReportingController: "c", Params: map[string]string{"job": "j", "none": ""}, Annotations: map[string]string{"a": "b"}, Labels: map[string]string{"l": "m"},
				Time: time.Unix(0, 0).UTC()}, eventtest.Func("an event of the night", func(eventtest.Event) bool { return true })))
		}, ""},
	}
	for _, tt := range tests {
		var got tester
		if tt.expect(recorded(), &got) {
			t.Errorf("%s: holds", tt.name)
		}
		if tt.want == "" {
			checkEveryField(t, got.text)
			continue
		}
		if diff := cmp.Diff(strings.TrimPrefix(tt.want, "\n"), got.text); diff != "" {
			t.Errorf("%s (- expected, + said):\n%s", tt.name, diff)
		}
	}
}

// The closest event is of the same method, even if another one differs in fewer fields, and has the
// fewest other params.
func TestTheClosestIsOfTheSameMethod(t *testing.T) {
	var got tester
	fake := eventtest.NewFake(&got)
	rec := cronjobevents.NewRecorder(fake.Recorder())
	rec.JobAlreadyActive(cronJob("nightly"))
	rec.SawCompletedJob(cronJob("other"), "nightly-2", batchv1.JobFailed)
	rec.SawCompletedJob(cronJob("other"), "nightly-1", batchv1.JobFailed)
	rec.SawCompletedJob(cronJob("nightly"), "nightly-3", batchv1.JobFailed)
	fake.ExpectContains(cronjobevents.NewSawCompletedJob(cronJob("nightly"), "nightly-1", batchv1.JobComplete))
	if want := `closest: Normal SawCompletedJob CronJob prod/other "Saw completed job: nightly-1, condition: Failed"`; !strings.Contains(got.text, want) {
		t.Errorf("said %s\nwant %s", got.text, want)
	}
}

func TestWhatIsNoExpectation(t *testing.T) {
	var got tester
	if recorded().To(&got).ExpectContains("SawCompletedJob") || !strings.Contains(got.text, "a string, which is no expectation: expected an event") {
		t.Errorf("said %s", got.text)
	}
	got = tester{}
	if recorded().To(&got).ExpectNone() || strings.Count(got.text, "\n  + ") != 3 {
		t.Errorf("said %s", got.text)
	}
}

func checkEveryField(t *testing.T, text string) {
	t.Helper()
	for _, field := range []string{"name", "type", "reason", "action", "message", "regarding.apiVersion", "regarding.kind", "regarding.namespace",
		"regarding.name", "regarding.uid", "regarding.fieldPath", "regarding.resourceVersion", "related", "controller",
		"param job", "param none", "annotation a", "label l", "time"} {
		if !strings.Contains(text, "\n        "+field+": expected ") {
			t.Errorf("no difference in %s: %s", field, text)
		}
	}
}

func TestSameMeansAllThatAConstructorSays(t *testing.T) {
	withRelated := eventrt.NewEvent(&eventrt.Definition{Reason: "Seen", HasRelated: true, RelatedOptional: true}, eventrt.ReferenceOf(&corev1.ObjectReference{Kind: "Pod", Name: "p"}),
		eventrt.ReferenceOf(&corev1.ObjectReference{Kind: "Node", Name: "n"}))
	without := eventrt.NewEvent(withRelated.Definition(), *withRelated.Regarding(), eventrt.ObjectRef{})
	fake := eventtest.NewFake(nil)
	fake.Publish(withRelated)
	fake.To(t).ExpectInAnyOrder(withRelated)
	var got tester
	if fake.To(&got).ExpectInAnyOrder(without); !strings.Contains(got.text, "related: expected none, recorded Node n") {
		t.Errorf("said %s", got.text)
	}
	got = tester{}
	if fake.To(&got).ExpectInAnyOrder(cronjobevents.NewJobAlreadyActive(nil)); !strings.Contains(got.text, "can't be recorded: the regarding object is nil") {
		t.Errorf("said %s", got.text)
	}
	fake.Reset()
	fake.Publish(eventrt.NewEvent(&eventrt.Definition{Reason: "Seen", Message: []eventrt.Segment{{Text: "text"}}}, *withRelated.Regarding(), eventrt.ObjectRef{}))
	got = tester{}
	if fake.To(&got).ExpectInAnyOrder(without); !strings.Contains(got.text, `message: expected "", recorded "text"`) {
		t.Errorf("said %s", got.text)
	}
}

type phase string

type stringer struct{}

func (stringer) String() string { return "shown" }

// size shows itself by its address only.
type size int

func (s *size) String() string { return [...]string{"small", "large"}[*s] }

func TestArgsOfEveryType(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("", 3600))
	tests := []struct {
		name  string
		param eventrt.Param
		arg   eventrt.Arg
		same  []any
		other []any
	}{
		{"string", eventrt.Param{}, eventrt.String("a"), []any{"a", phase("a"), eventrt.String("a"), eventtest.Any}, []any{"b", nil, 1, []string{"a", "b"}}},
		{"quoted", eventrt.Param{Quote: true}, eventrt.String("a\"b"), []any{"a\"b"}, []any{"ab"}},
		{"cut", eventrt.Param{MaxBytes: 8}, eventrt.String("a long text"), []any{"a long text", "a long time"}, []any{"a short text"}},
		{"cleaned", eventrt.Param{}, eventrt.String("a\nb"), []any{"a\nb", "a b"}, []any{"ab"}},
		{"sensitive", eventrt.Param{Sensitive: true}, eventrt.String("a"), []any{"a", "b"}, nil},
		{"bool", eventrt.Param{}, eventrt.Bool(true), []any{true}, []any{false, 1}},
		{"int", eventrt.Param{}, eventrt.Int(int32(-3)), []any{-3, int64(-3)}, []any{3, "-3"}},
		{"uint", eventrt.Param{}, eventrt.Uint(uint32(3)), []any{3, uint(3)}, []any{-3, 4.0}},
		{"float", eventrt.Param{Precision: 2}, eventrt.Float(2.0), []any{2, 2.0, float32(2), uint(2)}, []any{2.04}},
		{"duration", eventrt.Param{Unit: time.Second}, eventrt.Duration(time.Minute), []any{time.Minute}, []any{time.Second, 60}},
		{"time", eventrt.Param{}, eventrt.Time(at), []any{at, at.UTC()}, []any{at.Add(1)}},
		{"error", eventrt.Param{}, eventrt.Error(errors.New("no")), []any{errors.New("no"), "no"}, []any{errors.New("yes"), nil}},
		{"nil error", eventrt.Param{Optional: true}, eventrt.Error(nil), []any{nil}, []any{errors.New("no")}},
		{"stringer", eventrt.Param{}, eventrt.Stringer(stringer{}), []any{stringer{}, "shown"}, []any{"hidden"}},
		{"stringer by address", eventrt.Param{}, eventrt.Stringer(new(size)), []any{size(0), new(size), "small"}, []any{size(1), 0}},
		{"namespaced name", eventrt.Param{}, eventrt.NamespacedName(types.NamespacedName{Namespace: "n", Name: "m"}),
			[]any{types.NamespacedName{Namespace: "n", Name: "m"}, "n/m"}, []any{types.NamespacedName{Name: "m"}}},
		{"quantity", eventrt.Param{}, eventrt.Quantity(resource.MustParse("2Gi")), []any{resource.MustParse("2Gi")}, []any{resource.MustParse("2G")}},
		{"object", eventrt.Param{}, eventrt.ObjectName(job("j")), []any{job("j"), "Job/j"}, []any{job("k")}},
		{"list", eventrt.Param{}, eventrt.Strings([]string{"a", "b"}, ", "), []any{[]string{"a", "b"}}, []any{[]string{"a"}}},
		{"list with another separator", eventrt.Param{}, eventrt.Strings([]string{"a", "b"}, ";"),
			[]any{eventrt.Strings([]string{"a", "b"}, ";"), eventtest.Joined([]string{"a", "b"}, ";"), eventtest.Joined(eventtest.Any, ";")},
			[]any{[]string{"a", "b"}, eventtest.Joined([]string{"a", "b"}, "; "), eventtest.Joined(nil, ";")}},
	}
	for _, tt := range tests {
		tt.param.Name = "p"
		def := &eventrt.Definition{Reason: "Seen", Params: []eventrt.Param{tt.param}, Message: []eventrt.Segment{{Value: eventrt.ParamValue}}}
		fake := eventtest.NewFake(nil)
		fake.Publish(eventrt.NewEvent(def, eventrt.ReferenceOf(&corev1.ObjectReference{Kind: "Pod", Name: "p"}), eventrt.ObjectRef{}, tt.arg))
		for _, v := range tt.same {
			var got tester
			if !fake.To(&got).ExpectInAnyOrder(eventtest.Args(v)) {
				t.Errorf("%s, %T %v: %s", tt.name, v, v, got.text)
			}
		}
		for _, v := range tt.other {
			var got tester
			if fake.To(&got).ExpectInAnyOrder(eventtest.Args(v)) || !strings.Contains(got.text, "param p: expected ") {
				t.Errorf("%s, %T %v: %s", tt.name, v, v, got.text)
			}
		}
	}
}

func TestExpectationsAreNamed(t *testing.T) {
	tests := map[string]eventtest.Matcher{
		"any":                   eventtest.Any,
		"any event":             eventtest.Event{},
		`args (any, "a")`:       eventtest.ArgsOrAny(nil, "a"),
		`args ("large", "a;b")`: eventtest.Args(size(1), eventtest.Joined([]string{"a", "b"}, ";")),
		`args (any, nil, 3, true, "a", "b", "a, b", "1h0m0s")`: eventtest.Args(eventtest.Any, nil, 3, true, "a", phase("b"),
			eventrt.Strings([]string{"a", "b"}, ", "), time.Hour),
		"type Warning, regarding Pod prod/web:spec, related Node n, annotation a \"b\", label l \"m\"": eventtest.Event{Type: "Warning",
			Regarding: corev1.ObjectReference{Kind: "Pod", Namespace: "prod", Name: "web", FieldPath: "spec"},
			Related:   corev1.ObjectReference{Kind: "Node", Name: "n"}, Annotations: map[string]string{"a": "b"}, Labels: map[string]string{"l": "m"}},
	}
	for want, m := range tests {
		if got := m.String(); got != want {
			t.Errorf("found %s, expected %s", got, want)
		}
	}
}

func TestTheClosestMayMeetAnExpectationOfAnother(t *testing.T) {
	var got tester
	recorded().To(&got).ExpectContains(completed, one, two, eventtest.Event{Name: "SawCompletedJob", Message: "another"})
	if !strings.Contains(got.text, `closest: Normal SawCompletedJob`) || !strings.Contains(got.text, `message: expected "another"`) {
		t.Errorf("said %s", got.text)
	}
}

func TestNothingIsClosestToNothing(t *testing.T) {
	var got tester
	eventtest.NewFake(nil).To(&got).ExpectInAnyOrder(completed)
	if want := "events differ (- expected, + recorded):\n  - reason SawCompletedJob, param job \"nightly-1\"\n"; got.text != want {
		t.Errorf("said %q", got.text)
	}
}

func TestArgsOfAnotherNumber(t *testing.T) {
	var got tester
	if recorded().To(&got).ExpectContains(eventtest.Args(batchv1.JobComplete)) {
		t.Error("holds")
	}
	if !strings.Contains(got.text, `args ("Complete")`) || !strings.Contains(got.text, "expected 1 arguments, recorded 0") {
		t.Errorf("said %s", got.text)
	}
}

// A nil value in ArgsOrAny matches any, while Args takes it for a nil error.
func TestArgsOrAny(t *testing.T) {
	fake := record(eventrt.ObjectRef{}, eventrt.String("a"), eventrt.Int(1), eventrt.Bool(true))
	fake.To(t).ExpectContains(eventtest.ArgsOrAny(nil, 1, nil))
	var got tester
	values := []any{nil, 2, nil}
	if fake.To(&got).ExpectContains(eventtest.ArgsOrAny(values...)) || !strings.Contains(got.text, "param count: expected 2, recorded \"1\"") {
		t.Errorf("another value: said %s", got.text)
	}
	if values[0] != nil {
		t.Error("the caller's values changed")
	}
	if fake.To(&tester{}).ExpectContains(eventtest.Args(nil, 1, true)) {
		t.Error("Args takes nil for any")
	}
}

// References match any version of an object; of a nil object only the kind is left, if a catalog
// declares one.
func TestReferences(t *testing.T) {
	web := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "web", UID: "u", ResourceVersion: "7"}}
	full := corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: "web", UID: "u"}
	other := full
	other.APIVersion, other.Kind = "example.com/v1", "Web"
	for name, c := range map[string]struct{ got, want corev1.ObjectReference }{
		"Ref":                   {eventtest.Ref(web), full},
		"Ref of nil":            {eventtest.Ref((*corev1.Pod)(nil)), corev1.ObjectReference{}},
		"RefAs":                 {eventtest.RefAs(web, "example.com/v1", "Web"), other},
		"RefAs of nil":          {eventtest.RefAs((*corev1.Pod)(nil), "v1", "Pod"), corev1.ObjectReference{APIVersion: "v1", Kind: "Pod"}},
		"RefAny":                {eventtest.RefAny(web), full},
		"RefAny of nil":         {eventtest.RefAny(nil), corev1.ObjectReference{}},
		"RefAny of a typed nil": {eventtest.RefAny((*corev1.Pod)(nil)), corev1.ObjectReference{}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, expected %+v", name, c.got, c.want)
		}
	}
}

// OnEach leaves nil objects out, and expects one event about any object if all are nil.
func TestOnEach(t *testing.T) {
	none := eventtest.RefAs((*corev1.Pod)(nil), "v1", "Pod")
	one := eventtest.RefAs(cronJob("a"), "v1", "Pod")
	want := eventtest.Event{Reason: "Alike"}
	about := want
	about.Regarding = one
	for name, c := range map[string]struct {
		objects []corev1.ObjectReference
		want    []eventtest.Matcher
	}{
		"two":       {[]corev1.ObjectReference{one, one}, []eventtest.Matcher{about, about}},
		"one nil":   {[]corev1.ObjectReference{none, one, {}}, []eventtest.Matcher{about}},
		"all nil":   {[]corev1.ObjectReference{none, {}}, []eventtest.Matcher{want}},
		"no object": {nil, []eventtest.Matcher{want}},
	} {
		if got := eventtest.OnEach(want, nil, c.objects...); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, expected %v", name, got, c.want)
		}
	}
}
