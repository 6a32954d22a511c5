package clientgo_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// withoutPassword cleans a whole password; half of one would stay.
func withoutPassword(text string) string { return strings.ReplaceAll(text, ":secret@", ":***@") }

// recordSecrets records texts in which a password lies where a recorder cuts them.
func recordSecrets(t *testing.T, bound int, record func(annotations map[string]string, eventType, reason, note string)) {
	t.Helper()
	const url = "://me:secret@db"
	for at := range len(url) {
		record(map[string]string{"example.com/url": url}, corev1.EventTypeNormal, strings.Repeat("R", 120+at%8)+url, strings.Repeat("x", bound-at)+url)
	}
	record(nil, url, "Mistyped", url) // is logged, and not recorded
}

func expectNoSecret(t *testing.T, what string, all any) {
	t.Helper()
	if text := fmt.Sprint(all); strings.Contains(text, "secre") || !strings.Contains(text, "***") {
		t.Errorf("%s: %.4000s", what, text)
	}
}

// TestWithRedact: neither what is stored, nor what watchers see, nor a log line has a password.
func TestWithRedact(t *testing.T) {
	bubble(t, "core", func(t *testing.T) {
		r := newCoreRig(t, clientgo.WithRedact(withoutPassword))
		var seen []corev1.Event
		r.StartEventWatcher(func(e *corev1.Event) { seen = append(seen, *e) })
		recordSecrets(t, 64<<10, func(annotations map[string]string, eventType, reason, note string) {
			r.recorder.AnnotatedEventf(&pod, annotations, eventType, reason, "%s", note)
		})
		later(time.Minute)
		r.Shutdown()
		expectNoSecret(t, "stored", r.sink.list())
		expectNoSecret(t, "seen", seen)
		expectNoSecret(t, "logged", r.log.all())
	})
	bubble(t, "events", func(t *testing.T) {
		r := newEventsRig(t, clientgo.WithRedact(withoutPassword))
		var seen []runtime.Object
		if _, err := r.StartEventWatcher(func(e runtime.Object) { seen = append(seen, e.DeepCopyObject()) }); err != nil {
			t.Fatal(err)
		}
		recordSecrets(t, 992, func(annotations map[string]string, eventType, reason, note string) {
			r.recorder.(annotator).AnnotatedEventf(&pod, nil, annotations, eventType, reason, reason, "%s", note)
		})
		later(time.Minute)
		r.Shutdown()
		expectNoSecret(t, "stored", r.sink.list())
		expectNoSecret(t, "seen", seen)
		expectNoSecret(t, "logged", r.log.all())
	})
}

// annotator is events.AnnotatedEventRecorder of client-go v0.37.
type annotator interface {
	AnnotatedEventf(regarding, related runtime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...any)
}

// TestRecordersOnABroadcasterThatRedacts: they ask it before they cut.
func TestRecordersOnABroadcasterThatRedacts(t *testing.T) {
	for _, core := range []bool{false, true} {
		stored, log := memory.New(memory.Options{CoreV1: core}), &lines{}
		opts := broadcaster.Options{Sink: stored}
		if core {
			opts = clientgo.CoreOptions(stored)
		}
		opts.Redact, opts.Logger = withoutPassword, log.logger()
		b, err := broadcaster.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		recordSecrets(t, 992, func(annotations map[string]string, eventType, reason, note string) {
			if core {
				clientgo.RecorderOn(b, scheme.Scheme, testSource, log.logger()).AnnotatedEventf(&pod, annotations, eventType, reason, "%s", note)
				return
			}
			recorder := clientgo.EventsRecorderOn(b, scheme.Scheme, "example.com/widgets", log.logger())
			recorder.(annotator).AnnotatedEventf(&pod, nil, annotations, eventType, reason, reason, "%s", note)
		})
		if err := b.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		expectNoSecret(t, "stored", stored.List())
		expectNoSecret(t, "logged", log.all())
	}
}

// TestWithRedactThatPanics leaves a fixed word, and the event.
func TestWithRedactThatPanics(t *testing.T) {
	bubble(t, "", func(t *testing.T) {
		r := newCoreRig(t, clientgo.WithRedact(func(text string) string {
			if strings.HasPrefix(text, "secret") {
				panic("oh")
			}
			return text
		}))
		r.event("Started", "secret")
		r.Shutdown()
		if list := r.sink.list(); len(list) != 1 || list[0].Reason != "Started" || list[0].Message != "<redacted>" {
			t.Errorf("stored %+v", list)
		}
	})
}
