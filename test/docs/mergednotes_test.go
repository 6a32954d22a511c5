package docs

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
)

// creating is a sink that counts the events that it stores.
type creating struct{ created atomic.Int64 }

func (c *creating) Create(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	c.created.Add(1)
	return e, nil
}

func (c *creating) Update(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return e, nil
}

func (c *creating) Patch(_ context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return e, nil
}

// TestEventsMergeNotes holds what docs/adopting.md says of client-go's tools/events: of five events
// that differ in their note only, one is stored.
func TestEventsMergeNotes(t *testing.T) {
	if !strings.Contains(read(t, "docs/adopting.md"), "of five events that differ in their\n  note only, it stores one") {
		t.Error("docs/adopting.md does not say how many are stored")
	}
	synctest.Test(t, func(t *testing.T) {
		sink := &creating{}
		b := events.NewBroadcaster(sink)
		ctx, cancel := context.WithCancel(t.Context())
		if err := b.StartRecordingToSinkWithContext(ctx); err != nil {
			t.Fatal(err)
		}
		r := b.NewRecorder(scheme.Scheme, "example.com/widgets")
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "p", UID: "1"}}
		for i := range 5 {
			r.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "Scaled to %s", fmt.Sprint(i))
		}
		time.Sleep(time.Second) // of the bubble's clock
		synctest.Wait()
		if n := sink.created.Load(); n != 1 {
			t.Errorf("%d events are stored", n)
		}
		cancel()
		b.Shutdown()
		synctest.Wait()
	})
}
