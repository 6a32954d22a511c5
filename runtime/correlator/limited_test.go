package correlator

import (
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime/sink"
)

// TestARateIsUsed: a namespace takes five events a second, and answers 429 to more. What it takes
// is used, and few calls are in vain.
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
}
