package e2e

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/rest"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// groups are the sinks for the two API groups.
var groups = map[string]func(*rest.Config) *kube.Sink{
	"events.k8s.io/v1": kube.EventsV1,
	"core/v1":          kube.CoreV1,
}

// tally counts occurrences as they are recorded, apart from correlation and sinks.
type tally struct {
	mu     sync.Mutex
	counts map[string]int32
}

// tallyKey is one {object, type, reason}: events that are aggregated are still counted
// there.
func tallyKey(name, eventType, reason string) string {
	return name + " " + eventType + " " + reason
}

func shutdown(t *testing.T, b *broadcaster.Broadcaster) {
	t.Helper()
	ctx, cancel := contextWithin(t, time.Minute)
	defer cancel()
	if err := b.Shutdown(ctx); err != nil {
		t.Fatal(err)
	}
}

func checkAllWritten(t *testing.T, s eventrt.Stats) {
	t.Helper()
	if s.Recorded != s.Written || s.Pending != 0 || s.Lost.Total() != 0 {
		t.Errorf("not all is written: %+v", s)
	}
}

// countStored adds up the counts of a namespace's events as kubectl shows them.
func countStored(t *testing.T, c *cluster.Cluster, namespace string) map[string]int32 {
	t.Helper()
	out, err := c.Kubectl(t.Context(), "get", "events.events.k8s.io", "--namespace", namespace, "--output", "json")
	if err != nil {
		t.Fatal(err)
	}
	var list eventsv1.EventList
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int32{}
	for _, e := range list.Items {
		counts[tallyKey(e.Regarding.Name, e.Type, e.Reason)] += storedCount(e)
	}
	return counts
}

func storedCount(e eventsv1.Event) int32 {
	if e.Series != nil {
		return e.Series.Count
	}
	return max(e.DeprecatedCount, 1)
}

func contextWithin(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(t.Context(), d)
}
