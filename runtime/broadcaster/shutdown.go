package broadcaster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// ShutdownError says what Shutdown has left unwritten. It wraps the context's error.
type ShutdownError struct {
	// Left is what was lost by ending: Shutdown counts what was never sent, Unacknowledged what was sent without an answer
	// and may be stored. Causes that had nothing to do with the end are 0.
	Left runtime.Lost
	// Subscribers are those that had not come back and were left behind; Waiting is what they have not seen. What they miss is
	// not lost: without anything left unwritten there is no error, only a log line for each.
	Subscribers []SubscriberStats
	cause       error
}

// Error says how many occurrences are left, and what to do.
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

// Shutdown ends recording: what comes later is counted as rejected. What is pending is written without regard to the
// schedule, Warning first, in turns between namespaces and objects, until all is written or ctx ends; without a deadline also once
// everything pending was tried three times and nothing was stored for 30 s. Subscribers get what waits for them. It returns
// a *ShutdownError if anything was left. No goroutine of the broadcaster outlives it, save a sink or a subscriber that has
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

// A Shutdown without deadline gives up once everything pending was tried so often since it began, and nothing was stored for so long.
const (
	lastTries    = 3
	storedWithin = 30 * time.Second
)

// errGivenUp is why Shutdown ends before its context does.
var errGivenUp = errors.New("everything pending was tried three times, and nothing was stored for 30 s")

// waitDrained waits until everything pending is written, or returns why it ends before.
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
		if hopeless && before { // twice, a second apart: an answer that has just ended a doubt is carried out in between
			return errGivenUp
		}
		timer.Reset(time.Second)
	}
}

// hopeless reports whether a Shutdown that has begun at a moment has nothing left to try.
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

// stopWorkers ends the workers and waits for them. A sink that does not come back, though its context has ended, is left
// behind after a moment.
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
		b.say.stuck()
	}
}

// abandon gives up what is pending and returns what was lost by ending.
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
