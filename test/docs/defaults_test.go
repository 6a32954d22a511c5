package docs

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// TestBounds compares bounds that docs/operating-reference.md gives with the run time's.
func TestBounds(t *testing.T) {
	page := strings.Join(strings.Fields(read(t, "docs/operating-reference.md")), " ")
	for _, want := range []string{
		fmt.Sprintf("Notes are cut to %d bytes of valid UTF-8, reporting instances to %d.", eventrt.MaxNoteBytes, eventrt.MaxReasonBytes),
		fmt.Sprintf("| `Subscriber.Buffer` | %d |", subscriberBuffer(t)),
	} {
		if !strings.Contains(page, want) {
			t.Errorf("docs/operating-reference.md lacks %q", want)
		}
	}
}

// subscriberBuffer is how many events wait at most for a subscriber without a Buffer.
func subscriberBuffer(t *testing.T) (waiting int) {
	t.Helper()
	b, err := broadcaster.New(broadcaster.Options{Sink: memory.New()})
	if err != nil {
		t.Fatal(err)
	}
	shown, hang := make(chan struct{}), make(chan struct{})
	b.Attach(broadcaster.Subscriber{Show: func(eventrt.Event) {
		shown <- struct{}{}
		<-hang
	}})
	pod := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "ns", Name: "pod"}
	r := eventrt.NewRecorder(b)
	r.Forward(pod, eventrt.Normal, "First", "", "")
	<-shown
	for b.Snapshot().Subscribers[0].Dropped == 0 {
		r.Forward(pod, eventrt.Normal, "Waits", "", "")
	}
	waiting = b.Snapshot().Subscribers[0].Waiting
	close(hang)
	go func() {
		for range waiting {
			<-shown
		}
	}()
	if err := b.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	return waiting
}
