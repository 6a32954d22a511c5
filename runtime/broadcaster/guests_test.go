package broadcaster_test

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
)

// refusing is a sink that refuses events about the object "sick".
func refusing(kept *store) sinkFunc {
	return func(ctx context.Context, w *sink.Write) sink.Answer {
		if w.Regarding.Name == "sick" {
			return sink.Answer{Outcome: sink.Refused, Err: errors.New("no")}
		}
		return kept.Write(ctx, w)
	}
}

// TestAGuestThatBlocksOnOneEventHoldsUpNoOther: the Logger, or an observer, never returns from its
// call about one event.
func TestAGuestThatBlocksOnOneEventHoldsUpNoOther(t *testing.T) {
	for _, guest := range []string{"Logger", "Observer"} {
		synctest.Test(t, func(t *testing.T) {
			kept, release := newStore(), make(chan struct{})
			opts := broadcaster.Options{Sink: refusing(kept)}
			if guest == "Logger" {
				opts.Logger = logr.New(&badLog{bad: func() { <-release }})
			}
			b, err := broadcaster.New(opts)
			if err != nil {
				t.Fatal(err)
			}
			if guest == "Observer" {
				b.AttachObserver(broadcaster.Observer{Written: func(w *sink.Write, _ sink.Answer, _ time.Duration) {
					if w.Regarding.Name == "sick" {
						<-release
					}
				}})
			}
			b.Publish(failedEvent("sick"))
			synctest.Wait()
			publishJobs(b, 100)
			time.Sleep(time.Second)
			if s := b.Stats(); s.Written != 100 || s.InFlight != 0 {
				t.Errorf("%s: after a second: %+v", guest, s)
			}
			begun := time.Now()
			if err := b.Shutdown(context.Background()); err != nil || time.Since(begun) > 2*time.Second {
				t.Errorf("%s: after %v: %v", guest, time.Since(begun), err)
			}
			close(release)
		})
	}
}

// TestAnObserverThatNeverReturnsHas64Calls: all else goes on, another observer included.
func TestAnObserverThatNeverReturnsHas64Calls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, log := start(t, broadcaster.Options{Sink: newStore()})
		var exact, blocked atomic.Int32
		release := make(chan struct{})
		b.AttachObserver(broadcaster.Observer{Written: func(*sink.Write, sink.Answer, time.Duration) { exact.Add(1) }})
		b.AttachObserver(broadcaster.Observer{Written: func(*sink.Write, sink.Answer, time.Duration) { blocked.Add(1); <-release }})
		publishJobs(b, 200)
		time.Sleep(time.Second)
		if s := b.Snapshot(); s.Stats.Written != 200 || s.Skipped != 136 || exact.Load() != 200 || blocked.Load() != 64 {
			t.Errorf("%d calls of the one, %d of the other; %+v", exact.Load(), blocked.Load(), s)
		}
		expectLines(t, log, `"msg"="An observer does not return; while 64 of its calls have not, further ones are only counted" "error"=null`)
		close(release)
		synctest.Wait()
		b.Publish(failedEvent("job"))
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if exact.Load() != 201 || blocked.Load() != 65 {
			t.Errorf("%d calls of the one, %d of the other", exact.Load(), blocked.Load())
		}
	})
}

// TestALoggerThatBlocksHas256Lines, and one that it does not return from. The others are counted,
// which is logged once the Logger returns.
func TestALoggerThatBlocksHas256Lines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, release := &lines{}, make(chan struct{})
		b, err := broadcaster.New(broadcaster.Options{Sink: newStore(), Logger: funcr.New(func(prefix, args string) { <-release; log.add(prefix, args) }, funcr.Options{})})
		if err != nil {
			t.Fatal(err)
		}
		for n := range 300 {
			b.Attach(broadcaster.Subscriber{Name: fmt.Sprint("broken-", n), Show: func(eventrt.Event) { panic("oh") }})
		}
		b.Publish(failedEvent("job"))
		time.Sleep(time.Second)
		if dropped := b.Snapshot().Skipped; dropped != 43 {
			t.Errorf("%d lines dropped, expected 43", dropped)
		}
		close(release)
		synctest.Wait()
		all := strings.Join(log.all(), "\n")
		const dropped = `"msg"="Log lines were dropped because the logger was too slow" "error"=null "dropped"=43`
		if panicked := strings.Count(all, "A subscriber panicked"); panicked != 257 || strings.Count(all, dropped) != 1 {
			t.Errorf("%d lines about panics; logged %s", panicked, all)
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestALoggerThatEndsItsGoroutineEndsNothingElse: the watch logs that a subscriber is slow, and
// goes on to start the writes that fall due.
func TestALoggerThatEndsItsGoroutineEndsNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := newStore()
		b, err := broadcaster.New(broadcaster.Options{Sink: kept, Logger: logr.New(&badLog{bad: goruntime.Goexit})})
		if err != nil {
			t.Fatal(err)
		}
		s, release := hanging("audit", 1)
		b.Attach(s)
		publishJobs(b, 5)
		time.Sleep(time.Minute)
		b.Publish(failedEvent("job"))
		synctest.Wait()
		b.Publish(failedEvent("job"))
		time.Sleep(2 * time.Second)
		if s := b.Stats(); s.Updates != 1 || s.Pending != 0 {
			t.Errorf("the update was not written: %+v", s)
		}
		release()
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestASinkThatChangesTheTicketHarmsNothing: it must leave it alone.
func TestASinkThatChangesTheTicketHarmsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := start(t, broadcaster.Options{Sink: sinkFunc(func(_ context.Context, w *sink.Write) sink.Answer {
			w.Ticket = 0
			return sink.Answer{Outcome: sink.Done}
		})})
		publishJobs(b, 5)
		time.Sleep(5 * time.Second)
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if s := b.Stats(); s.Written != 5 || s.InFlight != 0 {
			t.Errorf("%+v", s)
		}
	})
}

// TestShutdownEndsBesideASubscriberThatHangs: with a context that never ends, a second time, and
// from a subscriber.
func TestShutdownEndsBesideASubscriberThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := start(t, broadcaster.Options{Sink: newStore()})
		s, release := hanging("audit", 0)
		b.Attach(s)
		publishJobs(b, 3)
		began, ended := time.Now(), make(chan time.Duration, 1)
		go func() {
			_ = b.Shutdown(context.Background())
			ended <- time.Since(began)
		}()
		synctest.Wait()
		ctx, cancel := contextWithTimeout(t, 100*time.Millisecond)
		defer cancel()
		if err := b.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 100*time.Millisecond {
			t.Errorf("the second: %v after %v", err, time.Since(began))
		}
		select {
		case took := <-ended:
			if took > 2*time.Second {
				t.Errorf("the first took %v", took)
			}
		case <-time.After(24 * time.Hour):
			t.Error("the first has not ended")
		}
		release()
	})
	synctest.Test(t, func(t *testing.T) {
		b, _ := start(t, broadcaster.Options{Sink: newStore()})
		ended := make(chan time.Duration, 1)
		b.Attach(broadcaster.Subscriber{Show: func(eventrt.Event) {
			began := time.Now()
			_ = b.Shutdown(context.Background())
			ended <- time.Since(began)
		}})
		b.Publish(failedEvent("job"))
		select {
		case took := <-ended:
			if took > 2*time.Second || b.Stats().Written != 1 {
				t.Errorf("took %v: %+v", took, b.Stats())
			}
		case <-time.After(24 * time.Hour):
			t.Error("a Shutdown from a subscriber has not ended")
		}
	})
}
