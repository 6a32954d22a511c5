package broadcaster

import (
	"errors"
	"fmt"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/dispatch"
	"github.com/event-gen/event-gen/runtime/internal/guard"
)

// worker carries writes from the shards to the sink and the answers back.
type worker struct {
	b        *Broadcaster
	w        runtime.Write // its slices are reused
	wake     chan struct{}
	job      dispatch.Job
	stage    stage
	answered bool // the sink has answered
	answer   runtime.Answer
	contexts callContexts
	report   WriteReport
	audience []*observer // of the report
	telling  telling
}

// stage is a worker's progress with its job.
type stage uint8

const (
	free    stage = iota // it has no job
	holding              // it has sent nothing
	calling              // the write is with the sink, or the answer has not been taken up
)

// work starts a worker.
func (b *Broadcaster) work() {
	k := &worker{b: b, wake: make(chan struct{}, 1)}
	guard.Go(&b.workers, k.live)
}

// live ends with b.ctx, or when there are enough workers without it. If a function of the host ends the goroutine, as t.Fatal does,
// the worker goes on in another one. If an observer does not come back, another worker takes over.
func (k *worker) live() {
	for goesOn := !k.telling.isLeft(); goesOn; goesOn = k.step() {
	}
}

// step is a turn, or the end of the job of a worker whose goroutine was ended. It returns false when the worker must end. If the sink
// ended the goroutine, the write is refused.
func (k *worker) step() bool {
	switch k.stage {
	case free:
		return k.turn()
	case holding:
		return k.serve()
	}
	if !k.answered {
		k.answer = runtime.Answer{Outcome: runtime.Refused, Err: errors.New("the sink ended the goroutine that called it (runtime.Goexit, as t.Fatal does)")}
	}
	k.finish(k.answer)
	k.w = runtime.Write{} // a sink that ends so may have kept slices
	return true
}

// turn is one job, or a rest until there may be one. It returns false when the worker must end.
func (k *worker) turn() bool {
	b := k.b
	j, found, later, rests := b.desk.take(k.wake, b.clock.Now().Mono)
	k.job = j
	if later {
		b.notify()
	}
	switch {
	case !rests:
		return false
	case found && b.ctx.Err() != nil:
		return false // begin no write that is cancelled already
	case found:
		k.stage = holding
		return k.serve()
	}
	select {
	case <-b.ctx.Done():
		return false
	case <-k.wake:
		return true
	}
}

// serve does a job: one write, or a piece of a refusal. It returns false if another worker has taken over.
func (k *worker) serve() bool {
	b, j := k.b, &k.job
	s := &b.shards[j.Shard]
	if j.Refuse {
		b.desk.refused(j, b.refuse(s, j))
		k.stage = free
		return true
	}
	if !b.next(s, j, &k.w) {
		b.desk.nothing(j)
		k.stage = free
		return true
	}
	if b.desk.away() {
		b.notify()
	}
	k.stage, k.answered, k.audience = calling, false, nil
	k.observed(k.contexts.next(b.ctx, b.opts.WriteTimeout))
	k.finish(k.answer)
	return k.tell()
}

// finish hands the answer to the current write back to its shard.
func (k *worker) finish(a runtime.Answer) {
	b, j := k.b, &k.job
	now := b.clock.Now()
	v := b.desk.answered(j, &k.w, &a, now.Mono)
	k.stage = free
	b.done(&b.shards[j.Shard], &k.w, &a, v.Fate, now)
	b.say.answered(&k.w, &a, v.Fate)
	b.refusals.note(&k.w, &a, now.Wall)
	b.tell(v.News, now.Mono)
}

// refuse makes a shard refuse a part of what is due in a lane, and reports whether there is more.
func (b *Broadcaster) refuse(s *shard, j *dispatch.Job) (more bool) {
	now := b.clock.Now()
	s.mu.Lock()
	more = s.c.Refuse(&j.Lane, now)
	sooner := b.update(s, now.Mono)
	empty := s.drainedNow()
	s.mu.Unlock()
	b.follow(sooner, empty)
	return more
}

// next takes the write that is due in a lane, and reports whether there is more.
func (b *Broadcaster) next(s *shard, j *dispatch.Job, w *runtime.Write) bool {
	now := b.clock.Now()
	s.mu.Lock()
	found, more := s.c.NextIn(&j.Lane, now, w)
	later := more && b.desk.ready(s.number, []correlator.Lane{j.Lane}, now.Mono)
	sooner := b.update(s, now.Mono) || later
	empty := s.drainedNow()
	s.mu.Unlock()
	b.follow(sooner, empty)
	return found
}

func (b *Broadcaster) done(s *shard, w *runtime.Write, a *runtime.Answer, fate correlator.Fate, now runtime.Instant) {
	if a.Outcome == runtime.Done {
		b.stored.Store(int64(now.Mono))
	}
	s.mu.Lock()
	stuck := s.c.Conclude(w, a, fate, now)
	sooner := b.update(s, now.Mono)
	empty := s.drainedNow()
	s.mu.Unlock()
	b.follow(sooner, empty)
	if stuck {
		b.say.stuckEvent(w, a)
	}
}

// follow does the work that must wait until a shard's lock is released.
func (b *Broadcaster) follow(sooner, empty bool) {
	if sooner {
		b.notify()
	}
	b.countDrained(empty)
}

// write hands a write to the sink. If the sink panics, the write counts as refused.
func (b *Broadcaster) write(ctx *callContext, w *runtime.Write) (a runtime.Answer) {
	defer ctx.end()
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

// grace is the time for which Shutdown waits for sinks, and then for subscribers, to come back after their context has ended.
const grace = time.Second
