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

	filterPanicked, observerPanicked, tracePanicked atomic.Bool

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

// outage says that the server is away, or that it is back.
func (a *announcer) outage(n news, pending uint64) {
	if n.what == away {
		a.logger.Error(n.err, "The server takes no events for now; they wait, and one call at a time tries again",
			"pending", pending, "outagesSinceLastLine", n.unsaid)
		return
	}
	a.logger.Info("The server is back; what has waited is written now",
		"took", n.took.Round(time.Millisecond), "failedCalls", n.failed, "pending", pending)
}

// shed says that a bound has cost events.
func (a *announcer) shed(lost uint64, options string, pending uint64) {
	a.logger.Error(nil, "Events were lost because a bound was reached; raise the option, unless the server is away",
		"option", options, "shedSinceLastLine", lost, "pending", pending)
}

// once says what is said once only: that a function of the program's has panicked.
func (a *announcer) once(said *atomic.Bool, text string, panicked any) {
	if !said.Swap(true) {
		a.logger.Error(nil, text, "panic", panicked)
	}
}

func (a *announcer) panicked(subscriber string, p any) {
	a.logger.Error(nil, "A subscriber panicked; it is called again with the next event, and further panics are only counted",
		"subscriber", subscriber, "panic", p)
}

// slow says that a subscriber misses events.
func (a *announcer) slow(subscriber string, dropped uint64, buffer int) {
	a.logger.Error(nil, "A subscriber is slower than events come; what it misses is only counted from here on",
		"subscriber", subscriber, "dropped", dropped, "buffer", buffer)
}

func (a *announcer) failedToEnd(subscriber string, err error) {
	a.logger.Error(err, "A subscriber did not end properly", "subscriber", subscriber)
}

// leftBehind says that a subscriber outlives the broadcaster.
func (a *announcer) leftBehind(s SubscriberStats) {
	a.logger.Error(nil, "A subscriber has not come back though Shutdown's time is over; it is left behind",
		"subscriber", s.Name, "waiting", s.Waiting)
}

func (a *announcer) stuck() {
	a.logger.Error(nil, "The sink has not come back though its context has ended; it is left behind")
}
