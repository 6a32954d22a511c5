package eventtest_test

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/eventtest"
)

var pod = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}

var alike = &eventrt.Definition{
	Name: "Alike", Reason: "Alike", Type: eventrt.Normal, Subject: eventrt.Subject{Regarding: pod}, Related: pod, HasRelated: true, RelatedOptional: true,
	Params: []eventrt.Param{{Name: "text"}, {Name: "count"}, {Name: "on"}},
}

func record(related eventrt.ObjectRef, args ...eventrt.Arg) *eventtest.Fake {
	fake := eventtest.NewFake(nil)
	fake.Recorder().Emit(eventrt.NewEvent(alike, eventrt.ObjectOf(cronJob("a")), related, args...))
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
	fake := record(eventrt.ObjectRef{}, eventrt.String("20"), eventrt.Int(20), eventrt.Bool(true))
	f := &failure{TB: t}
	if fake.To(f).ExpectContains(eventtest.Args(int32(20), "20", eventrt.String("true"))) {
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
	related := eventrt.ObjectOf(cronJob("b"))
	args := []eventrt.Arg{eventrt.String("a"), eventrt.Int(1), eventrt.Bool(true)}
	if f := (&failure{TB: t}); !record(eventrt.ObjectRef{}, args...).To(f).ExpectContains(eventtest.NoRelated) {
		t.Errorf("without a related object: %s", f.text)
	}
	f := &failure{TB: t}
	if record(related, args...).To(f).ExpectContains(eventtest.NoRelated) || !strings.Contains(f.text, "related: expected none, recorded Pod prod/b") {
		t.Errorf("with a related object: %s", f.text)
	}
	f = &failure{TB: t}
	wanted := eventtest.Event{Related: eventtest.Ref(cronJob("b"))}
	if record(eventrt.ObjectRef{}, args...).To(f).ExpectContains(wanted) || !strings.Contains(f.text, "related: expected CronJob prod/b, recorded none") {
		t.Errorf("where one is missing: %s", f.text)
	}
}

// Several events are recorded in their order.
func TestEmitSeveral(t *testing.T) {
	fake := eventtest.NewFake(nil)
	var events []eventrt.Event
	for _, text := range []string{"a", "b", "c"} {
		events = append(events, eventrt.NewEvent(alike, eventrt.ObjectOf(cronJob(text)), eventrt.ObjectRef{}, eventrt.String(text)))
	}
	recorder := fake.Recorder().WithAnnotations(map[string]string{"example.com/a": "b"})
	recorder.Emit(events...)
	recorder.Emit()
	fake.To(t).ExpectExactly(eventtest.Event{Params: map[string]string{"text": "a"}, Annotations: map[string]string{"example.com/a": "b"}},
		eventtest.Event{Params: map[string]string{"text": "b"}}, eventtest.Event{Params: map[string]string{"text": "c"}})
}
