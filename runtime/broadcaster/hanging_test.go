package broadcaster_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink"
)

// hangWhere is a sink whose writes that match have no answer, until their context ends.
func hangWhere(kept *store, matches func(w *sink.Write) bool) sinkFunc {
	return func(ctx context.Context, w *sink.Write) sink.Answer {
		if matches(w) {
			<-ctx.Done()
			return sink.Answer{Outcome: sink.Retry, MaybeStored: true, Err: ctx.Err()}
		}
		return kept.Write(ctx, w)
	}
}

const hangingLine = `"msg"="Events are not taken for now; they wait, and are tried again" "error"="calls do not come back in time" `

// TestAServerThatHangsIsSaidAfter5Seconds, however few calls are in flight.
func TestAServerThatHangsIsSaidAfter5Seconds(t *testing.T) {
	for _, one := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var away atomic.Bool
			away.Store(true)
			b, log := start(t, broadcaster.Options{Sink: hangWhere(newStore(), func(*sink.Write) bool { return away.Load() }),
				Correlator: correlator.Options{OneCall: one}})
			b.Publish(failedEvent("job"))
			time.Sleep(4900 * time.Millisecond)
			expectLines(t, log)
			if s := b.Snapshot(); s.Stats.InFlight != 1 || s.OldestCall != 4900*time.Millisecond || len(s.Troubles) != 0 {
				t.Errorf("before: %+v", s)
			}
			time.Sleep(200 * time.Millisecond)
			begins := hangingLine + `"scope"="server" "pending"=1 "outagesSinceLastLine"=0`
			expectLines(t, log, begins)
			if s := b.Snapshot(); len(s.Troubles) != 1 || s.Troubles[0].Namespace != "" {
				t.Errorf("after: %+v", s.Troubles)
			}
			time.Sleep(20 * time.Second)
			away.Store(false)
			time.Sleep(20 * time.Second)
			if s := b.Snapshot(); len(s.Troubles) != 0 || s.Stats.Written != 1 || s.OldestCall != 0 || len(log.all()) != 2 {
				t.Errorf("at the end: %+v; logged %q", s, log.all())
			}
			if err := b.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestANamespaceThatHangsIsNamed, while others are served.
func TestANamespaceThatHangsIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, log := start(t, broadcaster.Options{Sink: hangWhere(newStore(), func(w *sink.Write) bool { return w.Namespace == "sick" })})
		b.Publish(eventIn("sick", "sick"))
		time.Sleep(500 * time.Millisecond) // nothing is recorded in the moment of the line
		for n := range 6 {
			b.Publish(eventIn("well", fmt.Sprint("pod-", n)))
			time.Sleep(time.Second)
		}
		expectLines(t, log, hangingLine+`"scope"="namespace" "namespace"="sick" "pending"=1 "outagesSinceLastLine"=0`)
		ctx, cancel := contextWithTimeout(t, time.Second)
		defer cancel()
		_ = b.Shutdown(ctx)
	})
}
