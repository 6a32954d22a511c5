package correlator

import (
	"fmt"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime/sink"
)

// TestASlowCallCountsOnce: eight calls of the only namespace have no answer, and then fail.
func TestASlowCallCountsOnce(t *testing.T) {
	w := newWorld(t, Options{})
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) { return hangs() }
	w.recordAt(0, "prod", 8)
	w.run(10*time.Second + ms)
	if s := w.c.d.Look(); s.Failures < 8 || s.InDoubt {
		t.Errorf("%d failures", s.Failures)
	}
}

// TestShutdownCancelsSlowCalls: they have begun to hang three seconds before. Their writes go again
// at once.
func TestShutdownCancelsSlowCalls(t *testing.T) {
	w := awayBetween(t, 10*time.Second, 14*time.Second, hangs)
	w.recordAt(10*time.Second, "prod", 20)
	w.drain(13*time.Second, 20*time.Second)
	w.run(20 * time.Second)
	w.expectNothingLost(20)
}

// TestOneObjectThatHangs delays no other of its namespace by more than 5 s.
func TestOneObjectThatHangs(t *testing.T) {
	w := newWorld(t, Options{})
	w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
		if write.Regarding.Name == "bad" {
			return hangs()
		}
		return done(), 5 * ms
	}
	w.at(0, func() {
		for n := range 20 {
			w.record("prod", "bad", fmt.Sprint("text ", n))
		}
	})
	for s := range 120 {
		w.recordAt(time.Duration(s)*500*ms, "prod", 5)
	}
	w.run(90 * time.Second)
	w.expectWithin("prod", 0, 5*time.Second, 600)
}
