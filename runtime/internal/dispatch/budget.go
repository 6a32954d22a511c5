package dispatch

import (
	"math"
	"time"
)

// budget bounds what all sick scopes cost together: calls in flight, and failed calls a second.
type budget struct {
	most   int
	flying int
	stuck  int                            // tries in flight that are stuck; they make room for others
	bound  int                            // the most tries in flight, stuck ones included
	failed [failuresASecond]time.Duration // when the last ones failed, plus one; 0: none
	at     int
}

// admits returns when another try may begin: now or later; negative: once a try in flight has come back. A try in flight counts as a
// failure. A fresh try, of a lane that is not known to fail, has a slot of its own.
func (b *budget) admits(now time.Duration, fresh bool) time.Duration {
	most := b.most
	if !fresh && most > 1 {
		most--
	}
	if b.flying-b.stuck >= most || b.flying >= b.bound {
		return -1
	}
	return max(now, b.opens(b.flying))
}

// opens returns when a try may begin beside others in flight: a second after the failure that is the tenth last once these have failed
// too.
func (b *budget) opens(flying int) time.Duration {
	last := b.failed[(b.at+min(flying, len(b.failed)-1))%len(b.failed)]
	if last == 0 {
		return 0
	}
	return last - 1 + time.Second
}

func (b *budget) fail(now time.Duration) {
	b.failed[b.at] = now + 1
	b.at = (b.at + 1) % len(b.failed)
}

// slots are the calls in flight. One that is stuck gives its slot to another, so that calls that hang hold up nobody for longer than
// stuckAfter, as long as no more than Workers hang.
type slots struct {
	workers int
	calls   []flight
	free    []int
	flying  int
	stuck   int
	stuckAt time.Duration // no call that is not known to be stuck is so before that
}

// flight is a call in flight.
type flight struct {
	lane  *lane // nil: none
	began time.Duration
	try   bool
	stuck bool
	// tried are the scopes of the lane, the widest first, that were sick when the call began; phases are the phases in which they were.
	// A scope in another phase does not count the call.
	tried  [4]bool
	phases [4]uint32
}

const never = time.Duration(math.MaxInt64)

func newSlots(o *Options) slots {
	s := slots{workers: o.Workers, calls: make([]flight, o.most()), stuckAt: never}
	for i := range s.calls {
		s.free = append(s.free, len(s.calls)-1-i)
	}
	return s
}

// admits reports whether a call may begin; otherwise at is when one of those in flight will be stuck, negative if that does not help.
func (s *slots) admits() (at time.Duration, ok bool) {
	switch {
	case s.flying-s.stuck < s.workers && len(s.free) > 0:
		return 0, true
	case len(s.free) == 0 || s.stuckAt == never:
		return -1, false
	}
	return s.stuckAt, false
}

// nextStuck is a call that has become stuck, and its number; nil if there is none. Then stuckAt is when there may be.
func (s *slots) nextStuck(now time.Duration) (*flight, int) {
	s.stuckAt = never
	for n := range s.calls {
		c := &s.calls[n]
		if c.lane == nil || c.stuck {
			continue
		}
		if c.began+stuckAfter <= now {
			c.stuck = true
			s.stuck++
			s.stuckAt = now // there may be more
			return c, n
		}
		s.stuckAt = min(s.stuckAt, c.began+stuckAfter)
	}
	return nil, 0
}

func (s *slots) take(now time.Duration, l *lane, try bool) (int, *flight) {
	n := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	s.calls[n] = flight{lane: l, began: now, try: try}
	s.stuckAt = min(s.stuckAt, now+stuckAfter)
	s.flying++
	return n, &s.calls[n]
}

// give ends a call and returns its slot's content.
func (s *slots) give(n int) (f flight) {
	f, s.calls[n] = s.calls[n], flight{}
	if f.stuck {
		s.stuck--
	}
	s.free = append(s.free, n)
	s.flying--
	return f
}
