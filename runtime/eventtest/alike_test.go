package eventtest_test

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/eventtest"
)

var pod = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}

var alike = &runtime.Definition{
	Name: "Alike", Reason: "Alike", Type: runtime.Normal, Subject: runtime.Subject{Regarding: pod}, Related: pod, HasRelated: true, RelatedOptional: true,
	Params: []runtime.Param{{Name: "text"}, {Name: "count"}, {Name: "on"}},
}

func record(related runtime.ObjectRef, args ...runtime.Arg) *eventtest.Fake {
	fake := eventtest.NewFake(nil)
	fake.Recorder().Emit(runtime.NewEvent(alike, runtime.ObjectOf(cronJob("a")), related, args...))
	return fake
}

// failure is what a fake reports.
type failure struct {
	eventtest.TB
	text string
}

func (f *failure) Helper()                           {}
func (f *failure) Errorf(format string, args ...any) { f.text += fmt.Sprintf(format, args...) }

// Values that look alike are shown with their types, and only these.
func TestAlike(t *testing.T) {
	fake := record(runtime.ObjectRef{}, runtime.String("20"), runtime.Int(20), runtime.Bool(true))
	f := &failure{TB: t}
	if fake.To(f).ExpectContains(eventtest.Args(int32(20), "20", runtime.String("true"))) {
		t.Error("values of other types match")
	}
	for _, want := range []string{
		`param text: expected 20 (int32), recorded "20" (string)`,
		`param count: expected "20" (string), recorded 20 (int)`,
		`param on: expected "true" (string), recorded true (bool)`,
	} {
		if !strings.Contains(f.text, want) {
			t.Errorf("%s\nlacks %s", f.text, want)
		}
	}
	f = &failure{TB: t}
	fake.To(f).ExpectContains(eventtest.Args("21", eventtest.Any, eventtest.Any))
	if want := `param text: expected "21", recorded "20"` + "\n"; !strings.Contains(f.text+"\n", want) {
		t.Errorf("%s\nlacks %s", f.text, want)
	}
}

func TestAFakeHasOneOptions(t *testing.T) {
	f := &failure{TB: t}
	eventtest.NewFake(f, eventtest.Options{})
	if f.text != "" {
		t.Error(f.text)
	}
	eventtest.NewFake(f, eventtest.Options{}, eventtest.Options{})
	if want := "expected at most one Options, found 2"; !strings.Contains(f.text, want) {
		t.Errorf("%q lacks %q", f.text, want)
	}
}

func TestNoRelated(t *testing.T) {
	related := runtime.ObjectOf(cronJob("b"))
	args := []runtime.Arg{runtime.String("a"), runtime.Int(1), runtime.Bool(true)}
	if f := (&failure{TB: t}); !record(runtime.ObjectRef{}, args...).To(f).ExpectContains(eventtest.NoRelated) {
		t.Errorf("without a related object: %s", f.text)
	}
	f := &failure{TB: t}
	if record(related, args...).To(f).ExpectContains(eventtest.NoRelated) || !strings.Contains(f.text, "related: expected none, recorded Pod prod/b") {
		t.Errorf("with a related object: %s", f.text)
	}
	f = &failure{TB: t}
	wanted := eventtest.Event{Related: eventtest.Ref(cronJob("b"))}
	if record(runtime.ObjectRef{}, args...).To(f).ExpectContains(wanted) || !strings.Contains(f.text, "related: expected CronJob prod/b, recorded none") {
		t.Errorf("where one is missing: %s", f.text)
	}
}

// Several events are recorded in their order.
func TestEmitSeveral(t *testing.T) {
	fake := eventtest.NewFake(nil)
	var events []runtime.Event
	for _, text := range []string{"a", "b", "c"} {
		events = append(events, runtime.NewEvent(alike, runtime.ObjectOf(cronJob(text)), runtime.ObjectRef{}, runtime.String(text)))
	}
	recorder := fake.Recorder().WithAnnotations(map[string]string{"example.com/a": "b"})
	recorder.Emit(events...)
	recorder.Emit()
	fake.To(t).ExpectExactly(eventtest.Event{Params: map[string]string{"text": "a"}, Annotations: map[string]string{"example.com/a": "b"}},
		eventtest.Event{Params: map[string]string{"text": "b"}}, eventtest.Event{Params: map[string]string{"text": "c"}})
}
