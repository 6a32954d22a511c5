package correlator

import (
	"context"
	"fmt"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// simTwin is the in-memory sink beside the simulated server. It is asked the same, and must answer the same.
type simTwin struct {
	memory *sink.Memory
	asked  int
	err    error
}

// simClock is the time of a history.
type simClock struct{ now *runtime.Instant }

func (c simClock) Now() runtime.Instant               { return *c.now }
func (simClock) NewTimer(time.Duration) runtime.Timer { panic("the in-memory sink sets no timers") }
func (t *simTwin) failed(format string, a ...any)     { t.err = fmt.Errorf(format, a...) }
func answerText(a runtime.Answer) string {
	return fmt.Sprintf("%v conflict=%v version=%d", a.Outcome, a.Conflict, a.ResourceVersion)
}

func (t *simTwin) compare(q request, a runtime.Answer) {
	if t.err != nil {
		return
	}
	t.asked++
	w := q.write
	w.ResourceVersion = q.version
	if got := t.memory.Write(context.Background(), &w); answerText(got) != answerText(a) {
		t.failed("%s: the in-memory sink says %s (%v), the simulated server %s", describe(&w), answerText(got), got.Err, answerText(a))
	}
}

// compareStored compares what both hold in the end.
func (t *simTwin) compareStored(s *simServer) error {
	list := t.memory.List()
	for i := range list {
		e := s.find(list[i].Name)
		if e == nil {
			return fmt.Errorf("the in-memory sink holds %s", list[i].Name)
		}
		if got, want := contentShown(&list[i]), e.shown(); got != want {
			return fmt.Errorf("the in-memory sink holds %s, the simulated server %s", got, want)
		}
	}
	held := 0
	for name := range s.stored {
		if s.find(name) != nil {
			held++
		}
	}
	if held != len(list) {
		return fmt.Errorf("the in-memory sink holds %d events, the simulated server %d", len(list), held)
	}
	return nil
}

func (e *simEvent) shown() string {
	return fmt.Sprintf("count %d series %d last %d note %q latest %q version %d", e.count, e.series, e.last.UnixNano(), e.note, e.latest, e.version)
}

func contentShown(e *eventsv1.Event) string {
	series, last := int32(0), e.DeprecatedLastTimestamp.Time
	if e.Series != nil {
		series, last = e.Series.Count, e.Series.LastObservedTime.Time
	}
	latest := e.Annotations[runtime.LatestNoteAnnotation]
	return fmt.Sprintf("count %d series %d last %d note %q latest %q version %s", e.DeprecatedCount, series, last.UnixNano(), e.Note, latest, e.ResourceVersion)
}

// TestSimulatedServerIsTheRealOne plays histories to the simulated server and to the in-memory sink, in both groups' forms. The
// latter is held to a kube-apiserver by the suite of package sinktest.
func TestSimulatedServerIsTheRealOne(t *testing.T) {
	for form, memoryForm := range map[simForm]sink.Form{simEvents: sink.EventsV1, simCore: sink.CoreV1} {
		asked := 0
		for seed := range uint64(300) {
			h := newHistory(seed)
			h.sink.groups = []simForm{form}
			clear(h.server.rights)
			h.server.twin = &simTwin{memory: sink.NewMemoryWith(sink.MemoryOptions{Form: memoryForm, TTL: h.server.ttl, Clock: simClock{&h.now}})}
			h.logging = true
			if err := h.play(*simSteps); err != nil {
				t.Fatalf("seed %d through %v: %v\n%s", seed, form, err, h.tail())
			}
			err := h.server.twin.err
			if err == nil {
				err = h.server.twin.compareStored(h.server)
			}
			if err != nil {
				t.Fatalf("seed %d through %v: %v\n%s", seed, form, err, h.tail())
			}
			asked += h.server.twin.asked
		}
		t.Logf("%v: %d writes compared", form, asked)
	}
}
