package broadcaster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// ShutdownError reports what Shutdown has left unwritten. It wraps the context's error.
type ShutdownError struct {
	// Left holds the losses of the end: Shutdown counts occurrences never sent, Unacknowledged those sent without an answer,
	// which may be stored. Other causes are 0.
	Left runtime.Lost
	// Subscribers are the subscribers left behind because they had not come back; Waiting counts the events that they have not seen.
	// Such events are not lost. If everything was written, there is no error, only a log line for each subscriber.
	Subscribers []SubscriberStats
	cause       error
}

// Error gives the number of occurrences left, and what to do.
func (e *ShutdownError) Error() string {
	text := fmt.Sprintf("event recording ended with %d occurrences not known to be written (%d not sent, %d without an answer): %v; give Shutdown more time, or look why the API server did not take them",
		e.Left.Total(), e.Left.Shutdown, e.Left.Unacknowledged, e.cause)
	for _, s := range e.Subscribers {
		text += fmt.Sprintf("; the subscriber %q was left behind with %d events waiting", s.Name, s.Waiting)
	}
	return text
}

// Unwrap returns the context's error.
func (e *ShutdownError) Unwrap() error { return e.cause }

// Shutdown ends recording: later events count as rejected. It writes what is pending without regard to the
// schedule, Warning first, in turns between namespaces and objects, until all is written or ctx ends. Without a deadline it also ends once
// everything pending was tried three times and nothing was stored for 30 s. Subscribers see the events that wait for them. Shutdown returns
// a *ShutdownError if anything was left. No goroutine of the broadcaster outlives it, except one whose sink, observer or subscriber has
// not come back a moment after the end of ctx, which is logged. Further calls wait for the first and return its error.
func (b *Broadcaster) Shutdown(ctx context.Context) error {
	if b.ending.Swap(true) {
		<-b.ended
		return b.result
	}
	if ctx == nil {
		ctx = context.Background()
	}
	before := b.drain()
	cause := b.waitDrained(ctx)
	b.stopWorkers()
	left := b.abandon(before)
	b.lastLook()
	behind := b.endSubscribers(ctx)
	if left.Total() > 0 {
		b.result = &ShutdownError{Left: left, Subscribers: behind, cause: cause}
	}
	close(b.ended)
	return b.result
}

// A Shutdown without deadline gives up once everything pending was tried this often since it began, and nothing was stored for this long.
const (
	lastTries    = 3
	storedWithin = 30 * time.Second
)

// errGivenUp is the cause if Shutdown ends before its context.
var errGivenUp = errors.New("everything pending was tried three times, and nothing was stored for 30 s")

// waitDrained waits until everything pending is written. Otherwise it returns why it ended earlier.
func (b *Broadcaster) waitDrained(ctx context.Context) error {
	begun := b.clock.Now().Mono
	timer := b.clock.NewTimer(storedWithin)
	defer timer.Stop()
	hopeless := false
	for {
		select {
		case <-b.drained:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-timer.C():
		}
		before := hopeless
		_, limited := ctx.Deadline()
		hopeless = !limited && b.hopeless(begun)
		if hopeless && before { // twice, a second apart, so that an answer which has just ended a doubt takes effect in between
			return errGivenUp
		}
		timer.Reset(time.Second)
	}
}

// hopeless reports whether a Shutdown that began at the given time has nothing left to try.
func (b *Broadcaster) hopeless(begun time.Duration) bool {
	if b.clock.Now().Mono-max(begun, time.Duration(b.stored.Load())) < storedWithin || b.desk.inDoubt() {
		return false
	}
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		tried := s.c.Tried(lastTries, b.desk.hopeless)
		s.mu.Unlock()
		if !tried {
			return false
		}
	}
	return true
}

// drain lifts the schedules of all shards and returns the losses until now.
func (b *Broadcaster) drain() runtime.Lost {
	b.undrained.Store(int64(len(b.shards)))
	b.desk.drain()
	var lost runtime.Stats
	for i := range b.shards {
		s := &b.shards[i]
		now := b.clock.Now()
		s.mu.Lock()
		s.c.Drain(now)
		stats := s.c.Stats()
		s.undrained = true
		empty := s.drainedNow()
		sooner := b.update(s, now.Mono)
		s.mu.Unlock()
		lost.Add(&stats)
		b.follow(sooner, empty)
	}
	return lost.Lost
}

// stopWorkers ends the workers and waits for them. If a sink does not come back although its context has ended, or an observer does
// not, it is left behind after a moment.
func (b *Broadcaster) stopWorkers() {
	b.cancel()
	stopped := make(chan struct{})
	go func() {
		b.workers.Wait()
		close(stopped)
	}()
	timer := b.clock.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-stopped:
	case <-timer.C():
		b.say.stuck(b.Stats().InFlight)
	}
}

// abandon gives up what is pending and returns the losses.
func (b *Broadcaster) abandon(before runtime.Lost) runtime.Lost {
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		s.c.Abandon()
		s.mu.Unlock()
	}
	after := b.Stats().Lost
	return runtime.Lost{
		Unacknowledged: after.Unacknowledged - before.Unacknowledged,
		Shutdown:       after.Shutdown - before.Shutdown,
	}
}
