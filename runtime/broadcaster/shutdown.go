package broadcaster

import (
	"context"
	"errors"
	"fmt"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/clock"
)

// ShutdownError reports the occurrences that Shutdown left unwritten. It wraps the context's error,
// if that has ended.
type ShutdownError struct {
	// Left holds the losses of the end: Shutdown counts occurrences that are not stored,
	// Unacknowledged counts occurrences that were sent and may be stored. Other causes are 0.
	Left eventrt.Lost
	// Subscribers are the subscribers that had not come back, and were left behind; Waiting counts
	// the events that they have not seen. Such events are not lost. If everything was written,
	// Shutdown returns no error, and logs only a line for each subscriber.
	Subscribers []SubscriberStats
	cause       error
}

// Error gives the number of occurrences left, and what to do.
func (e *ShutdownError) Error() string {
	text := fmt.Sprintf("event recording ended with %d occurrences not known to be written (%d not stored, %d may be stored): %v; give Shutdown more time, or look why the API server did not take them",
		e.Left.Total(), e.Left.Shutdown, e.Left.Unacknowledged, e.cause)
	for _, s := range e.Subscribers {
		text += fmt.Sprintf("; the subscriber %q was left behind with %d events waiting", s.Name, s.Waiting)
	}
	return text
}

// Unwrap returns the cause.
func (e *ShutdownError) Unwrap() error { return e.cause }

// grace is the time for which Shutdown waits for sinks, observers and subscribers to come back once
// writing has ended, and then for the Logger.
const grace = time.Second

// Causes other than the end of the context: nothing was stored for long, or all was answered.
var (
	errGivenUp = errors.New("nothing was stored for 30 s")
	errUnclear = errors.New("some answers leave open what is stored")
)

// Shutdown ends recording: later events count as rejected. It writes all pending events without
// regard to the schedule, Warning first, in turns between namespaces and objects, until all are
// written or ctx ends. Without a deadline it also ends once nothing was stored for 30 s.
// Subscribers see the events that wait for them. Shutdown returns a *ShutdownError if anything was
// left. No goroutine of the broadcaster outlives Shutdown, with one exception: a sink, observer,
// subscriber or Logger that does not come back keeps its goroutine. Shutdown waits for it for 2 s
// at most after the writing, and logs it. A subscriber that is slow but goes on has time until ctx
// ends. Further calls wait for the first and return its error, or their context's if that ends
// before.
func (b *Broadcaster) Shutdown(ctx context.Context) error {
	if ctx == nil {
		ctx = context.Background()
	}
	before, first := b.drain(ctx)
	if !first {
		return b.waitEnded(ctx)
	}
	cause := b.waitDrained(ctx)
	list := b.subscribers.close() // which end while the writers do
	timer := time.NewTimer(grace)
	defer timer.Stop()
	b.stopWriters()
	left := b.abandon(before)
	processMemory.leave(b)
	b.look(true)
	behind := b.endSubscribers(ctx, list, timer)
	b.log.flush(grace)
	if left.Total() > 0 {
		b.result = &ShutdownError{Left: left, Subscribers: behind, cause: cause}
	}
	close(b.ended)
	return b.result
}

// waitEnded is the Shutdown of all calls but the first.
func (b *Broadcaster) waitEnded(ctx context.Context) error {
	select {
	case <-b.ended:
		return b.result
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// drain ends recording, lifts the schedule, and cancels slow calls, so that their writes go again.
// It returns the losses until now. First is false if Shutdown has begun already.
func (b *Broadcaster) drain(ctx context.Context) (before eventrt.Lost, first bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.draining {
		return before, false
	}
	b.draining = true
	now, end := b.clock.Now(), clock.Never
	if deadline, limited := ctx.Deadline(); limited {
		end = now.Mono + time.Until(deadline)
	}
	before = b.stats().Lost
	b.cancelSlow(b.c.Drain(now, end))
	if ctx.Err() == nil { // else there is no time for another write
		b.follow(now.Mono, now.Mono)
	}
	b.settle()
	return before, true
}

// cancelSlow cancels calls. The lock is held.
func (b *Broadcaster) cancelSlow(tickets []uint64) {
	for _, ticket := range tickets {
		if c := b.inFlight[ticket]; c != nil {
			c.cancel()
		}
	}
}

// givesUpAfter is how long Shutdown waits for progress if its context has no deadline.
const givesUpAfter = 30 * time.Second

// waitDrained waits until everything pending is answered, or ctx has ended. It returns why
// something may be left.
func (b *Broadcaster) waitDrained(ctx context.Context) error {
	_, limited := ctx.Deadline()
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	before, idle := b.Stats().Pending, time.Duration(0)
	for {
		select {
		case <-b.drained:
			return errUnclear // of what was lost, if anything was
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-timer.C:
		}
		idle += time.Second
		if pending := b.hurry(); pending != before {
			before, idle = pending, 0
		}
		if idle >= givesUpAfter && !limited {
			return errGivenUp
		}
		timer.Reset(time.Second)
	}
}

// hurry cancels calls that have become slow since Shutdown began. It returns how much is pending.
func (b *Broadcaster) hurry() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cancelSlow(b.c.Drain(b.clock.Now(), clock.Never))
	return b.c.Stats().Pending
}

// stopWriters ends the writers and waits for them. After a moment it leaves behind a writer whose
// sink or observer does not come back.
func (b *Broadcaster) stopWriters() {
	b.mu.Lock()
	b.stopped = true
	b.mu.Unlock()
	b.cancel()
	comeBack := make(chan struct{})
	go func() {
		b.goroutines.Wait()
		close(comeBack)
	}()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-comeBack:
	case <-timer.C:
		b.log.error(nil, "A call of the sink or of an observer has not come back though Shutdown's time is over; it is left behind",
			"callsOfTheSink", b.Stats().InFlight)
	}
}

// abandonStep is the number of events that abandon gives up in one hold of the lock.
const abandonStep = 256

// abandon gives up everything pending, and returns the losses since before.
func (b *Broadcaster) abandon(before eventrt.Lost) eventrt.Lost {
	for more := true; more; {
		b.mu.Lock()
		more = b.c.Abandon(abandonStep)
		b.mu.Unlock()
	}
	after := b.Stats().Lost
	return eventrt.Lost{
		Unacknowledged: after.Unacknowledged - before.Unacknowledged,
		Shutdown:       after.Shutdown - before.Shutdown,
	}
}
