package dispatch

import (
	"math"
	"slices"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// scope is the extent of a trouble, as the log names it.
type scope uint8

const (
	ofServer scope = iota
	ofGroup
	ofNamespace
	ofLane
)

// trouble is the health of one scope. A scope is well until several of its members fail with no success in between. A sick scope
// has one call in flight. A success makes the scope well, and its calls come back in doubling steps.
type trouble struct {
	scope scope
	name  string          // of the namespace, unless the scope is wider
	door  correlator.Door // of a lane or a group
	full  int             // the most calls in flight while well
	rests time.Duration   // the least time between two failed calls, while sick

	failed   [several]uint64 // members that have failed since the last success
	failures int             // the number of members in failed

	sick     bool
	limited  bool          // sick because it takes calls at a rate only
	limit    int           // the most calls in flight while recovering; 0: full
	next     time.Duration // while sick: no call of a member that is known to fail before that
	soon     time.Duration // while sick: no call at all before that
	step     uint8         // failed calls in a row, while sick
	checks   uint8         // how many of them were of lanes with no known failure
	eager    bool          // while sick: such a lane is tried at once, before soon
	raiseAt  time.Duration // while limited: when a second call at a time is tried
	raise    time.Duration // how long it was limited last
	inFlight int
	phase    uint32        // changes when it falls sick, when it recovers, and when it has recovered
	tries    int           // calls in flight that began in this phase
	sure     bool          // the last failed call was certainly about the server
	excused  bool          // its last failed call was also a try of a wider sick scope
	since    time.Duration // when it became sick
	calls    int           // failed calls since then
	vain     int           // failed calls since Drain, or since the last success
	err      error         // of the last of them
	reach    runtime.Scope // of the last of them
	told     bool          // the log has it

	held  [waits]laneList
	place int  // in the heap of sick scopes, plus one
	fresh bool // in the heap of scopes that hold a lane not known to fail
}

// well reports whether nothing need be remembered.
func (t *trouble) well() bool {
	return !t.sick && t.limit == 0 && t.failures == 0 && t.inFlight == 0 && !t.holds()
}

// admits reports whether a call may begin. A try of a sick scope does not ask.
func (t *trouble) admits() bool { return t.room() > 0 }

// room returns the number of calls that may begin beside those in flight. While a scope recovers, calls from before are not counted.
func (t *trouble) room() int {
	switch {
	case t.sick:
		return 0
	case t.limit > 0:
		return min(t.limit-t.tries, t.full-t.inFlight)
	}
	return t.full - t.inFlight
}

// turn begins another phase.
func (t *trouble) turn() {
	t.phase++
	t.tries = 0
}

// succeeded notes that a member was served. It reports whether the scope was sick and is well now.
func (t *trouble) succeeded(now time.Duration) bool {
	t.failures, t.step, t.vain = 0, 0, 0
	switch {
	case t.sick && t.limited && now < t.raiseAt:
		if t.tries == 0 {
			t.next, t.soon = now, now // the next one at once, but one at a time
		}
		return false
	case t.sick:
		t.sick, t.limit = false, 2
		t.turn()
		if t.limited {
			t.raiseAt = now + t.rests
		}
		return true
	case t.limit == 0:
	case t.limited && now < t.raiseAt:
	default:
		t.limit++
		t.raiseAt = now + t.rests
		if t.limit >= t.full {
			t.limit, t.limited, t.raise = 0, false, 0
			t.turn()
		}
	}
	return false
}

// memberFailed notes the failure of a member that was not known to fail. It reports whether several have failed, which makes the scope sick.
func (t *trouble) memberFailed(member uint64) bool {
	if slices.Contains(t.failed[:t.failures], member) {
		return false
	}
	if t.failures < several {
		t.failed[t.failures] = member
		t.failures++
	}
	return t.failures == several
}

// fall makes the scope sick.
func (t *trouble) fall(now time.Duration) {
	if !t.sick {
		t.sick, t.since, t.calls, t.step = true, now, 0, 0
		t.checks, t.eager = 0, false
		t.turn()
	}
	t.failures = 0
}

// pause puts off the next call of a sick scope: longer after each failure, and at least as long as the server asks.
func (t *trouble) pause(now, delay, longest, patience time.Duration) {
	d := longest
	if t.step < 32 && delay <= longest>>t.step {
		d = delay << t.step
	}
	if t.step < math.MaxUint8 {
		t.step++
	}
	t.soon = now + max(t.rests, patience)
	t.next = max(now+d, t.soon)
	t.eager = t.scope < ofNamespace && t.checks < crossChecks && patience == 0
	t.calls++
	t.vain++
}

// rest puts off the next call of a sick scope after a member that was known to fail has failed again. That shows nothing new about the scope.
func (t *trouble) rest(now time.Duration) {
	t.soon = max(t.soon, now+t.rests)
	t.next = max(t.next, t.soon)
	t.calls++
	t.vain++
}

// narrow notes that the scope takes calls at a rate only, and that this call exceeded it. The scope finds the rate from below: it makes one
// call at a time, and more after a while. That while doubles each time they were too many.
func (t *trouble) narrow(now, patience time.Duration) {
	first := !t.sick
	t.fall(now)
	if first {
		t.raise = min(max(2*t.raise, t.rests), maxRaise)
		t.raiseAt = now + t.raise
	}
	t.limited, t.eager = true, false
	t.calls++
	t.vain++
	t.soon = now + max(t.rests, patience)
	t.next = t.soon
}
