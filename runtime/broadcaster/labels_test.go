package broadcaster_test

import (
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// TestLabelsOfABroadcaster: its labels are on every event, and go before those of the catalog, of
// the recorder and of the object.
func TestLabelsOfABroadcaster(t *testing.T) {
	for _, core := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			m := memory.New(memory.Options{CoreV1: core})
			b, log := start(t, broadcaster.Options{Sink: m, Labels: map[string]string{"cluster": "eu-1", "tenant": "shop"}})
			def := &eventrt.Definition{Reason: "Labelled", Action: "Act", Type: eventrt.Normal, Message: []eventrt.Segment{{Text: "text"}},
				Labels: []eventrt.AnnotationDefinition{{Key: "app"}, {Key: "team", Value: []eventrt.Segment{{Text: "storage"}}}, {Key: "tenant"}, {Key: "zone"}}}
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "web", UID: "u",
				Labels: map[string]string{"app": "front", "tenant": "somebody-else", "zone": "no value"}}}
			rec := eventrt.NewRecorder(b).WithLabels(map[string]string{"run": "7", "cluster": "us-2"})
			for range 3 {
				rec.EmitNew(def, eventrt.AnyObject(pod), eventrt.ObjectRef{})
				time.Sleep(2 * time.Second)
				pod.Labels["app"] = "back"
			}
			rec.Forward(pod, eventrt.Normal, "Forwarded", "Act", "text")
			if err := b.Shutdown(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := map[string]map[string]string{
				"Labelled":  {"app": "front", "cluster": "eu-1", "run": "7", "team": "storage", "tenant": "shop"},
				"Forwarded": {"cluster": "eu-1", "run": "7", "tenant": "shop"},
			}
			events := m.List()
			for i := range events {
				if e := &events[i]; !maps.Equal(e.Labels, want[e.Reason]) {
					t.Errorf("%s has the labels %v, want %v", e.Reason, e.Labels, want[e.Reason])
				}
			}
			lines := strings.Join(log.all(), "\n")
			if n := b.Stats().LabelsLeftOut; len(events) != 2 || n != 1 || strings.Count(lines, "A label is left out") != 1 || !strings.Contains(lines, `"label"="zone"`) {
				t.Errorf("%d events, %d labels left out, logged %s", len(events), n, lines)
			}
		})
	}
}

func TestLabelsThatAServerWouldRefuse(t *testing.T) {
	many := map[string]string{}
	for _, key := range strings.Split("abcdefghi", "") {
		many[key] = "v"
	}
	for want, labels := range map[string]map[string]string{
		`option Labels: "a b" is no key of a label: `:                     {"a b": "v"},
		`option Labels: "no value", of key "a", is no value of a label: `: {"a": "no value"},
		`option Labels: expected at most 8, found 9`:                      many,
	} {
		err := broadcaster.Options{Sink: memory.New(), Labels: labels}.Validate()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q, found %v", want, err)
		}
	}
}
