package dispatch

import (
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// doubt is a lane's knowledge of a refusal that may end by itself: for want of a right, or for want of the namespace.
type doubt struct {
	cause refusal
	since time.Duration // when the server first gave it, with no other answer and no outage since
	// believed: the server has given it for runtime.ForbiddenDoubt. The lane asks for the right again every ProbeDenied, and meanwhile refuses
	// everything that falls due.
	believed bool
}

type refusal uint8

const (
	granted refusal = iota
	noRight
	noNamespace
)

// refused takes up a refusal that may end by itself. It reports whether the lane now refuses everything pending.
func (l *lane) refused(f *flight, cause refusal, now time.Duration, d *Dispatcher) bool {
	if l.doubt.cause != cause || l.doubt.since < d.away && !l.doubt.believed {
		l.doubt = doubt{cause: cause, since: now}
	}
	if l.own.sick && !f.tried[ofLane] {
		return l.doubt.believed // the call was out already
	}
	l.own.fall(now)
	l.own.limited = false
	l.own.pause(now, d.opts.Delay, max(d.opts.Delay, min(d.doubtDelay(now), d.opts.MaxDelay)), 0)
	if now-l.doubt.since < runtime.ForbiddenDoubt && !(d.draining && cause == noNamespace) {
		return false
	}
	if cause == noRight {
		l.doubt.believed = true
		l.own.next = now + ProbeDenied
		l.own.soon = l.own.next
	} else {
		l.doubt.since = now // what comes from now on waits as long again
	}
	d.refuseAll(l)
	return true
}

// doubtDelay returns the longest time between two calls that ask whether a refusal still holds.
func (d *Dispatcher) doubtDelay(now time.Duration) time.Duration {
	if d.away > 0 && now-d.away < runtime.ForbiddenDoubt {
		return restartDelay
	}
	return maxDoubtDelay
}

// refusedOnce reports whether a sick lane was refused once, and nothing else is known of it. A starting server refuses everybody.
func (l *lane) refusedOnce() bool {
	return l.doubt.cause != granted && !l.doubt.believed && l.own.step <= 1
}

// undoubted ends a doubt, because the server has given another answer than a refusal. A lane that was sick for want of a right or a namespace
// is well.
func (l *lane) undoubted(now time.Duration) {
	if l.doubt.believed {
		return
	}
	if l.doubt.cause != granted {
		l.own.succeeded(now)
	}
	l.doubt = doubt{}
}

// refuseAll makes the shards refuse everything that is ready in a lane.
func (d *Dispatcher) refuseAll(l *lane) {
	d.refuse(l, l.ready[correlator.Warning]|l.ready[correlator.Normal]|l.ready[correlator.Retry])
	for k := range l.ready {
		l.ready[k] = 0
	}
}

// refuse makes shards refuse everything due in a lane. The lane stays in the ring of refusals until all of them have a job for it.
func (d *Dispatcher) refuse(l *lane, shards uint64) {
	if l.refuse == 0 && shards != 0 {
		d.refusals.WriteOne(l)
	}
	l.refuse |= shards
}

// takeRefusal returns a job that refuses.
func (d *Dispatcher) takeRefusal() (Job, bool) {
	l, ok := d.refusals.ReadOne()
	if !ok {
		return Job{}, false
	}
	s := nextBit(l.refuse, l.turn)
	l.turn = s + 1
	left := l.refuse &^ (1 << s)
	l.refuse = 0
	d.refuse(l, left)
	return Job{Shard: s, Lane: l.at(s, correlator.Normal), Refuse: true, lane: l}, true
}
