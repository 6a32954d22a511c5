package broadcaster

import (
	"math"
	"time"
)

// never is a moment that does not come.
const never = time.Duration(math.MaxInt64)

// update announces what has fallen due in a shard, and notes when more will be due. It reports whether the scheduler has to wake earlier.
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

// notify wakes the scheduler, because something is due before its alarm.
func (b *Broadcaster) notify() {
	select {
	case b.poke <- struct{}{}:
	default: // it has been poked already
	}
}

// schedule announces what falls due with time, and wakes workers when a scope may be tried again. It ends with the workers.
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
		b.alarm.Store(int64(never)) // anything that comes from now on wakes the scheduler
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

// announce announces what is due in the shards, and returns when more will be due.
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

// send wakes a worker if the time has come, and returns the next such time.
func (b *Broadcaster) send(now time.Duration) time.Duration {
	start, at := b.desk.look(now)
	if start {
		b.work()
	}
	if at < 0 {
		return never
	}
	return at
}
