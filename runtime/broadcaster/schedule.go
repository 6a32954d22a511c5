package broadcaster

import (
	"math"
	"time"
)

// schedule puts shards into the queue when something of theirs falls due, and when the gate lets writes pass
// again. It ends with the workers.
func (b *Broadcaster) schedule() {
	timer := b.clock.NewTimer(0)
	defer timer.Stop()
	for first := 0; ; first++ {
		select {
		case <-b.ctx.Done():
			return
		case <-timer.C():
		case <-b.poke:
		}
		if d, ok := b.release(first % len(b.shards)); ok {
			timer.Reset(d)
		} else {
			timer.Stop()
		}
	}
}

// release puts forward what may be written now, and says how long there is nothing more to do; false: until poked. It begins
// with a shard further on each time, so that all have their turn as probes.
func (b *Broadcaster) release(first int) (time.Duration, bool) {
	now := b.clock.Now().Mono
	pass, probeAt := b.gate.next(now)
	wake := time.Duration(math.MaxInt64)
	if pass == later {
		wake = probeAt
	}
	for i := range b.shards {
		s := &b.shards[(first+i)%len(b.shards)]
		released, at := b.releaseShard(s, now, pass <= oneProbe)
		wake = min(wake, at)
		if released && pass == oneProbe {
			pass = none
		}
	}
	return max(wake-now, 0), wake != math.MaxInt64
}

// releaseShard puts a shard forward if something of it is due and may pass; otherwise it says when it is due.
func (b *Broadcaster) releaseShard(s *shard, now time.Duration, pass bool) (released bool, at time.Duration) {
	s.mu.Lock()
	due := s.state == blocked || (s.state == waiting && s.wake <= now)
	switch {
	case due && pass:
		s.state, released = queued, true
	case due:
		s.state = blocked
	}
	at = math.MaxInt64
	if s.state == waiting {
		at = s.wake
	}
	s.mu.Unlock()
	if released {
		b.queue.push(s)
	}
	return released, at
}
