package clientgo_test

import (
	"errors"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
)

// fate is what becomes of a patch on its way to the sink and back.
type fate uint8

const (
	arrives fate = iota
	isHeld       // it arrives long after it was given up
	losesReply
)

// network decides what becomes of patches, in turn; those beyond the list arrive, and so do patches
// that change nothing.
type network[E any, P interface {
	*E
	metav1.Object
}] struct {
	store *store[E, P]
	fates []fate
	now   fate
	held  []string
}

var errNoReply = errors.New("connection reset")

// between puts a network in front of a store.
func between[E any, P interface {
	*E
	metav1.Object
}](s *store[E, P]) *network[E, P] {
	n := &network[E, P]{store: s}
	s.before, s.after = n.before, n.after
	return n
}

func (n *network[E, P]) before(verb string, _ P) error {
	n.now = arrives
	patch := n.store.calls[len(n.store.calls)-1].patch
	if verb != "patch" || patch == "{}" || len(n.fates) == 0 {
		return nil
	}
	n.now, n.fates = n.fates[0], n.fates[1:]
	if n.now == isHeld {
		n.held = append(n.held, patch)
		return errNoReply
	}
	return nil
}

func (n *network[E, P]) after(string, P) error {
	if n.now == losesReply {
		return errNoReply
	}
	return nil
}

// release has what was held arrive, all of it too late.
func (n *network[E, P]) release(t *testing.T, want int) {
	t.Helper()
	if len(n.held) != want || len(n.fates) != 0 {
		t.Fatalf("%d patches were held, expected %d; %d fates are left", len(n.held), want, len(n.fates))
	}
	for _, patch := range n.held {
		e := P(new(E))
		e.SetName(n.store.order[0])
		if _, err := n.store.patch(e, []byte(patch)); !apierrors.IsConflict(err) {
			t.Errorf("a late %s was answered %v", patch, err)
		}
	}
}

// TestLateArrivals has updates arrive after later ones have been acknowledged, and the reply to one
// be lost.
func TestLateArrivals(t *testing.T) {
	bubble(t, "core", func(t *testing.T) {
		r := newCoreRig(t)
		arriveLate(t, between(&r.sink.store), func() { r.event("Started", "x") }, r.Stats)
		if stored := r.sink.list(); len(stored) != 1 || stored[0].Count != 4 {
			t.Errorf("stored: %+v", stored)
		}
	})
	bubble(t, "events", func(t *testing.T) {
		r := newEventsRig(t)
		arriveLate(t, between(&r.sink.store), func() { r.event("Started", "x") }, r.Stats)
		if stored := r.sink.list(); len(stored) != 1 || stored[0].Series == nil || stored[0].Series.Count != 4 {
			t.Errorf("stored: %+v", stored)
		}
	})
}

func arriveLate[E any, P interface {
	*E
	metav1.Object
}](t *testing.T, n *network[E, P], record func(), stats func() eventrt.Stats) {
	n.fates = []fate{isHeld, arrives, losesReply, isHeld, arrives}
	for range 4 {
		record()
		later(time.Minute)
	}
	n.release(t, 2)
	if s := conserved(t, stats()); s.Written != 4 || s.Retries != 3 {
		t.Errorf("accounts: %+v", s)
	}
}

// TestSinksWithoutVersionsAreNotAsked counts the calls of a clientset that is a fake.
func TestSinksWithoutVersionsAreNotAsked(t *testing.T) {
	bubble(t, "core", func(t *testing.T) {
		client := fake.NewClientset()
		b := clientgo.NewBroadcaster()
		b.StartRecordingToSink(&versionless{&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}})
		recorder := b.NewRecorder(scheme.Scheme, testSource)
		for range 3 {
			recorder.Event(&pod, corev1.EventTypeNormal, "Started", "x")
			later(time.Minute)
		}
		b.Shutdown()
		var verbs []string
		for _, a := range client.Actions() {
			verbs = append(verbs, a.GetVerb())
		}
		if len(verbs) != 3 || verbs[0] != "create" || verbs[1] != "patch" || verbs[2] != "patch" {
			t.Errorf("calls: %v", verbs)
		}
	})
}

// versionless is a sink that does not tell what version it has stored.
type versionless struct{ *typedcorev1.EventSinkImpl }

func (s *versionless) Create(e *corev1.Event) (*corev1.Event, error) {
	stored, err := s.EventSinkImpl.Create(e)
	return withoutVersion(stored), err
}

func (s *versionless) Patch(e *corev1.Event, data []byte) (*corev1.Event, error) {
	stored, err := s.EventSinkImpl.Patch(e, data)
	return withoutVersion(stored), err
}

func withoutVersion(e *corev1.Event) *corev1.Event {
	if e != nil {
		e.ResourceVersion = ""
	}
	return e
}
