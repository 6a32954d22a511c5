package broadcaster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/sink"
)

// lookInterval is the time between two looks at the accounts.
const lookInterval = 10 * time.Second

// watch starts a writer when a write falls due later. It also looks at the accounts from time to
// time and logs losses: a recording goroutine must not log them, and a writer may hang in the sink.
// It ends with b.ctx.
func (b *Broadcaster) watch() {
	look := time.NewTimer(lookInterval)
	defer look.Stop()
	defer b.timer.Stop()
	for {
		select {
		case <-b.ctx.Done():
			return
		case <-b.timer.C:
			b.mu.Lock()
			b.alarm = clock.Never
			now := b.clock.Now().Mono
			b.follow(now, now)
			b.mu.Unlock()
		case <-look.C:
			b.look(false)
			look.Reset(lookInterval)
		}
	}
}

// follow starts a writer if a write may go now and no writer is looking for one. Otherwise it sets
// the timer. The lock is held.
func (b *Broadcaster) follow(wake, now time.Duration) {
	switch {
	case b.stopped:
	case wake > now && wake < b.alarm:
		b.alarm = wake
		b.timer.Reset(wake - now)
	case wake <= now && b.looking == 0:
		b.looking++
		b.goroutines.Add(1)
		go b.write()
	}
}

// call holds the memory that a writer reuses for each of its calls of the sink, because it is large
// or costs allocations.
type call struct {
	w       sink.Write
	ticket  uint64 // of w, which a sink might change
	looks   bool   // the writer counts among Broadcaster.looking
	sent    time.Duration
	ctx     context.Context
	cancel  context.CancelFunc
	begun   time.Time     // when ctx was made
	timeout time.Duration // of ctx
}

// calls holds the calls that no writer uses.
var calls = sync.Pool{New: func() any { return new(call) }}

// begin makes the context of a call that begins now. Calls that follow each other closely share
// one, so that each has between nine tenths of its time-out and all of it.
func (c *call) begin(parent context.Context) {
	now, timeout := time.Now(), c.w.Timeout
	if c.ctx != nil && c.ctx.Err() == nil && timeout == c.timeout && now.Sub(c.begun) <= timeout/10 {
		return
	}
	c.end()
	c.ctx, c.cancel = context.WithTimeout(parent, timeout)
	c.begun, c.timeout = now, timeout
}

// end ends the context.
func (c *call) end() {
	if c.cancel != nil {
		c.cancel()
	}
	c.ctx, c.cancel = nil, nil
}

// write carries writes to the sink and their answers back, until none may go. If a function of the
// program ends the goroutine (runtime.Goexit, as t.Fatal does), another writer takes over.
func (b *Broadcaster) write() {
	defer b.goroutines.Done()
	c := calls.Get().(*call)
	c.looks = true
	comesBack := false
	defer func() {
		c.end()
		if comesBack {
			calls.Put(c)
			return
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if c.looks {
			now := b.clock.Now()
			b.looking--
			b.follow(now.Mono, now.Mono)
		}
	}()
	for ok := true; ok; {
		var notes []notice.Notice
		ok, notes = b.next(c)
		b.noteAll(notes, nil, nil)
		if ok {
			b.send(c)
		}
	}
	comesBack = true
}

// next asks for a write that may go, and for notices. It starts another writer if there is more to
// write.
func (b *Broadcaster) next(c *call) (ok bool, notes []notice.Notice) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !c.looks { // it has told guests of an answer
		b.looking++
	}
	c.looks = false
	for more := true; more && !b.stopped; {
		now := b.clock.Now()
		var wake time.Duration
		ok, wake = b.c.Next(now, &c.w)
		b.settle()
		// the correlator went through as many records as one hold of the lock allows
		if more = !ok && wake <= now.Mono; more {
			b.mu.Unlock()
			b.mu.Lock()
			continue
		}
		b.looking--
		b.follow(wake, now.Mono)
		if ok {
			c.begin(b.ctx)
			c.ticket, c.sent = c.w.Ticket, now.Mono
			b.inFlight[c.ticket] = c
		}
		return ok, b.c.Notices()
	}
	b.looking--
	return false, nil
}

// errEnded is the refusal of a write whose sink has ended the goroutine.
var errEnded = errors.New("the sink ended the goroutine that called it (runtime.Goexit, as t.Fatal does)")

// send hands a write to the sink and takes its answer back. A sink that panics, ends the goroutine
// or gives no outcome has refused the write, and may have stored it.
func (b *Broadcaster) send(c *call) {
	a := sink.Answer{Outcome: sink.Refused, MaybeStored: true, Err: errEnded}
	start := b.clock.Now().Mono
	defer func() {
		if p := recover(); p != nil {
			a.Err = fmt.Errorf("the sink panicked: %v", p)
		}
		b.done(c, &a, start)
	}()
	label(&c.w, b.labels)
	answer := b.opts.Sink.Write(c.ctx, &c.w)
	if answer.Outcome < sink.Done || answer.Outcome > sink.Refused {
		a.Err = fmt.Errorf("the sink gave an answer without an outcome: %v", answer.Err)
		return
	}
	a = answer
}

// done brings an answer back to the correlator, logs the notices, and tells the observers. These
// are functions of the program, so another writer looks on before they are called.
func (b *Broadcaster) done(c *call, a *sink.Answer, start time.Duration) {
	now, h := b.clock.Now(), b.hooks.load()
	c.w.Ticket = c.ticket
	b.mu.Lock()
	notes := b.c.Done(&c.w, *a, now)
	delete(b.inFlight, c.ticket)
	b.settle()
	if b.stopped { // a call that Shutdown has cancelled tells nothing
		notes = nil
	}
	if len(notes) > 0 || h != nil && len(h.observers) > 0 {
		b.follow(now.Mono, now.Mono)
	} else {
		b.looking++
		c.looks = true
	}
	b.mu.Unlock()
	b.noteAll(notes, &c.w, a)
	if h != nil {
		b.tellWritten(h, &c.w, a, now.Mono-start)
	}
}

// settle tells Shutdown, once, that nothing is pending. The lock is held.
func (b *Broadcaster) settle() {
	if !b.draining || b.c.Stats().Pending > 0 {
		return
	}
	select {
	case <-b.drained:
	default:
		close(b.drained)
	}
}
