package guard_test

import (
	goruntime "runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/guard"
)

func TestWhoeverSpeaksComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s guard.Speaker
		said := 0
		s.Say(func() { said++ })
		s.Say(func() { panic("logger") })
		s.Say(goruntime.Goexit)
		s.Say(func() { said++ })
		if said != 2 || time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)) > 0 {
			t.Fatalf("%d lines said", said)
		}
		release := make(chan struct{})
		start := time.Now()
		s.Say(func() { <-release })
		s.Say(func() { said++ }) // lost, and at once
		if waited := time.Since(start); waited != time.Second || said != 2 {
			t.Errorf("waited %v, %d lines said", waited, said)
		}
		close(release)
		synctest.Wait()
		s.Say(func() { said++ })
		if said != 3 {
			t.Errorf("%d lines said once the logger is back", said)
		}
	})
}

// brokenClock panics when told to.
type brokenClock struct {
	runtime.Clock
	broken bool
}

func (c *brokenClock) Now() runtime.Instant {
	if c.broken {
		panic("clock")
	}
	return runtime.Instant{Mono: time.Minute, Wall: time.Unix(1, 0)}
}

func (c *brokenClock) NewTimer(time.Duration) runtime.Timer { panic("timer") }

func TestABrokenClockTellsTheLastMoment(t *testing.T) {
	broken := &brokenClock{}
	c := guard.Clock(guard.Clock(broken))
	want := c.Now()
	broken.broken = true
	if got := c.Now(); got != want {
		t.Errorf("told %v, want %v", got, want)
	}
	select {
	case <-c.NewTimer(time.Millisecond).C():
	case <-time.After(10 * time.Second):
		t.Error("its timer does not fire")
	}
}
