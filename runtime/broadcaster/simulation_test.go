package broadcaster_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
	"github.com/event-gen/event-gen/runtime/sink"
)

var simCount = flag.Int("histories", 60, "number of random histories")

// TestSimulation records from several goroutines into a sink that fails, refuses and hangs at
// random, with eight calls at a time. Everything is accounted for at all times, also if Shutdown
// runs out of time. What becomes of an event is the correlator's matter.
func TestSimulation(t *testing.T) {
	if testing.Short() {
		*simCount = min(*simCount, 10)
	}
	first := seed.Of(t)
	for n := range uint64(*simCount) {
		synctest.Test(t, func(t *testing.T) {
			if err := play(t, rand.New(rand.NewPCG(first+n, 0xb0a))); err != nil {
				t.Errorf("-seed=%d -histories=1: %v", first+n, err)
			}
		})
		if t.Failed() {
			return
		}
	}
}

// troubled is a store with trouble of any kind.
type troubled struct {
	*store
	mu     sync.Mutex
	rng    *rand.Rand
	healed bool
}

// roll returns a random number below n.
func (s *troubled) roll(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rng.IntN(n)
}

func (s *troubled) isHealed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.healed
}

func (s *troubled) Write(ctx context.Context, w *sink.Write) sink.Answer {
	s.enter(w)
	a, takes := sink.Answer{Outcome: sink.Done}, time.Duration(1+s.roll(10))*time.Millisecond
	if !s.isHealed() {
		switch s.roll(8) {
		case 0:
			takes = time.Hour
		case 1:
			a = sink.Answer{Outcome: sink.Refused, Err: errors.New("no")}
		case 2, 3, 4:
			a = sink.Answer{Outcome: sink.Retry, Scope: sink.Scope(s.roll(int(sink.ScopeServer) + 1)), Err: errors.New("not now")}
		}
	}
	select {
	case <-time.After(takes):
	case <-ctx.Done():
		a = sink.Answer{Outcome: sink.Retry, Err: ctx.Err()}
	}
	return s.leave(w, a)
}

// play records for a minute or so, and ends. The trouble ends before, or never.
func play(t *testing.T, rng *rand.Rand) error {
	s := &troubled{store: newStore(), rng: rng}
	b, _ := start(t, broadcaster.Options{Sink: s, Correlator: correlator.Tuned(correlator.Options{}, tuning.Tuning{MaxInFlight: 8})})
	var recorders sync.WaitGroup
	for range 4 {
		recorders.Go(func() {
			for range 200 {
				time.Sleep(time.Duration(s.roll(600)) * time.Millisecond)
				if s.roll(2) == 0 {
					b.Publish(failedEvent(fmt.Sprint("job-", s.roll(6))))
				} else {
					b.Publish(createdEvent(fmt.Sprint("job-", s.roll(40)), s.roll(100)))
				}
				checkConserved(t, b.Stats())
			}
		})
	}
	recorders.Wait()
	s.mu.Lock()
	s.healed = rng.IntN(2) == 0
	s.mu.Unlock()
	ctx, cancel := contextWithTimeout(t, 5*time.Minute)
	defer cancel()
	if !s.isHealed() {
		ctx, cancel = contextWithTimeout(t, time.Duration(s.roll(3000))*time.Millisecond)
		defer cancel()
	}
	err := b.Shutdown(ctx)
	stats, stored := b.Stats(), uint64(s.total())
	checkConserved(t, stats)
	var left *broadcaster.ShutdownError
	switch isLeft := errors.As(err, &left); {
	case s.isHealed() && (err != nil || stored != stats.Written || stats.Lost.Total() != stats.Lost.Refused):
		return fmt.Errorf("%w; stored %d: %+v", err, stored, stats)
	case stats.Pending != 0 || stats.InFlight != 0 || stored < stats.Written || stored > stats.Written+stats.Lost.Unacknowledged:
		return fmt.Errorf("stored %d: %+v", stored, stats)
	case (err != nil) != isLeft || isLeft && left.Left != (eventrt.Lost{Shutdown: stats.Lost.Shutdown, Unacknowledged: stats.Lost.Unacknowledged}):
		return fmt.Errorf("%w; %+v", err, stats)
	}
	return s.fault
}
