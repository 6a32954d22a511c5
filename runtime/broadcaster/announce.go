package broadcaster

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"

	"github.com/event-gen/event-gen/runtime"
)

// refusalInterval is the least time between two lines about refused writes.
const refusalInterval = 10 * time.Second

// announcer says what the owner of the program must know, without filling the log.
type announcer struct {
	logger logr.Logger
	clock  runtime.Clock

	problems  atomic.Uint64 // a bit for each Problem that was said
	forbidden atomic.Bool

	mu         sync.Mutex
	said       bool
	lastSaid   time.Duration
	suppressed int
}

// rejected says a problem of an event, the first time it comes up.
func (a *announcer) rejected(p runtime.Problem, e *runtime.Event) {
	bit := uint64(1) << p
	if a.problems.Load()&bit != 0 || a.problems.Or(bit)&bit != 0 {
		return
	}
	a.logger.Error(nil, "Event rejected; others with the same trouble are only counted", "problem", p.String(),
		"reason", e.Reason(), "regarding", e.Regarding().Name, "namespace", e.Regarding().Namespace)
}

// answered says what a sink has refused.
func (a *announcer) answered(w *runtime.Write, answer runtime.Answer) {
	switch answer.Outcome {
	case runtime.Forbidden:
		if !a.forbidden.Swap(true) {
			a.logger.Error(answer.Err, "Events can't be stored for want of a right; this is said once, the losses are counted",
				"namespace", w.Namespace)
		}
	case runtime.Refused:
		if more, ok := a.dueRefusal(); ok {
			a.logger.Error(answer.Err, "Event refused", "reason", w.Reason, "name", w.Name, "namespace", w.Namespace,
				"occurrences", w.Count, "refusedSinceLastLine", more)
		}
	}
}

// dueRefusal bounds the rate of lines, and counts what goes unsaid in between.
func (a *announcer) dueRefusal() (unsaid int, ok bool) {
	now := a.clock.Now().Mono
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.said && now-a.lastSaid < refusalInterval {
		a.suppressed++
		return 0, false
	}
	unsaid = a.suppressed
	a.said, a.lastSaid, a.suppressed = true, now, 0
	return unsaid, true
}

func (a *announcer) panicked(p any) {
	a.logger.Error(nil, "A subscriber panicked; it is called again with the next event, and further panics are only counted", "panic", p)
}

func (a *announcer) stuck() {
	a.logger.Error(nil, "The sink has not come back though its context has ended; it is left behind")
}
