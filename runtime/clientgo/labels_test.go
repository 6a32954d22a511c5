package clientgo_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// TestWithLabels: the create sends the labels, in both groups; no patch and no watcher has them.
func TestWithLabels(t *testing.T) {
	labels := map[string]string{"cluster": "eu-1", "tenant": "shop"}
	option := clientgo.WithLabels(labels)
	want := maps.Clone(labels)
	labels["cluster"] = "changed"
	bubble(t, "core", func(t *testing.T) {
		r := newCoreRig(t, option)
		r.StartEventWatcher(func(e *corev1.Event) {
			if len(e.Labels) > 0 {
				t.Errorf("a watcher sees the labels %v", e.Labels)
			}
		})
		r.event("Started", "text")
		later(time.Minute)
		r.event("Started", "text")
		r.Shutdown()
		if list := r.sink.list(); len(list) != 1 || list[0].Count != 2 || !maps.Equal(list[0].Labels, want) {
			t.Errorf("stored %+v", list)
		}
	})
	bubble(t, "events", func(t *testing.T) {
		r := newEventsRig(t, option)
		for range 2 {
			r.recorder.Eventf(&pod, nil, corev1.EventTypeNormal, "Started", "Start", "text")
			later(time.Minute)
		}
		r.Shutdown()
		if list := r.sink.list(); len(list) != 1 || list[0].Series == nil || !maps.Equal(list[0].Labels, want) {
			t.Errorf("stored %+v", list)
		}
	})
}

func TestWithLabelsThatAreNone(t *testing.T) {
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, `option Labels: "no value", of key "a", is no value of a label`) {
			t.Errorf("panicked with %s", text)
		}
	}()
	clientgo.NewBroadcaster(clientgo.WithLabels(map[string]string{"a": "no value"}))
}
