package correlator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestARateIsUsed: a namespace takes five events a second, and answers 429 to more. The correlator
// uses that rate, and few calls are in vain.
func TestARateIsUsed(t *testing.T) {
	w := newWorld(t, Options{})
	tokens, last := 20.0, time.Duration(0)
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
		tokens, last = min(20, tokens+5*(w.now-last).Seconds()), w.now
		if tokens < 1 {
			return sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeNamespace, Limited: true}, 3 * ms
		}
		tokens--
		return done(), 5 * ms
	}
	w.recordAt(0, "slow", 2000)
	w.run(time.Minute)
	if n, failed := w.c.Stats().Written, w.failedIn(0, time.Minute); n < 250 || failed > 90 {
		t.Errorf("%d written at 5 a second in a minute, %d calls failed", n, failed)
	}
	for _, r := range w.c.all {
		if r.work != nil && r.work.Look().Failed {
			t.Fatal("a limited write counts as failed")
		}
	}
}

// TestARateIsRaised after one answer of 429: a minute and a half later as many calls are in flight
// as before.
func TestARateIsRaised(t *testing.T) {
	for _, scope := range []sink.Scope{sink.ScopeNamespace, sink.ScopeServer} {
		w := newWorld(t, Options{})
		once := true
		w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
			if once {
				once = false
				return limitedTo(scope), 5 * ms
			}
			return done(), 800 * ms
		}
		w.recordAt(0, "prod", 1)
		w.recordAt(10*time.Second, "prod", 8)
		w.run(20 * time.Second)
		if w.most["prod"] > 2 {
			t.Errorf("%v: %d calls are in flight a moment after a 429", scope, w.most["prod"])
		}
		w.recordAt(90*time.Second, "prod", 50)
		w.run(2 * time.Minute)
		if w.most["prod"] != defaultMaxInFlight/2 {
			t.Errorf("%v: %d calls are in flight a minute and a half later", scope, w.most["prod"])
		}
	}
}

// TestHangingNamespacesWhileTheServerLimits: namespaces begin to hang soon after the server has
// limited the rate, when it has a call at a time, or a few. The others have their events within
// seconds.
func TestHangingNamespacesWhileTheServerLimits(t *testing.T) {
	const ended, onset = 8 * time.Second, 11 * time.Second
	w := newWorld(t, Options{})
	w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
		switch {
		case w.now < ended && w.rng.IntN(2) == 0:
			return limitedTo(sink.ScopeServer), 5 * ms
		case strings.HasPrefix(write.Namespace, "bad") && w.now >= onset:
			return hangs()
		}
		return done(), 10 * ms
	}
	for n := range 40 * 60 {
		name := fmt.Sprint("good-", n%40)
		if n%40 < 7 {
			name = fmt.Sprint("bad-", n%40)
		}
		w.recordAt(time.Duration(n)*25*ms, name, 1)
	}
	w.run(90 * time.Second)
	longest := time.Duration(0)
	for _, s := range w.stored {
		if strings.HasPrefix(s.namespace, "good") && s.at >= onset {
			longest = max(longest, s.after)
		}
	}
	t.Logf("a healthy namespace waits %v at most", longest)
	if longest > 3*time.Second {
		t.Errorf("a healthy namespace waits %v", longest)
	}
}

// TestWaitingForTokensTakesNoMemory: an event waits for a token without end, while others come and
// go before it.
func TestWaitingForTokensTakesNoMemory(t *testing.T) {
	r := newRig(t, Options{})
	limit := &eventrt.Limit{Name: "tokens", Every: time.Second, Burst: 1}
	low, high := limited("Low", eventrt.Normal, limit), limited("High", eventrt.Warning, limit)
	r.record(about("a", high, "first"), about("b", low, "waits"))
	r.writeAll()
	for n := range 1000 {
		r.record(about("a", high, fmt.Sprint(n)))
		r.pass(time.Second)
		r.writeAll()
	}
	if waiting := r.c.d.Look().Waiting; waiting != 1 {
		t.Errorf("%d are remembered as waiting, 1 is", waiting)
	}
}
