package broadcaster

import (
	"math"
	"time"
)

// never is a moment that does not come.
const never = time.Duration(math.MaxInt64)

// update announces what has fallen due in a shard, and notes when there will be more. It reports whether the scheduler has to be told.
// The lock is held.
func (b *Broadcaster) update(s *shard, now time.Duration) (sooner bool) {
	later := b.desk.ready(s.number, s.c.Due(now), now)
	at, wanted := s.c.Wake()
	if !wanted {
		at = never
	}
	if tidy, wanted := s.c.TidyAt(); wanted {
		at = min(at, tidy)
	}
	s.wake = at
	return later || int64(at) < b.alarm.Load()
}

// notify wakes the scheduler: something is due earlier than it knows.
func (b *Broadcaster) notify() {
	select {
	case b.poke <- struct{}{}:
	default: // it has been poked already
	}
}

// schedule announces what falls due with time, and has workers look when a scope may be tried again. It ends with the workers.
func (b *Broadcaster) schedule() {
	timer := b.clock.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-b.ctx.Done():
			return
		case <-timer.C():
		case <-b.poke:
		}
		b.alarm.Store(int64(never)) // what comes from here on is told
		now := b.clock.Now().Mono
		at := min(b.announce(now), b.send(now))
		b.alarm.Store(int64(at))
		if at == never {
			timer.Stop()
		} else {
			timer.Reset(max(at-now, 0))
		}
	}
}

// announce has the shards announce what is due, and returns when more will be.
func (b *Broadcaster) announce(now time.Duration) time.Duration {
	wake := never
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		if s.wake <= now {
			b.update(s, now)
		}
		wake = min(wake, s.wake)
		s.mu.Unlock()
	}
	return wake
}

// send has a worker look for work if the moment has come, and returns when it will come.
func (b *Broadcaster) send(now time.Duration) time.Duration {
	start, at := b.desk.look(now)
	if start {
		b.workers.Go(b.work)
	}
	if at < 0 {
		return never
	}
	return at
}
