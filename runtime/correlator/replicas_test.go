package correlator

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// newShared makes a world whose events go through admission to a sink that worlds share.
func newShared(t *testing.T, m *memory.Sink, tag uint64, admit func(*sink.Write) *sink.Answer) *world {
	w := newWorld(t, Options{}, writerOptions{Identity: Controller, Tag: tag})
	w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
		admitted := *write
		if refusal := admit(&admitted); refusal != nil {
			return *refusal, 5 * ms
		}
		return m.Write(context.Background(), &admitted), 5 * ms
	}
	return w
}

func newMemory() *memory.Sink {
	start := clock.Instant{Wall: time.Unix(1_700_000_000, 0)}
	return memory.New(memory.Options{TTL: 24 * time.Hour, Now: timeOf(&start)})
}

// TestALifeWithoutUseOfItsNames: a container crashes again and again. In each life, events of
// earlier lives have taken the names of its events, and it can't use those events.
func TestALifeWithoutUseOfItsNames(t *testing.T) {
	refusal := &sink.Answer{Outcome: sink.Refused, Scope: sink.ScopeObject, Err: fmt.Errorf("no")}
	missing := forbidden()
	for name, admit := range map[string]func(*sink.Write) *sink.Answer{
		"a webhook sets reportingInstance": func(w *sink.Write) *sink.Answer {
			w.ReportingInstance = "cluster-1"
			return nil
		},
		"a policy denies updates": func(w *sink.Write) *sink.Answer {
			if w.Operation != sink.Create {
				return refusal
			}
			return nil
		},
		"no right to patch": func(w *sink.Write) *sink.Answer {
			if w.Operation != sink.Create {
				return &missing
			}
			return nil
		},
		"a sink that can't read": func(w *sink.Write) *sink.Answer {
			if w.Operation == sink.Read {
				return refusal
			}
			return nil
		},
	} {
		m := newMemory()
		for life := range 15 {
			w := newShared(t, m, uint64(life+1), admit)
			w.c.writer.Identity = Instance
			for n := range 3 {
				w.at(time.Second+time.Duration(n)*ms, func() { w.record("prod", fmt.Sprint("o-", n), "started") })
			}
			w.run(12 * time.Second)
			w.expectNothingLost(3)
			w.expectWithin("prod", 0, time.Second, 3)
			if len(w.calls) > 4*3 {
				t.Errorf("%s, life %d: %d calls for three events", name, life, len(w.calls))
			}
		}
	}
}

// TestWritersOfOneFactTakeTurns: the replicas of a controller see five facts at once.
func TestWritersOfOneFactTakeTurns(t *testing.T) {
	for _, c := range []struct {
		replicas int
		most     time.Duration
	}{{2, time.Second}, {10, 2 * time.Second}, {20, 4 * time.Second}, {40, 8 * time.Second}} {
		m, calls, last := newMemory(), 0, time.Duration(0)
		var all []*world
		for n := range c.replicas {
			w := newShared(t, m, uint64(n+1), func(*sink.Write) *sink.Answer { return nil })
			for fact := range 5 {
				w.at(time.Second, func() { w.record("prod", fmt.Sprint("o-", fact), "changed") })
			}
			all = append(all, w)
		}
		for now := time.Duration(0); now < 2*time.Minute; now += ms {
			for _, w := range all {
				w.run(now)
			}
		}
		for _, w := range all {
			w.expectNothingLost(5)
			calls += len(w.calls)
			for _, s := range w.stored {
				last = max(last, s.after)
			}
		}
		t.Logf("%d replicas: %d calls, the last is stored after %v", c.replicas, calls, last)
		if last > c.most {
			t.Errorf("%d replicas: the last is stored after %v, at most %v is promised", c.replicas, last, c.most)
		}
		for _, e := range m.List() {
			if e.Series == nil || int(e.Series.Count) != c.replicas {
				t.Errorf("%d replicas: %s has %+v", c.replicas, e.Name, e.Series)
			}
		}
	}
}
