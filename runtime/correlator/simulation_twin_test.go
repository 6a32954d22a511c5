package correlator

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// simTwin is the in-memory sink beside the simulated server. It gets the same requests, and must
// answer the same.
type simTwin struct {
	memory *memory.Sink
	asked  int
	err    error
}

// simClock is the time of a history.
type simClock struct{ now *clock.Instant }

func (c simClock) Now() time.Time { return time.Unix(0, 0).Add(c.now.Mono) }

func (t *simTwin) failed(format string, a ...any) { t.err = fmt.Errorf(format, a...) }
func answerText(a sink.Answer) string {
	stored := ""
	if a.Stored != nil {
		e := form.ToEvents(a.Stored)
		e.ResourceVersion = ""
		stored = contentShown(&e)
	}
	return fmt.Sprintf("%v conflict=%v version=%d %s", a.Outcome, a.Conflict, a.ResourceVersion, stored)
}

func (t *simTwin) compare(q request, a sink.Answer) {
	if t.err != nil {
		return
	}
	t.asked++
	w := q.write
	if got := t.memory.Write(context.Background(), &w); answerText(got) != answerText(a) {
		t.failed("%s: the in-memory sink says %s (%v), the simulated server %s", describe(&w), answerText(got), got.Err, answerText(a))
	}
}

// compareStored compares the events of both in the end.
func (t *simTwin) compareStored(s *simServer) error {
	list := t.memory.List()
	for i := range list {
		e := s.find(list[i].Name)
		if e == nil {
			return fmt.Errorf("the in-memory sink holds %s", list[i].Name)
		}
		want := form.ToEvents(e.object())
		want.ResourceVersion = strconv.FormatUint(e.version, 10)
		if got, want := contentShown(&list[i]), contentShown(&want); got != want {
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

func contentShown(e *eventsv1.Event) string {
	series, last := int32(0), e.DeprecatedLastTimestamp.Time
	if e.Series != nil {
		series, last = e.Series.Count, e.Series.LastObservedTime.Time
	}
	return fmt.Sprintf("count %d series %d first %d %d last %d note %q annotations %q version %s", e.DeprecatedCount, series,
		e.DeprecatedFirstTimestamp.UnixNano(), e.EventTime.UnixNano(), last.UnixNano(), e.Note, e.Annotations, e.ResourceVersion)
}

// TestSimulatedServerIsTheRealOne plays histories to the simulated server and to the in-memory
// sink, in both groups' forms. The latter is held to a kube-apiserver by the suite of package
// sinktest.
func TestSimulatedServerIsTheRealOne(t *testing.T) {
	for _, form := range []simForm{simEvents, simCore} {
		asked := 0
		for seed := range uint64(300) {
			h := newHistory(seed)
			h.sink.groups = []simForm{form}
			clear(h.server.rights)
			h.server.twin = &simTwin{memory: memory.New(memory.Options{CoreV1: form == simCore, TTL: h.server.ttl, Now: simClock{&h.now}.Now})}
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
