package broadcaster_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/eventfilter"
	"github.com/event-gen/event-gen/runtime/sink"
)

// told is an answer that an observer gets.
type told struct {
	op      sink.Operation
	outcome sink.Outcome
	took    time.Duration
}

// observations collects the calls of an observer.
type observations struct {
	mu      sync.Mutex
	reasons []string
	writes  []told
}

func (o *observations) observer() broadcaster.Observer {
	return broadcaster.Observer{
		Recorded: func(s *eventrt.Definition) {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.reasons = append(o.reasons, s.Reason)
		},
		Written: func(w *sink.Write, a sink.Answer, took time.Duration) {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.writes = append(o.writes, told{w.Operation, a.Outcome, took})
		},
	}
}

func TestObserversAreToldOfEventsAndWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var answers int
		target := sinkFunc(func(context.Context, *sink.Write) sink.Answer {
			time.Sleep(30 * time.Millisecond)
			answers++
			switch answers {
			case 2:
				return sink.Answer{Outcome: sink.Retry}
			case 4:
				panic("oh")
			}
			return sink.Answer{Outcome: sink.Done}
		})
		b, _ := start(t, broadcaster.Options{Sink: target, Correlator: correlator.Options{OneCall: true}})
		var o observations
		stop := b.AttachObserver(o.observer())
		b.Publish(failedEvent("job"))
		b.Publish(eventrt.Event{}) // rejected
		synctest.Wait()
		b.Publish(failedEvent("job"))
		time.Sleep(time.Minute) // the update is tried twice
		b.Publish(createdEvent("job", 1))
		time.Sleep(time.Minute)
		stop()
		stop()
		b.Publish(createdEvent("job", 2))
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if got := strings.Join(o.reasons, ","); got != "Failed,Failed,Created" {
			t.Errorf("recorded %q", got)
		}
		const took = 30 * time.Millisecond
		want := []told{
			{op: sink.Create, outcome: sink.Done, took: took},
			{op: sink.Update, outcome: sink.Retry, took: took},
			{op: sink.Update, outcome: sink.Done, took: took},
			{op: sink.Create, outcome: sink.Refused, took: took},
		}
		if len(o.writes) != len(want) {
			t.Fatalf("written %+v", o.writes)
		}
		for i := range want {
			if o.writes[i] != want[i] {
				t.Errorf("write %d: %+v, expected %+v", i, o.writes[i], want[i])
			}
		}
	})
}

// TestSwitchesAndObserversAllocateNothing holds the cost of a repeat while everything that Publish
// looks at is in use.
func TestSwitchesAndObserversAllocateNothing(t *testing.T) {
	trace := func(context.Context) string { return "4bf92f3577b34da6a3ce929d0e0e4736" }
	b, _ := start(t, broadcaster.Options{Sink: newStore(), TraceID: trace, Filter: eventfilter.Func(inProd)})
	defer b.Shutdown(t.Context())
	recorded := 0
	b.AttachObserver(broadcaster.Observer{Recorded: func(*eventrt.Definition) { recorded++ }})
	recorder := eventrt.NewRecorder(b).WithContext(t.Context())
	emit := func() { recorder.Emit(createdEvent("job", 7)) }
	base := testing.AllocsPerRun(1000, func() { createdEvent("job", 7) })
	emit()
	if got := testing.AllocsPerRun(1000, emit) - base; got > 0 {
		t.Errorf("a repeat costs %v allocations", got)
	}
	b.SetEnabled(false)
	if got := testing.AllocsPerRun(1000, emit) - base; got > 0 {
		t.Errorf("a disabled event costs %v allocations", got)
	}
	if recorded != 1002 {
		t.Errorf("%d recorded", recorded)
	}
}
