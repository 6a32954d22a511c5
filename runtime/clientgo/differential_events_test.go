package clientgo_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"pgregory.net/rapid"

	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/internal/seed"
)

// eventsStep is one call of a recorder of tools/events, after a pause.
type eventsStep struct {
	pause                     time.Duration
	recorder                  int
	regarding                 corev1.ObjectReference
	related                   *corev1.ObjectReference
	eventType, reason, action string
	note                      string
	annotations               map[string]string
}

var eventsControllers = []string{"example.com/widgets", "kubelet"}

// identity is client-go's eventKey. Resource versions are part of it, so that the histories keep
// them constant.
func (s *eventsStep) identity() string {
	return fmt.Sprint(s.recorder, s.regarding, s.related, s.eventType, s.reason, s.action)
}

// eventsHistories draws histories in which what client-go does is certain. It ends a series once it
// was quiet for six minutes, at the next of its rounds, which come every six: no event comes back
// within the time between.
var eventsHistories = rapid.Custom(func(t *rapid.T) []eventsStep {
	const certain, over = 6 * time.Minute, 13 * time.Minute
	last := map[string]time.Duration{}
	var steps []eventsStep
	now := time.Duration(0)
	cast := drawCast(t)
	for range rapid.IntRange(1, 60).Draw(t, "steps") {
		s := drawEventsStep(t, &cast)
		if at, found := last[s.identity()]; found && now+s.pause-at >= certain {
			s.pause = max(s.pause, at+over-now)
		}
		now += s.pause
		last[s.identity()] = now
		steps = append(steps, s)
	}
	return steps
})

func drawEventsStep(t *rapid.T, c *cast) eventsStep {
	s := eventsStep{
		pause:       rapid.SampledFrom([]time.Duration{1, 1, time.Millisecond, time.Second, 90 * time.Second, 4 * time.Minute, 13 * time.Minute}).Draw(t, "pause"),
		recorder:    rapid.SampledFrom(c.recorders).Draw(t, "recorder"),
		regarding:   drawObject(t, c.objects, false),
		eventType:   rapid.SampledFrom(c.types).Draw(t, "type"),
		reason:      rapid.SampledFrom(c.reasons).Draw(t, "reason"),
		action:      rapid.SampledFrom(c.actions).Draw(t, "action"),
		note:        rapid.SampledFrom([]string{"a note", "another", "50% of\n\"it\" <is> é日🎉 %s %d%", strings.Repeat("n", 1024)}).Draw(t, "note"),
		annotations: rapid.SampledFrom([]map[string]string{nil, {"example.com/revision": "7"}}).Draw(t, "annotations"),
	}
	if rapid.Bool().Draw(t, "has related") {
		related := drawObject(t, drawnObjects, false)
		related.Namespace = "shop" // an empty reference is none to client-go's key
		s.related = &related
	}
	return s
}

// TestEventsAreThoseOfClientGo plays random histories through client-go's tools/events and through
// the drop-in. The drop-in has a budget, which client-go lacks; it is made large. Notes are told to
// be no part of identities, as in client-go.
func TestEventsAreThoseOfClientGo(t *testing.T) {
	options := clientgo.WithCorrelatorOptions(record.CorrelatorOptions{BurstSize: 1 << 20})
	seed.Check(t, func(rt *rapid.T) {
		history := eventsHistories.Draw(rt, "history")
		var theirs, ours eventsStore
		synctest.Test(t, func(t *testing.T) {
			playEvents(t, history, events.NewBroadcaster(&theirs))
		})
		synctest.Test(t, func(t *testing.T) {
			playEvents(t, history, clientgo.NewEventsBroadcaster(&ours, options, clientgo.WithMergedNotes()))
		})
		if diff := compareEvents(theirs.list(), ours.list()); diff != "" {
			rt.Fatalf("stored events (- client-go, + drop-in):\n%s", diff)
		}
	})
}

func playEvents(t *testing.T, history []eventsStep, b events.EventBroadcaster) {
	ctx, cancel := context.WithCancel(t.Context())
	if err := b.StartRecordingToSinkWithContext(ctx); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	recorders := []events.EventRecorder{b.NewRecorder(scheme.Scheme, eventsControllers[0]), b.NewRecorder(scheme.Scheme, eventsControllers[1])}
	for _, s := range history {
		time.Sleep(s.pause)
		emit(recorders[s.recorder], s)
		synctest.Wait()
	}
	// client-go writes the last count of a series when it ends, and not at Shutdown
	time.Sleep(13 * time.Minute)
	cancel()
	b.Shutdown()
	synctest.Wait()
}

type annotatedRecorder interface {
	AnnotatedEventf(regarding, related k8sruntime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...any)
}

// emit leaves annotations out with a client-go that has none.
func emit(r events.EventRecorder, s eventsStep) {
	var related k8sruntime.Object
	if s.related != nil {
		related = s.related
	}
	if annotated, ok := r.(annotatedRecorder); ok && hasAnnotations {
		annotated.AnnotatedEventf(&s.regarding, related, s.annotations, s.eventType, s.reason, s.action, "%s", s.note)
		return
	}
	r.Eventf(&s.regarding, related, s.eventType, s.reason, s.action, "%s", s.note)
}

// hasAnnotations says whether the recorders of this client-go do (since v0.37).
var _, hasAnnotations = any(&events.FakeRecorder{}).(annotatedRecorder)

func compareEvents(theirs, ours []eventsv1.Event) string {
	for _, list := range [][]eventsv1.Event{theirs, ours} {
		for i := range list {
			e := &list[i]
			if e.Regarding.Name != "" {
				e.Name = nameForm.ReplaceAllString(e.Name, "$1")
			} else {
				e.Name = "" // client-go makes a UUID
			}
			e.ResourceVersion = ""
		}
		slices.SortStableFunc(list, func(a, b eventsv1.Event) int {
			return cmp.Or(strings.Compare(eventsOrder(&a), eventsOrder(&b)), a.EventTime.Compare(b.EventTime.Time))
		})
	}
	return gocmp.Diff(theirs, ours, gocmp.Transformer("seconds", func(t metav1.MicroTime) time.Time { return t.Truncate(time.Second) }))
}

func eventsOrder(e *eventsv1.Event) string {
	return fmt.Sprint(e.ReportingController, e.Regarding, e.Related, e.Type, e.Reason, e.Action)
}
