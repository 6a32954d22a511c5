package clientgo_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestLongNotesFoldOnTheServer: the prefix of what folds makes a note of full length too long for events.k8s.io, which the server
// would refuse.
func TestLongNotesFoldOnTheServer(t *testing.T) {
	memory := sink.NewMemory()
	b, err := broadcaster.New(broadcaster.Options{Sink: memory})
	if err != nil {
		t.Fatal(err)
	}
	recorder := clientgo.EventsRecorderOn(b, scheme.Scheme, "example.com/widgets", logr.Discard())
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	for n := range 15 {
		recorder.Eventf(pod, nil, runtime.Normal, "Long", "Try", "%s", strings.Repeat(string(rune('a'+n)), 2000))
	}
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := b.Stats(); s.Written != 15 || s.Failures != 0 {
		t.Errorf("account %+v", s)
	}
	stored := memory.List()
	folded := slices.IndexFunc(stored, func(e eventsv1.Event) bool { return strings.HasPrefix(e.Note, runtime.AggregatePrefix) })
	if folded < 0 || len(stored[folded].Note) > runtime.MaxNoteBytes {
		t.Errorf("%d events, none of which is the folded one with a note of %d bytes at most", len(stored), runtime.MaxNoteBytes)
	}
}

// fullNotes keeps the longest note that the drop-in sends.
type fullNotes struct {
	mu      sync.Mutex
	longest int
}

func (s *fullNotes) Create(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.longest = max(s.longest, len(e.Note))
	return e, nil
}

func (s *fullNotes) Update(context.Context, *eventsv1.Event) (*eventsv1.Event, error) {
	panic("not called")
}

func (s *fullNotes) Patch(_ context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return e, nil
}

// TestLongNotesOfTheDropIn: as above, in the drop-in, whose notes may have all 1024 bytes until they fold.
func TestLongNotesOfTheDropIn(t *testing.T) {
	var sent fullNotes
	b := clientgo.NewEventsBroadcaster(&sent)
	if err := b.StartRecordingToSinkWithContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	recorder := b.NewRecorder(scheme.Scheme, "example.com/widgets")
	for n := range 15 {
		recorder.Eventf(pod, nil, runtime.Normal, "Long", "Try", "%s", strings.Repeat(string(rune('a'+n)), 2000))
	}
	if err := b.ShutdownWithContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	if sent.longest != runtime.MaxNoteBytes {
		t.Errorf("the longest note has %d bytes, want %d", sent.longest, runtime.MaxNoteBytes)
	}
}
