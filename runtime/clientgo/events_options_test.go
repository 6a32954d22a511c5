package clientgo_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
)

// TestEventsCorrelatorOptions records an event with each of 40 related objects, twice.
func TestEventsCorrelatorOptions(t *testing.T) {
	const prefix = eventrt.AggregatePrefix
	message := func(e *corev1.Event) string { return fmt.Sprintf("%s and more: %s", e.Reason, e.Message) }
	merged := []clientgo.Option{clientgo.WithMergedNotes()}
	tests := map[string]struct {
		options    record.CorrelatorOptions
		stored     int // with a series of 2
		aggregated int32
		note       string
		more       []clientgo.Option
	}{
		"defaults":                  {record.CorrelatorOptions{}, 9, 62, prefix + "created pod-9", nil},
		"MaxEvents":                 {record.CorrelatorOptions{MaxEvents: 20}, 19, 42, prefix + "created pod-19", nil},
		"merged":                    {record.CorrelatorOptions{}, 25, 30, prefix + "created pod-25", merged},
		"merged, BurstSize":         {record.CorrelatorOptions{BurstSize: 100}, 40, 0, "", merged},
		"merged, MaxEvents":         {record.CorrelatorOptions{MaxEvents: 10}, 9, 62, prefix + "created pod-9", merged},
		"MessageFunc":               {record.CorrelatorOptions{MaxEvents: 10, MessageFunc: message}, 9, 62, "SuccessfulCreate and more: created pod-9", nil},
		"merged, SpamKeyFunc":       {record.CorrelatorOptions{SpamKeyFunc: func(e *corev1.Event) string { return e.Related.Name }}, 40, 0, "", merged},
		"SpamKeyFunc, no aggregate": {record.CorrelatorOptions{MaxEvents: 100, SpamKeyFunc: func(e *corev1.Event) string { return e.Related.Name }}, 40, 0, "", nil},
	}
	for name, c := range tests {
		bubble(t, name, func(t *testing.T) {
			r := newEventsRig(t, append(c.more, clientgo.WithCorrelatorOptions(c.options))...)
			for range 2 {
				for i := range 40 {
					related := podNamed(fmt.Sprint("pod-", i))
					r.recorder.Eventf(&pod, related, corev1.EventTypeNormal, "SuccessfulCreate", "create", "created %s", related.Name)
					synctest.Wait() // the first that is aggregated is written before the next
				}
			}
			r.Shutdown()
			plain := 0
			for _, e := range r.sink.list() {
				switch {
				case strings.HasPrefix(e.Note, "created") && e.Series.Count == 2:
					plain++
				case e.Note != c.note || e.Series.Count != c.aggregated:
					t.Errorf("aggregated: %+v", e)
				}
			}
			if s := conserved(t, r.Stats()); plain != c.stored || s.Written != 80 {
				t.Errorf("%d stored, accounts: %+v", plain, s)
			}
		})
	}
}

// TestNotesAreToldApart records distinct notes, which client-go's tools/events stores as one, as
// TestEventsAreThoseOfClientGo has it by WithMergedNotes.
func TestNotesAreToldApart(t *testing.T) {
	bubble(t, "events", func(t *testing.T) {
		r := newEventsRig(t)
		for range 3 {
			r.event("DiskFailed", "disk a failed")
			r.event("DiskFailed", "disk b failed")
		}
		r.Shutdown()
		if list := r.sink.list(); len(list) != 2 || list[0].Series.Count != 3 || list[1].Series.Count != 3 {
			t.Errorf("stored: %+v", list)
		}
	})
}
