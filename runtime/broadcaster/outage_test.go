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
	"unicode/utf8"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink"
)

const (
	beginsLine = `"msg"="Events are not taken for now; they wait, and are tried again" "error"="connection refused" "scope"="server" `
	endsLine   = `"level"=0 "msg"="Events are taken again; what has waited is written now" "scope"="server" `
)

// moody is a sink that is away at times.
type moody struct {
	*store
	away atomic.Bool
}

func (m *moody) Write(ctx context.Context, w *sink.Write) sink.Answer {
	if m.away.Load() {
		return sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeServer, Err: errors.New("connection refused")}
	}
	return m.store.Write(ctx, w)
}

// publishJobs records an event of each of n objects.
func publishJobs(b *broadcaster.Broadcaster, n int) {
	for i := range n {
		b.Publish(createdEvent(fmt.Sprintf("job-%d", i), i))
	}
}

func expectLines(t *testing.T, log *lines, want ...string) {
	t.Helper()
	synctest.Wait() // lines are written in a goroutine of their own
	if diff := cmp.Diff(want, log.all()); diff != "" {
		t.Errorf("logged (- expected, + found):\n%s", diff)
	}
}

func TestAnOutageIsSaidWhenItBeginsAndWhenItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &moody{store: newStore()}
		m.away.Store(true)
		b, log := start(t, broadcaster.Options{Sink: m, Correlator: correlator.Options{OneCall: true}})
		publishJobs(b, 3)
		time.Sleep(4 * time.Second) // it may be a moment's trouble
		expectLines(t, log)
		time.Sleep(3 * time.Second)
		begins := beginsLine + `"pending"=3 "outagesSinceLastLine"=0`
		expectLines(t, log, begins)
		time.Sleep(10 * time.Minute)
		m.away.Store(false)
		time.Sleep(time.Minute)
		expectLines(t, log, begins, endsLine+`"took"="10m7.76s" "failedCalls"=624 "pending"=2`)
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestAFlappingServerIsSaidOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &moody{store: newStore()}
		b, log := start(t, broadcaster.Options{Sink: m, Correlator: correlator.Options{OneCall: true}})
		for n := range 300 { // away for 7 s, there for 5 s
			m.away.Store(n%12 < 7)
			b.Publish(createdEvent(fmt.Sprintf("job-%d", n), n))
			time.Sleep(time.Second)
		}
		const took = `"took"="7`
		all := log.all()
		if len(all) != 10 {
			t.Errorf("%d lines in 5 minutes, expected 5 pairs: %q", len(all), all)
		}
		for n, line := range all {
			unlogged := strings.HasSuffix(line, `"outagesSinceLastLine"=4`) || strings.HasSuffix(line, `"outagesSinceLastLine"=5`)
			if n%2 == 0 && (!strings.HasPrefix(line, beginsLine) || n > 0 && !unlogged) ||
				n%2 == 1 && !strings.HasPrefix(line, endsLine+took) {
				t.Errorf("line %d: %s", n, line)
			}
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestAnOutageSoonAfterAnotherIsSaidLater: the second outage still goes on when the line of the
// first is a minute old.
func TestAnOutageSoonAfterAnotherIsSaidLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &moody{store: newStore()}
		b, log := start(t, broadcaster.Options{Sink: m, Correlator: correlator.Options{OneCall: true}})
		m.away.Store(true)
		publishJobs(b, 1)
		time.Sleep(9500 * time.Millisecond) // the server is tried each second
		m.away.Store(false)
		time.Sleep(2500 * time.Millisecond)
		first := []string{
			beginsLine + `"pending"=1 "outagesSinceLastLine"=0`,
			endsLine + `"took"="10s" "failedCalls"=10 "pending"=0`,
		}
		expectLines(t, log, first...)
		m.away.Store(true)
		b.Publish(failedEvent("job"))
		time.Sleep(45 * time.Second)
		expectLines(t, log, first...)
		time.Sleep(25500 * time.Millisecond)
		second := append(first, beginsLine+`"pending"=1 "outagesSinceLastLine"=0`)
		expectLines(t, log, second...)
		m.away.Store(false)
		time.Sleep(5 * time.Minute)
		expectLines(t, log, append(second, endsLine+`"took"="1m10.96s" "failedCalls"=76 "pending"=0`)...)
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestWhatShutdownCancelsIsNoOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, log := start(t, broadcaster.Options{Sink: sinkFunc(func(ctx context.Context, _ *sink.Write) sink.Answer {
			<-ctx.Done()
			return sink.Answer{Outcome: sink.Retry, MaybeStored: true, Err: ctx.Err()}
		})})
		publishJobs(b, 8)
		synctest.Wait()
		ctx, cancel := contextWithTimeout(t, time.Second)
		defer cancel()
		if err := b.Shutdown(ctx); err == nil {
			t.Error("nothing was left")
		}
		expectLines(t, log)
	})
}

// TestManyNamespacesWithoutRights: each is shown, and 20 of them are logged in ten minutes.
func TestManyNamespacesWithoutRights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, log := start(t, broadcaster.Options{Sink: sinkFunc(func(context.Context, *sink.Write) sink.Answer {
			return sink.Answer{Outcome: sink.Forbidden, Scope: sink.ScopeNamespace, Err: errors.New("no right")}
		})})
		const namespaces = 50
		record := func(minutes int) {
			for i := range 6 * minutes {
				for n := range namespaces {
					b.Publish(eventIn(fmt.Sprint("ns-", n), fmt.Sprint("pod-", minutes, "-", i)))
				}
				time.Sleep(10 * time.Second)
			}
		}
		record(5)
		troubles := b.Snapshot().Troubles
		if len(troubles) != namespaces {
			t.Errorf("%d troubles", len(troubles))
		}
		for _, tr := range troubles {
			if tr.For < 4*time.Minute || tr.Err != "no right" {
				t.Errorf("%+v", tr)
			}
		}
		if got := log.all(); len(got) != 20 {
			t.Errorf("%d lines in 5 minutes", len(got))
		}
		record(10)
		if got := log.all(); len(got) != 40 {
			t.Errorf("%d lines in 15 minutes", len(got))
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestTroublesKeepLittleOfAnAnswer: 300 namespaces fail with a text of a MiB each, which
// neither the page nor a Logger that blocks holds.
func TestTroublesKeepLittleOfAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release, long := make(chan struct{}), strings.Repeat("ä", 1<<19)
		b, err := broadcaster.New(broadcaster.Options{
			Sink: sinkFunc(func(_ context.Context, w *sink.Write) sink.Answer {
				return sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeNamespace, Err: errors.New(w.Namespace + long)}
			}),
			Logger: logr.New(&badLog{bad: func() { <-release }}),
		})
		if err != nil {
			t.Fatal(err)
		}
		held := heapBytes()
		for n := range 300 {
			for i := range 8 {
				b.Publish(eventIn(fmt.Sprint("ns-", n), fmt.Sprint("pod-", i)))
			}
		}
		time.Sleep(10 * time.Minute)
		if grown := heapBytes() - held; grown > 10<<20 {
			t.Errorf("%d bytes are held", grown)
		}
		troubles := b.Snapshot().Troubles
		if len(troubles) != 300 {
			t.Errorf("%d troubles", len(troubles))
		}
		for _, tr := range troubles {
			if len(tr.Err) > 1024 || !utf8.ValidString(tr.Err) || !strings.HasPrefix(tr.Err, tr.Namespace) || !strings.HasSuffix(tr.Err, "ä…") {
				t.Fatalf("%d bytes: %.20s", len(tr.Err), tr.Err)
			}
		}
		close(release)
		ctx, cancel := contextWithTimeout(t, time.Second)
		defer cancel()
		if err := b.Shutdown(ctx); err == nil {
			t.Error("nothing was left")
		}
	})
}

func heapBytes() int64 {
	goruntime.GC()
	goruntime.GC()
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
