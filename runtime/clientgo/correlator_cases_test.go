package clientgo_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
)

// The tests of this file restate the cases of client-go's tools/record/events_cache_test.go; see accounted_test.go.

// said is an event about the pod.
type said struct{ object, fieldPath, reason, message string }

// times is n events like one; a verb in the message or the object is the number of the event.
func times(n int, e said) (list []said) {
	for i := range n {
		next := e
		if strings.Contains(e.message, "%") {
			next.message = fmt.Sprintf(e.message, i)
		}
		if strings.Contains(e.object, "%") {
			next.object = fmt.Sprintf(e.object, i)
		}
		list = append(list, next)
	}
	return list
}

func (s said) record(r *coreRig) {
	ref := podWith(s.fieldPath)
	if s.object != "" {
		ref.Name, ref.UID = s.object, ""
	}
	r.recorder.Event(ref, corev1.EventTypeNormal, s.reason, s.message)
}

func TestCorrelation(t *testing.T) {
	const threshold, burst = 10, 25 // client-go's defaults
	same := said{reason: "duplicate", message: "me again"}
	similar := said{reason: "similar", message: "similar message", fieldPath: "spec.containers{container1}"}
	numbered := similar
	numbered.message = "similar message-%d"
	other := similar
	other.fieldPath = "spec.containers{container2}"
	folded := runtime.AggregatePrefix + similar.message
	tests := map[string]struct {
		before   []said
		event    said
		interval time.Duration
		message  string
		count    int32
	}{
		"a single event":                         {nil, said{reason: "first", message: "i am first"}, 5 * time.Second, "i am first", 1},
		"the same event counts":                  {times(1, same), same, 5 * time.Second, same.message, 2},
		"the same event counts, however often":   {times(threshold, same), same, 30 * time.Second, same.message, threshold + 1},
		"the same event counts, however quickly": {times(burst+1, same), same, time.Second, same.message, burst + 2}, // client-go: skipped
		"many unique events": {times(30, said{object: "pod-%d", reason: "unique", message: "snowflake"}),
			said{reason: "unique", message: "snowflake"}, 5 * time.Second, "snowflake", 31},
		"the tenth similar event folds":                {times(threshold-1, numbered), similar, 5 * time.Second, folded, 1},
		"the eleventh similar event counts":            {times(threshold, numbered), similar, 5 * time.Second, folded, 2},
		"events of several containers do not fold":     {times(1, other), similar, 5 * time.Second, similar.message, 2},
		"similar events of a quiet group do not fold":  {times(threshold-1, numbered), similar, 601 * time.Second, similar.message, 1},
		"similar events at the end of the interval do": {times(threshold-1, numbered), similar, 600 * time.Second, folded, 1},
	}
	for name, c := range tests {
		bubble(t, name, func(t *testing.T) {
			r := newCoreRig(t)
			for _, e := range append(c.before, c.event) {
				later(c.interval)
				e.record(r)
			}
			if counts := r.stored(); counts[c.message] != c.count { // summed over objects
				t.Errorf("stored %v, want %d of %q", counts, c.count, c.message)
			}
			if s := conserved(t, r.Stats()); s.Written != uint64(len(c.before)+1) {
				t.Errorf("accounts: %+v", s)
			}
		})
	}
}

// TestBudgets has a budget of one event. client-go throws away what exceeds it, and with its default key what has another
// reason too.
func TestBudgets(t *testing.T) {
	original := said{reason: "original", message: "i am first"}
	byReason := func(e *corev1.Event) string {
		o := e.InvolvedObject
		return strings.Join([]string{e.Source.Component, e.Source.Host, o.Kind, o.Namespace, o.Name, string(o.UID), o.APIVersion, e.Reason}, "/")
	}
	byObject := func(e *corev1.Event) string { return e.InvolvedObject.Namespace + "/" + e.InvolvedObject.Name }
	tests := map[string]struct {
		key     record.EventSpamKeyFunc
		event   said
		message string
	}{
		"another reason, default key":   {nil, said{reason: "duplicate", message: "me again"}, "me again"}, // client-go: skipped
		"another reason, key by reason": {byReason, said{reason: "duplicate", message: "me again"}, "me again"},
		"another reason, key by object": {byObject, said{reason: "duplicate", message: "me again"}, runtime.AggregatePrefix + "me again"}, // client-go: skipped
		"same reason, default key":      {nil, said{reason: "original", message: "me again"}, runtime.AggregatePrefix + "me again"},       // client-go: skipped
		"same reason, key by reason":    {byReason, said{reason: "original", message: "me again"}, runtime.AggregatePrefix + "me again"},  // client-go: skipped
		"a repeat costs nothing":        {nil, original, original.message},                                                                // client-go: skipped
	}
	for name, c := range tests {
		bubble(t, name, func(t *testing.T) {
			r := newCoreRig(t, clientgo.WithCorrelatorOptions(record.CorrelatorOptions{BurstSize: 1, SpamKeyFunc: c.key}))
			original.record(r)
			c.event.record(r)
			counts := r.stored()
			if counts[c.message] == 0 || counts[original.message] == 0 {
				t.Errorf("stored %v", counts)
			}
		})
	}
}
