package broadcaster_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// password matches a whole password: half of one would stay.
var password = regexp.MustCompile(`:[a-z]*secret[a-z]*@`)

func withoutPasswords(text string) string { return password.ReplaceAllString(text, ":***@") }

// textKinds are the kinds of params with texts of others. Each brings a password.
var textKinds = map[string]func(text string) eventrt.Arg{
	"error":    func(text string) eventrt.Arg { return eventrt.Error(errors.New(text)) },
	"string":   func(text string) eventrt.Arg { return eventrt.String(text) },
	"Stringer": func(text string) eventrt.Arg { return eventrt.Stringer(stringer(text)) },
	"list":     func(text string) eventrt.Arg { return eventrt.Strings([]string{"first", text}, ", ") },
}

type stringer string

func (s stringer) String() string { return string(s) }

// TestRedact: no text of an event brings a password to the sink or a subscriber, wherever the text
// is cut. Texts that differ only in the password are one event.
func TestRedact(t *testing.T) {
	stored := memory.New()
	var b *broadcaster.Broadcaster
	b, log := start(t, broadcaster.Options{Sink: stored, Redact: func(text string) string {
		_ = b.Stats() // no lock is held
		return withoutPasswords(text)
	}})
	var seen journal
	b.Attach(broadcaster.Subscriber{Buffer: 10_000, Show: func(e eventrt.Event) {
		seen.add(e)
		if strings.Contains(fmt.Sprint(e.Message(), e.AnnotationMap()), "ecre") {
			t.Errorf("a subscriber sees %s %v", e.Message(), e.AnnotationMap())
		}
	}})
	r := eventrt.NewRecorder(b)
	for kind, arg := range textKinds {
		def := &eventrt.Definition{
			Name: kind, Reason: "Failed", Type: eventrt.Warning, Params: []eventrt.Param{{Name: "text", MaxBytes: 60}},
			Message:     []eventrt.Segment{{Text: kind + " "}, {Value: eventrt.ParamValue}},
			Annotations: []eventrt.AnnotationDefinition{{Key: "example.com/text", Value: []eventrt.Segment{{Value: eventrt.ParamValue}}}},
		}
		for at := range 64 { // the cut goes through the password
			text := strings.Repeat("x", at) + "://me:" + "secret" + string(rune('a'+at%26)) + "@db"
			r.EmitNew(def, job("nightly"), eventrt.ObjectRef{}, arg(text))
			r.Emit(eventrt.NewEvent(def, job("nightly"), eventrt.ObjectRef{}, arg(strings.ReplaceAll(text, "secret", "othersecret"))))
		}
	}
	long := strings.Repeat("y", 980) + "://me:secret@db"
	r.WithAnnotations(map[string]string{"example.com/url": strings.Repeat("z", 1010) + "://me:secret@db"}).Forward(
		jobReference("weekly"), eventrt.Normal, "://me:secret@db", strings.Repeat("a", 120)+"://me:secret@db", long)
	r.Forward(jobReference("weekly"), "://me:secret@db", "R", "", "") // its type is logged
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, e := range stored.List() {
		if text := fmt.Sprint(e.Reason, e.Action, e.Note, e.Annotations, e.Name); strings.Contains(text, "ecre") {
			t.Errorf("stored %s", text)
		}
	}
	if logged := strings.Join(log.all(), "\n"); strings.Contains(logged, "ecre") || !strings.Contains(logged, "me:***@db") {
		t.Errorf("logged %s", logged)
	}
	checkConserved(t, b.Stats())
	if s := b.Stats(); s.Lost != (eventrt.Lost{Rejected: 1}) || strings.Count(seen.all(), "***") < 100 {
		t.Errorf("account %+v, seen %s", s, seen.all())
	}
}

// jobReference refers to a job.
func jobReference(name string) *corev1.ObjectReference {
	return &corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: "prod", Name: name}
}

// TestTextsThatDifferInAPasswordAreOneEvent: the text is cleaned before it is compared.
func TestTextsThatDifferInAPasswordAreOneEvent(t *testing.T) {
	stored := memory.New()
	b, _ := start(t, broadcaster.Options{Sink: stored, Redact: withoutPasswords})
	for n := range 5 {
		eventrt.NewRecorder(b).Forward(jobReference("nightly"), eventrt.Warning, "Failed", "", fmt.Sprintf("://me:secret%c@db", 'a'+n))
	}
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if list := stored.List(); len(list) != 1 || list[0].Note != "://me:***@db" {
		t.Errorf("stored %+v", list)
	}
}

// TestRedactThatPanics leaves a fixed word, and the event.
func TestRedactThatPanics(t *testing.T) {
	stored := memory.New()
	var calls atomic.Int32
	b, log := start(t, broadcaster.Options{Sink: stored, Redact: func(string) string { calls.Add(1); panic("oh") }})
	eventrt.NewRecorder(b).WithAnnotations(map[string]string{"example.com/a": "secret"}).Emit(failedBecause("secret"))
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	list := stored.List()
	if len(list) != 1 || list[0].Note != "<redacted>" || list[0].Annotations["example.com/a"] != "<redacted>" || calls.Load() != 2 {
		t.Errorf("stored %+v after %d calls", list, calls.Load())
	}
	if all := log.all(); len(all) != 1 || !strings.Contains(all[0], "Options.Redact panicked") {
		t.Errorf("logged %q", all)
	}
}

// failedBecause is an event whose message is a text.
func failedBecause(text string) eventrt.Event {
	def := &eventrt.Definition{Reason: "Failed", Type: eventrt.Warning, Params: []eventrt.Param{{Name: "text"}}, Message: []eventrt.Segment{{Value: eventrt.ParamValue}}}
	return eventrt.NewEvent(def, job("nightly"), eventrt.ObjectRef{}, eventrt.String(text))
}
