package broadcaster

import (
	"context"
	"fmt"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// work carries writes from the shards to the sink and the answers back. It ends with b.ctx.
func (b *Broadcaster) work() {
	var w runtime.Write // its slices are used again and again
	wake := make(chan struct{}, 1)
	b.queue.back()
	for {
		s := b.queue.take(wake)
		if s == nil {
			select {
			case <-b.ctx.Done():
				return
			case <-wake:
				continue
			}
		}
		if b.ctx.Err() != nil {
			return // begin no write that is cancelled already
		}
		b.serve(s, &w)
	}
}

// serve does one write of a shard, if the gate lets it.
func (b *Broadcaster) serve(s *shard, w *runtime.Write) {
	probe, ok := b.gate.pass(b.clock.Now().Mono)
	if !ok {
		b.block(s)
		return
	}
	if !b.next(s, w) {
		b.gate.unused(probe)
		if probe {
			b.notify()
		}
		return
	}
	b.queue.away()
	defer b.queue.back()
	a := b.observed(w)
	now := b.clock.Now()
	changed, n := b.gate.report(probe, a, now.Mono)
	if changed {
		b.notify()
	}
	b.done(s, w, a, now)
	b.say.answered(w, a)
	b.tellOutage(n)
}

// block leaves a shard to the scheduler, which puts it forward when the gate opens or wants a probe.
func (b *Broadcaster) block(s *shard) {
	s.mu.Lock()
	s.state = blocked
	s.mu.Unlock()
	b.notify()
}

// next takes the write that is due, and puts the shard forward again for other workers if there is more.
func (b *Broadcaster) next(s *shard, w *runtime.Write) bool {
	now := b.clock.Now()
	s.mu.Lock()
	found := s.c.Next(now, w)
	s.state = idle
	act := s.update(now.Mono)
	empty := s.drainedNow()
	s.mu.Unlock()
	b.follow(s, act)
	b.countDrained(empty)
	return found
}

func (b *Broadcaster) done(s *shard, w *runtime.Write, a runtime.Answer, now runtime.Instant) {
	s.mu.Lock()
	s.c.Done(w, a, now)
	act := s.update(now.Mono)
	empty := s.drainedNow()
	s.mu.Unlock()
	b.follow(s, act)
	b.countDrained(empty)
}

// write hands a write to the sink. A sink that panics has refused it.
func (b *Broadcaster) write(w *runtime.Write) (a runtime.Answer) {
	ctx, cancel := context.WithTimeout(b.ctx, b.opts.WriteTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			a = runtime.Answer{Outcome: runtime.Refused, Err: fmt.Errorf("the sink panicked: %v", p)}
		}
	}()
	a = b.opts.Sink.Write(ctx, w)
	if a.Outcome < runtime.Done || a.Outcome > runtime.Refused {
		a = runtime.Answer{Outcome: runtime.Refused, Err: fmt.Errorf("the sink gave an answer without an outcome: %v", a.Err)}
	}
	return a
}

// drainedNow reports, once, that a shard has nothing pending left while draining. The lock is held.
func (s *shard) drainedNow() bool {
	if !s.undrained || s.c.Stats().Pending > 0 {
		return false
	}
	s.undrained = false
	return true
}

func (b *Broadcaster) countDrained(empty bool) {
	if empty && b.undrained.Add(-1) == 0 {
		close(b.drained)
	}
}

// grace is how long Shutdown waits for sinks, and then for subscribers, to come back after their context has ended.
const grace = time.Second
