package broadcaster_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// TestClusterNamespace stores events about cluster-scoped objects in the two namespaces in which
// the API server takes them. The option accepts no other.
func TestClusterNamespace(t *testing.T) {
	for option, want := range map[string]string{"": "default", "default": "default", "kube-system": "kube-system"} {
		stored := memory.New()
		b, _ := start(t, broadcaster.Options{Sink: stored, ClusterNamespace: option})
		node := &corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: "worker"}
		b.Publish(eventrt.NewEvent(failed, eventrt.ReferenceOf(node), eventrt.ObjectRef{}))
		b.Publish(eventIn("shop", "web"))
		if err := b.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, e := range stored.List() {
			got[e.Regarding.Kind] = e.Namespace
		}
		if got["Node"] != want || got["Pod"] != "shop" {
			t.Errorf("ClusterNamespace %q: stored in %v", option, got)
		}
	}
	err := broadcaster.Options{Sink: memory.New(), ClusterNamespace: "shop"}.Validate()
	if err == nil || !strings.Contains(err.Error(), `option ClusterNamespace: expected "default" or "kube-system"`) {
		t.Errorf("ClusterNamespace shop: %v", err)
	}
}
