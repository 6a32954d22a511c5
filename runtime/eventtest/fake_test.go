package eventtest_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/eventtest"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
)

func TestEventsAreShownAsData(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := eventtest.NewFake(nil)
		rec := cronjobevents.NewRecorder(fake.Recorder().WithAnnotations(map[string]string{"example.com/trace": "7"}).WithLabels(map[string]string{"run": "7"}))
		rec.SawCompletedJob(cronJob("nightly"), "nightly-1", batchv1.JobComplete)
		rec.At(time.Unix(9, 0)).SuccessfulCreate(cronJob("nightly"), job("nightly-2"))
		want := []eventtest.Event{
			{
				Name: "SawCompletedJob", Type: "Normal", Reason: "SawCompletedJob", Action: "SawCompletedJob",
				Message: "Saw completed job: nightly-1, condition: Complete",
				Regarding: corev1.ObjectReference{APIVersion: "batch/v1", Kind: "CronJob", Namespace: "prod", Name: "nightly",
					UID: "u-1", ResourceVersion: "7"},
				ReportingController: "cronjob-controller",
				Params:              map[string]string{"job": "nightly-1", "condition": "Complete"},
				Annotations:         map[string]string{"example.com/trace": "7"},
				Labels:              map[string]string{"run": "7"},
				Time:                time.Now(),
			},
			{
				Name: "SuccessfulCreate", Type: "Normal", Reason: "SuccessfulCreate", Action: "SuccessfulCreate",
				Message: "Created job nightly-2",
				Regarding: corev1.ObjectReference{APIVersion: "batch/v1", Kind: "CronJob", Namespace: "prod", Name: "nightly",
					UID: "u-1", ResourceVersion: "7"},
				Related:             corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: "prod", Name: "nightly-2"},
				ReportingController: "cronjob-controller",
				Annotations:         map[string]string{"example.com/trace": "7"},
				Labels:              map[string]string{"run": "7"},
				Time:                time.Unix(9, 0),
			},
		}
		if diff := cmp.Diff(want, fake.Events()); diff != "" {
			t.Errorf("(- expected, + recorded):\n%s", diff)
		}
	})
}

var seen = &eventrt.Definition{Name: "Seen", Reason: "Seen", Action: "See", Type: eventrt.Normal, Message: []eventrt.Segment{{Text: "seen"}}}

func seenEvent(obj k8sruntime.Object) eventrt.Event {
	return eventrt.NewEvent(seen, eventrt.AnyObject(obj), eventrt.ObjectRef{})
}

func TestObjectsOfEveryForm(t *testing.T) {
	widget := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Widget",
		"metadata": map[string]any{"namespace": "prod", "name": "w", "uid": "u-2"}}}
	container := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: "web", FieldPath: "spec.containers{app}"}
	fake := eventtest.NewFake(nil)
	for _, obj := range []k8sruntime.Object{widget, container, job("plain")} {
		fake.Recorder().Emit(seenEvent(obj))
	}
	fake.Recorder().Forward(widget, "Warning", "Odd", "", "100%")
	fake.To(t).ExpectExactly(eventtest.Event{Regarding: eventtest.Ref(widget)},
		eventtest.Event{Regarding: *container},
		// the Go type's name
		eventtest.Event{Regarding: corev1.ObjectReference{Kind: "Job", Name: "plain"}},
		eventtest.Event{Type: "Warning", Reason: "Odd", Action: "Odd", Message: "100%", Regarding: eventtest.Ref(widget)},
	)
	if got := fake.Events()[0].Regarding; got.Kind != "Widget" || got.APIVersion != "example.com/v1" || got.UID != "u-2" {
		t.Errorf("regarding %+v", got)
	}
}

// unknown is an object whose kind only a scheme can tell.
type unknown struct{ batchv1.Job }

type known struct{ batchv1.Job }

func TestASchemeTellsTheKind(t *testing.T) {
	scheme := k8sruntime.NewScheme()
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Known"}, &known{})
	fake := eventtest.NewFake(nil, eventtest.Options{Scheme: scheme})
	fake.Publish(seenEvent(&known{*job("known")}))
	fake.Publish(seenEvent(&unknown{*job("unknown")}))
	if got := fake.Events(); len(got) != 1 || got[0].Regarding.APIVersion != "example.com/v1" {
		t.Errorf("recorded %+v", got)
	}
	if got := fake.Rejected(); len(got) != 1 {
		t.Errorf("rejected %q", got)
	}
}

func TestRef(t *testing.T) {
	var none *batchv1.Job
	tests := []struct {
		name string
		got  corev1.ObjectReference
		want corev1.ObjectReference
	}{
		{"nil", eventtest.Ref(nil), corev1.ObjectReference{}},
		{"nil pointer", eventtest.Ref(none), corev1.ObjectReference{}},
		{"a built-in kind", eventtest.Ref(cronJob("c")), corev1.ObjectReference{APIVersion: "batch/v1", Kind: "CronJob", Namespace: "prod", Name: "c", UID: "u-1"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s (- expected, + found):\n%s", tt.name, diff)
		}
	}
}

type outcome int

var outcomes = eventrt.Enum[outcome]{1: "Succeeded", 2: "Failed"}

// finished makes an event of a definition of BackupFinished. For values that the enum does not
// have, generated code takes the last definition.
func finished(job *batchv1.Job, value outcome) eventrt.Event {
	def := &eventrt.Definition{
		Subject: eventrt.Subject{Regarding: metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"}}, Name: "BackupFinished", Reason: "BackupFailed",
		Type: eventrt.Warning, Params: []eventrt.Param{{Name: "outcome"}}, Message: []eventrt.Segment{{Text: "Backup failed"}},
	}
	if value == 1 {
		succeeded := *def
		succeeded.Reason, succeeded.Type, succeeded.Message = "BackupSucceeded", eventrt.Normal, []eventrt.Segment{{Text: "Backup done"}}
		def = &succeeded
	}
	return eventrt.NewEvent(def, eventrt.ObjectOf(job), eventrt.ObjectRef{}, outcomes.Arg(value))
}

// A rejected event of the expected method comes before recorded ones of others, and is told without
// the variant that nobody chose.
func TestTheClosestEventMayBeRejected(t *testing.T) {
	for name, c := range map[string]struct {
		emitted []eventrt.Event
		want    any
		text    string
	}{
		"no value of the enum": {[]eventrt.Event{one, finished(job("a"), 9)}, finished(job("a"), 1), `
  - Normal BackupSucceeded Job prod/a "Backup done"
      closest: BackupFinished Job prod/a
        which was rejected: an argument is none of its enum's constants, such as the zero value: outcome is outcome(9)
  ! rejected: BackupFinished Job prod/a: an argument is none of its enum's constants, such as the zero value: outcome is outcome(9)
`},
		"a nil object": {[]eventrt.Event{one, finished(nil, 1)}, eventtest.All(eventtest.Event{Name: "BackupFinished", Reason: "BackupSucceeded"}, eventtest.Args(outcome(2))), `
      closest: Normal BackupSucceeded "Backup done"
        which was rejected: the regarding object is nil, or its methods panic
  ! rejected: Normal BackupSucceeded "Backup done": the regarding object is nil, or its methods panic
`},
		"another method": {[]eventrt.Event{finished(nil, 1), two}, one, `
      closest: Normal SuccessfulCreate CronJob prod/nightly (related Job prod/nightly-2) "Created job nightly-2"
        message: expected`},
		"a recorded one is closer": {[]eventrt.Event{finished(job("b"), 1), finished(nil, 2), {}}, finished(job("a"), 1), `
      closest: Normal BackupSucceeded Job prod/b "Backup done"
        regarding.name: expected "a", recorded "b"
`},
		"nothing else": {[]eventrt.Event{finished(nil, 2), finished(nil, 1)}, finished(job("a"), 1), `
      closest: Normal BackupSucceeded "Backup done"
        which was rejected: the regarding object is nil, or its methods panic
`},
	} {
		fake, got := eventtest.NewFake(nil), tester{}
		fake.Recorder().Emit(c.emitted...)
		if fake.To(&got).ExpectContains(c.want) || !strings.Contains(got.text, c.text) {
			t.Errorf("%s: said %s", name, got.text)
		}
	}
}

func TestWhatABroadcasterRejectsIsRejected(t *testing.T) {
	fake := eventtest.NewFake(nil)
	rec := cronjobevents.NewRecorder(fake.Recorder())
	rec.JobAlreadyActive(nil)
	rec.Emit(eventrt.Event{})
	var got tester
	if fake.To(&got).ExpectInAnyOrder() || len(fake.Events()) != 0 {
		t.Errorf("recorded %+v", fake.Events())
	}
	want := `events differ (- expected, + recorded):
  ! rejected: Normal JobAlreadyActive "Not starting job because prior execution is running and concurrency policy is Forbid": the regarding object is nil, or its methods panic
  ! rejected: "": the event is a zero value; make it with a constructor of the generated package
`
	if diff := cmp.Diff(want, got.text); diff != "" {
		t.Errorf("(- expected, + said):\n%s", diff)
	}
	got = tester{}
	if fake.To(&got).ExpectContains() || got.text == "" {
		t.Error("ExpectContains does not see what was rejected")
	}
	fake.Reset()
	fake.To(t).ExpectInAnyOrder()
}

func TestAFakeIsSafeForConcurrentUse(t *testing.T) {
	fake := eventtest.NewFake(nil)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for n := range 100 {
				cronjobevents.NewRecorder(fake.Recorder()).JobAlreadyActive(cronJob("nightly"))
				if n%20 == 0 {
					fake.Events()
				}
			}
		})
	}
	all.Wait()
	fake.To(t).ExpectInAnyOrder(slices.Repeat([]any{eventtest.Event{Reason: cronjobevents.ReasonJobAlreadyActive}}, 400)...)
}

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := eventtest.NewFake(nil)
		rec := cronjobevents.NewRecorder(fake.Recorder())
		start := time.Now()
		go func() {
			for _, name := range []string{"a", "b", "c"} {
				time.Sleep(time.Second)
				rec.MissingJob(cronJob("nightly"), name)
			}
		}()
		if err := fake.Wait(t.Context(), eventtest.Args("b")); err != nil || time.Since(start) != 2*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		ctx, cancel := contextWithTimeout(t, 5*time.Second)
		defer cancel()
		err := fake.Wait(ctx, eventtest.Args("d"))
		if !errors.Is(err, ctx.Err()) {
			t.Errorf("found %v", err)
		}
		want := `context deadline exceeded; events are missing (- expected):
  - args ("d")
      closest: Normal MissingJob CronJob prod/nightly "Active job went missing: a"
        param job: expected "d", recorded "a"`
		if diff := cmp.Diff(want, err.Error()); diff != "" {
			t.Errorf("(- expected, + said):\n%s", diff)
		}
	})
}
