package dispatch

import "time"

const (
	// ProbeDenied is the time between two calls that ask whether a right has been granted meanwhile.
	ProbeDenied = 30 * time.Second
	// several is the number of members of a scope that must fail, with no success in between, before the scope is sick.
	several = 3
	// crossChecks is the number of namespaces without a known failure that are tried at once, one after the other, when an API group or
	// the server has become sick: a few bad objects, each in a namespace of its own, look the same.
	crossChecks = 5
	// failuresASecond bounds the failed calls of all sick scopes together.
	failuresASecond = 10
	// stuckAfter is the age from which a call counts as stuck. A stuck call gives its slot to another.
	stuckAfter = time.Second
	// maxDoubtDelay is the longest time between two calls that ask whether a refusal still holds.
	maxDoubtDelay = 5 * time.Second
	// restartDelay is the same for runtime.ForbiddenDoubt after an outage of the server. A server that restarts again and again may serve for
	// little more than a second at a time.
	restartDelay = time.Second
	// pause is the least time between two failed calls of one sick scope, unless Options.Delay is less.
	pause = time.Second
	// maxRaise is the longest time after which a scope that was used at its rate is tried with more calls at once.
	maxRaise = time.Minute
)

// Options of a Dispatcher. All must be set.
type Options struct {
	// Workers is the number of calls that may be in flight at once, apart from stuck ones. At most as many again can be stuck. One worker makes
	// one call at a time in any case: its sink may not be safe for concurrent use.
	Workers int
	// Shards is the number of shards, at most MaxShards.
	Shards int
	// Delay is the time between the first failed calls of a sick scope. It doubles up to MaxDelay.
	Delay, MaxDelay time.Duration
	// MaxPatience bounds how long a server can ask to be left alone (Answer.RetryAfter).
	MaxPatience time.Duration
}

// MaxShards is the largest number of shards.
const MaxShards = 64

// most is the largest number of calls in flight, stuck ones included.
func (o *Options) most() int {
	if o.Workers == 1 {
		return 1
	}
	return 2 * o.Workers
}

// part is a part of the workers, at least one.
func (o *Options) part(n int) int { return max(1, o.Workers/n) }

// rests is the least time between two failed calls of one sick scope.
func (o *Options) rests() time.Duration { return min(pause, o.Delay) }
