package dispatch

import (
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// doubt is what a lane knows of a refusal that may pass: for want of a right, or for want of the namespace.
type doubt struct {
	cause refusal
	since time.Duration // when it was first given, with no other answer since
	// believed: it was given for runtime.ForbiddenDoubt. A right is asked for again every ProbeDenied; meanwhile what falls due is refused.
	believed bool
}

type refusal uint8

const (
	granted refusal = iota
	noRight
	noNamespace
)

// refused takes up a refusal that may pass, and reports whether what is pending is refused now.
func (l *lane) refused(f *flight, cause refusal, now time.Duration, d *Dispatcher) bool {
	if l.doubt.cause != cause {
		l.doubt = doubt{cause: cause, since: now}
	}
	if l.own.sick && !f.tried[ofLane] {
		return l.doubt.believed // the call was out already
	}
	l.own.fall(now)
	l.own.limited = false
	l.own.pause(now, d.opts.Delay, max(d.opts.Delay, min(maxDoubtDelay, d.opts.MaxDelay)), 0)
	if now-l.doubt.since < runtime.ForbiddenDoubt && !l.doubt.believed && !(d.draining && cause == noNamespace) {
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

// refusedOnce reports whether nothing else is known of a sick lane than that it was refused once, as a starting server refuses everybody.
func (l *lane) refusedOnce() bool {
	return l.doubt.cause != granted && !l.doubt.believed && l.own.step <= 1
}

// undoubted ends a doubt with an answer other than a refusal, so that the lane is no longer sick for the want of a right or a namespace.
func (l *lane) undoubted(now time.Duration) {
	if l.doubt.believed {
		return
	}
	if l.doubt.cause != granted {
		l.own.succeeded(now)
	}
	l.doubt = doubt{}
}

// refuseAll has the shards refuse what they have ready in a lane.
func (d *Dispatcher) refuseAll(l *lane) {
	l.refuse |= l.ready[correlator.Warning] | l.ready[correlator.Normal] | l.ready[correlator.Retry]
	for k := range l.ready {
		l.ready[k] = 0
	}
	d.queueRefusal(l)
}

func (d *Dispatcher) queueRefusal(l *lane) {
	if l.refuse != 0 && !l.refusing {
		l.refusing = true
		d.refusals.WriteOne(l)
	}
}

// takeRefusal is a job that refuses, in place of a write.
func (d *Dispatcher) takeRefusal() (Job, bool) {
	for l, ok := d.refusals.ReadOne(); ok; l, ok = d.refusals.ReadOne() {
		l.refusing = false
		if l.refuse == 0 {
			continue
		}
		s := nextBit(l.refuse, l.turn)
		l.refuse &^= 1 << s
		l.turn = s + 1
		d.queueRefusal(l)
		return Job{Shard: s, Lane: l.at(s, correlator.Normal), Refuse: true, lane: l}, true
	}
	return Job{}, false
}
