package clientgo_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
)

// TestEventsCorrelatorOptions records an event with each of 40 related objects, twice.
func TestEventsCorrelatorOptions(t *testing.T) {
	const prefix = runtime.AggregatePrefix
	message := func(e *corev1.Event) string { return fmt.Sprintf("%s and more: %s", e.Reason, e.Message) }
	tests := map[string]struct {
		options record.CorrelatorOptions
		stored  int // with a series of 2
		folded  int32
		note    string
	}{
		"defaults":    {record.CorrelatorOptions{}, 25, 30, prefix + "created pod-25"},
		"BurstSize":   {record.CorrelatorOptions{BurstSize: 100}, 40, 0, ""},
		"MaxEvents":   {record.CorrelatorOptions{MaxEvents: 10}, 9, 62, prefix + "created pod-9"},
		"MessageFunc": {record.CorrelatorOptions{MaxEvents: 10, MessageFunc: message}, 9, 62, "SuccessfulCreate and more: created pod-9"},
		"SpamKeyFunc": {record.CorrelatorOptions{SpamKeyFunc: func(e *corev1.Event) string { return e.Related.Name }}, 40, 0, ""},
	}
	for name, c := range tests {
		bubble(t, name, func(t *testing.T) {
			r := newEventsRig(t, clientgo.WithCorrelatorOptions(c.options))
			for range 2 {
				for i := range 40 {
					related := podNamed(fmt.Sprint("pod-", i))
					r.recorder.Eventf(&pod, related, corev1.EventTypeNormal, "SuccessfulCreate", "create", "created %s", related.Name)
					synctest.Wait() // the first that folds is written before the next
				}
			}
			r.Shutdown()
			plain := 0
			for _, e := range r.sink.list() {
				switch {
				case strings.HasPrefix(e.Note, "created") && e.Series.Count == 2:
					plain++
				case e.Note != c.note || e.Series.Count != c.folded:
					t.Errorf("folded: %+v", e)
				}
			}
			if s := conserved(t, r.Stats()); plain != c.stored || s.Written != 80 {
				t.Errorf("%d stored, accounts: %+v", plain, s)
			}
		})
	}
}
