package broadcaster_test

import (
	"fmt"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/internal/problems"
)

type outcome int

var outcomes = eventrt.Enum[outcome]{1: "Succeeded", 2: "Failed"}

// The line about a rejected event has the name of the event, because nobody chose its variant, and
// the param. Observers get every rejected event.
func TestARejectedEventIsToldByWhatTheCallerWrote(t *testing.T) {
	b, log := start(t, broadcaster.Options{Sink: newStore()})
	var told []string
	b.AttachObserver(broadcaster.Observer{Rejected: func(e eventrt.Event, problem string) {
		told = append(told, fmt.Sprintf("%q: %s", e.Regarding().Name, problem))
	}})
	def := &eventrt.Definition{
		Subject: eventrt.Subject{Regarding: metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"}}, Name: "BackupFinished", Reason: "BackupFailed",
		Type: eventrt.Warning, Params: []eventrt.Param{{Name: "outcome"}}, Message: []eventrt.Segment{{Text: "Backup failed"}},
	}
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "nightly"}}
	b.Publish(eventrt.NewEvent(def, eventrt.ObjectOf(job), eventrt.ObjectRef{}, outcomes.Arg(9)))
	b.Publish(eventrt.NewEvent(def, eventrt.ObjectRef{}, eventrt.ObjectRef{}, outcomes.Arg(2)))
	if err := b.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	text := strings.Join(log.all(), "\n")
	if !strings.Contains(text, "outcome is outcome(9)") || !strings.Contains(text, `"event"="BackupFinished" "regarding"="nightly"`) || strings.Count(text, "BackupFailed") != 1 {
		t.Errorf("logged %s", text)
	}
	if len(told) != 2 || !strings.HasPrefix(told[0], `"nightly": an argument is none of`) || !strings.HasSuffix(told[0], "outcome is outcome(9)") || told[1] != `"": `+eventrt.Problem(problems.NilRegarding).String() {
		t.Errorf("an observer was told %q", told)
	}
}
