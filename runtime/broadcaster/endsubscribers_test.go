package broadcaster_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

const (
	behindLine = `"msg"="A subscriber has not come back though Shutdown's time is over; it is left behind" "error"=null `
	slowLine   = `"msg"="A subscriber is slower than events come; what it misses is only counted from here on" "error"=null `
)

// hanging is a subscriber that hangs in its first event until release is called.
func hanging(name string, buffer int) (s broadcaster.Subscriber, release func()) {
	hang := make(chan struct{})
	return broadcaster.Subscriber{Name: name, Buffer: buffer, Show: func(eventrt.Event) { <-hang }}, func() { close(hang) }
}

func TestSubscribersThatHangAreLeftBehindAndSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, log := start(t, broadcaster.Options{Sink: newStore()})
		one, releaseOne := hanging("one", 0)
		two, releaseTwo := hanging("two", 0)
		first := b.Attach(one)
		var good journal
		b.Attach(broadcaster.Subscriber{Show: good.add})
		publishJobs(b, 1)
		second := b.Attach(two)
		publishJobs(b, 3)
		ctx, cancel := contextWithTimeout(t, 5*time.Second)
		defer cancel()
		started := time.Now()
		if err := b.Shutdown(ctx); err != nil {
			t.Errorf("all was written, yet Shutdown says %v", err)
		}
		if took := time.Since(started); took != time.Second {
			t.Errorf("Shutdown took %v, expected the grace of a second", took)
		}
		expectLines(t, log, behindLine+`"subscriber"="one" "waiting"=3`, behindLine+`"subscriber"="two" "waiting"=2`)
		if got := good.all(); got != "created 0,created 0,created 1,created 2" {
			t.Errorf("the one that does not hang saw %s", got)
		}
		releaseOne()
		releaseTwo()
		<-first()
		<-second()
	})
}

// TestASubscriberThatIsSlowSeesAll: it takes 4 s for the events that wait for it, and goes on.
func TestASubscriberThatIsSlowSeesAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, log := start(t, broadcaster.Options{Sink: newStore()})
		var slow journal
		b.Attach(broadcaster.Subscriber{Show: func(e eventrt.Event) { time.Sleep(800 * time.Millisecond); slow.add(e) }})
		publishJobs(b, 5)
		ctx, cancel := contextWithTimeout(t, 10*time.Second)
		defer cancel()
		if err := b.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		if got := slow.all(); got != "created 0,created 1,created 2,created 3,created 4" {
			t.Errorf("it saw %s", got)
		}
		expectLines(t, log)
	})
}

func TestTheErrorOfShutdownNamesThoseLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &moody{store: newStore()}
		m.away.Store(true)
		b, log := start(t, broadcaster.Options{Sink: m})
		const away = `"msg"="Events are not taken for now; they wait, and are tried again" "error"="connection refused" ` +
			`"scope"="server" "pending"=2 "outagesSinceLastLine"=0`
		s, release := hanging("audit", 2)
		stop := b.Attach(s)
		publishJobs(b, 2)
		ctx, cancel := contextWithTimeout(t, 500*time.Millisecond)
		defer cancel()
		err := b.Shutdown(ctx)
		left, ok := errors.AsType[*broadcaster.ShutdownError](err)
		if !ok || left.Left.Shutdown != 2 {
			t.Fatalf("Shutdown: %v", err)
		}
		if diff := cmp.Diff([]broadcaster.SubscriberStats{{Name: "audit", Waiting: 1}}, left.Subscribers); diff != "" {
			t.Errorf("left behind (- expected, + found):\n%s", diff)
		}
		if want := `; the subscriber "audit" was left behind with 1 events waiting`; !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
		expectLines(t, log, away, behindLine+`"subscriber"="audit" "waiting"=1`)
		release()
		<-stop()
	})
}

// TestSubscribersHaveAMomentThoughTheTimeIsOver: the server has used up all of Shutdown's time, and
// a file must still be closed.
func TestSubscribersHaveAMomentThoughTheTimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &moody{store: newStore()}
		m.away.Store(true)
		b, log := start(t, broadcaster.Options{Sink: m})
		var d diary
		s := d.subscriber()
		s.Show = func(e eventrt.Event) { time.Sleep(700 * time.Millisecond); d.note(e.Message()) }
		s.End = func() error { d.note("end"); return nil }
		b.Attach(s)
		publishJobs(b, 2)
		ctx, cancel := contextWithTimeout(t, 500*time.Millisecond)
		defer cancel()
		if err := b.Shutdown(ctx); err == nil {
			t.Error("nothing was left")
		}
		if got := d.all(); got != "created 0,created 1,idle,end" {
			t.Errorf("called %s", got)
		}
		if lines := log.all(); len(lines) != 1 || !strings.Contains(lines[0], "Events are not taken for now") {
			t.Errorf("logged %q", lines)
		}
	})
}

// TestASubscriberThatHangsIsSaidToBeSlow after a minute, when it has ended, or by Shutdown.
func TestASubscriberThatHangsIsSaidToBeSlow(t *testing.T) {
	const slow = slowLine + `"subscriber"="audit" "dropped"=3 "buffer"=2`
	for name, end := range map[string]func(b *broadcaster.Broadcaster, stop func() (done <-chan struct{}), release func()) []string{
		"after a minute": func(_ *broadcaster.Broadcaster, _ func() (done <-chan struct{}), release func()) []string {
			time.Sleep(time.Minute)
			release()
			return []string{slow}
		},
		"it has ended": func(_ *broadcaster.Broadcaster, stop func() (done <-chan struct{}), release func()) []string {
			done := stop()
			release()
			<-done
			return []string{slow}
		},
		"Shutdown": func(b *broadcaster.Broadcaster, stop func() (done <-chan struct{}), release func()) []string {
			defer func() { release(); <-stop() }()
			_ = b.Shutdown(context.Background())
			return []string{slow, behindLine + `"subscriber"="audit" "waiting"=2`}
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			b, log := start(t, broadcaster.Options{Sink: newStore()})
			s, release := hanging("audit", 2)
			stop := b.Attach(s)
			publishJobs(b, 1)
			synctest.Wait()
			publishJobs(b, 5)
			expectLines(t, log)
			want := end(b, stop, release)
			if err := b.Shutdown(t.Context()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			expectLines(t, log, want...)
		})
	}
}
