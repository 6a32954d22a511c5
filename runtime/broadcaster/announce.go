package broadcaster

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/dispatch"
	"github.com/event-gen/event-gen/runtime/internal/guard"
)

// refusalInterval is the least time between two lines about refused writes.
const refusalInterval = 10 * time.Second

// announcer logs what the program's owner must know, at a bounded rate.
type announcer struct {
	logger logr.Logger
	voice  guard.Speaker
	clock  runtime.Clock

	problems atomic.Uint64 // a bit for each Problem that was logged

	filterPanicked, observerPanicked, observerLate, tracePanicked, foldPanicked atomic.Bool

	mu         sync.Mutex
	said       bool
	lastSaid   time.Duration
	suppressed int
	denied     map[denied]time.Duration
}

func (a *announcer) error(err error, text string, about ...any) {
	a.voice.Say(func() { a.logger.Error(err, text, about...) })
}

func (a *announcer) info(text string, about ...any) {
	a.voice.Say(func() { a.logger.Info(text, about...) })
}

// rejected logs a problem of an event, the first time it occurs.
func (a *announcer) rejected(p runtime.Problem, e *runtime.Event) {
	bit := uint64(1) << p
	if a.problems.Load()&bit != 0 || a.problems.Or(bit)&bit != 0 {
		return
	}
	a.error(nil, "Event rejected; others with the same trouble are only counted", "problem", e.ProblemText(),
		"reason", e.Reason(), "regarding", e.Regarding().Name, "namespace", e.Regarding().Namespace)
}

// answered logs a write that the sink has refused.
func (a *announcer) answered(w *runtime.Write, answer *runtime.Answer, fate correlator.Fate) {
	if answer.Outcome != runtime.Refused || fate != correlator.Answered {
		return
	}
	if more, ok := a.dueRefusal(); ok {
		a.error(answer.Err, "Event refused", "reason", w.Reason, "name", w.Name, "namespace", w.Namespace,
			"occurrences", w.Count, "refusedSinceLastLine", more)
	}
}

// denialInterval is the least time between two lines about a missing right or namespace that costs events.
const denialInterval = 10 * time.Minute

// denial logs that a right or a namespace is missing beyond doubt, or that it exists again.
func (a *announcer) denial(n *dispatch.News, now time.Duration) {
	if n.What == dispatch.Granted {
		a.info("Events of a namespace are allowed again", "namespace", n.Namespace)
		return
	}
	if !a.dueDenial(n, now) {
		return
	}
	if n.What == dispatch.Gone {
		a.info("Events are lost because their namespace is gone or terminating", "namespace", n.Namespace, "error", n.Err)
		return
	}
	a.error(n.Err, "Events are lost for want of a right; they are stored again within 30 s once it is granted", "namespace", n.Namespace)
}

// dueDenial reports whether to log a denial: one for each namespace within denialInterval, and at most maxDenials in all.
func (a *announcer) dueDenial(n *dispatch.News, now time.Duration) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.denied, func(_ denied, at time.Duration) bool { return now-at >= denialInterval })
	key := denied{n.Namespace, n.What}
	if _, said := a.denied[key]; said || len(a.denied) >= maxDenials {
		return false
	}
	if a.denied == nil {
		a.denied = map[denied]time.Duration{}
	}
	a.denied[key] = now
	return true
}

// maxDenials bounds the lines about denials within denialInterval.
const maxDenials = 20

type denied struct {
	namespace string
	what      dispatch.What
}

// stuckEvent logs that the writes of an event fail again and again.
func (a *announcer) stuckEvent(w *runtime.Write, answer *runtime.Answer) {
	if more, ok := a.dueRefusal(); ok {
		a.error(answer.Err, "An event is not taken; others of its object are tried before it", "reason", w.Reason, "name", w.Name,
			"namespace", w.Namespace, "occurrences", w.Count, "refusedSinceLastLine", more)
	}
}

// dueRefusal reports whether to log a refusal. It bounds the rate of lines, and counts the refusals in between.
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

// outage logs that a scope takes no events, or that it takes events again.
func (a *announcer) outage(t tidings, pending uint64) {
	where := []any{"scope", t.scope}
	if t.namespace != "" {
		where = append(where, "namespace", t.namespace)
	}
	if t.begins {
		a.error(t.err, "Events are not taken for now; they wait, and one call at a time tries again",
			append(where, "pending", pending, "outagesSinceLastLine", t.unsaid)...)
		return
	}
	a.info("Events are taken again; what has waited is written now",
		append(where, "took", t.took.Round(time.Millisecond), "failedCalls", t.failed, "pending", pending)...)
}

// shed logs that a bound on memory has cost events.
func (a *announcer) shed(lost uint64, options string, pending uint64) {
	a.error(nil, "Events were lost because a bound was reached; raise the option, unless the server is away",
		"option", options, "shedSinceLastLine", lost, "pending", pending)
}

// limited logs that events have waited too long for a token of their limit.
func (a *announcer) limited(lost, pending uint64) {
	a.error(nil, "Events were lost because they waited too long for a token; raise rate, burst or wait of their limit in the catalog",
		"lostSinceLastLine", lost, "pending", pending)
}

// once logs a line at most once: that one of the program's functions has panicked.
func (a *announcer) once(said *atomic.Bool, text string, panicked any) {
	if !said.Swap(true) {
		a.error(nil, text, "panic", panicked)
	}
}

func (a *announcer) panicked(subscriber string, p any) {
	a.error(nil, "A subscriber panicked; it is called again with the next event, and further panics are only counted",
		"subscriber", subscriber, "panic", p)
}

// slow logs that a subscriber misses events.
func (a *announcer) slow(subscriber string, dropped uint64, buffer int) {
	a.error(nil, "A subscriber is slower than events come; what it misses is only counted from here on",
		"subscriber", subscriber, "dropped", dropped, "buffer", buffer)
}

func (a *announcer) failedToEnd(subscriber string, err error) {
	a.error(err, "A subscriber did not end properly", "subscriber", subscriber)
}

// leftBehind logs that a subscriber outlives the broadcaster.
func (a *announcer) leftBehind(s SubscriberStats) {
	a.error(nil, "A subscriber has not come back though Shutdown's time is over; it is left behind",
		"subscriber", s.Name, "waiting", s.Waiting)
}

// stuck says that a worker outlives the broadcaster: in the sink, or else in an observer.
func (a *announcer) stuck(inFlight int) {
	if inFlight == 0 {
		a.error(nil, "An observer has not come back though Shutdown's time is over; it is left behind")
		return
	}
	a.error(nil, "The sink has not come back though its context has ended; it is left behind")
}

// late says, once, that an observer is told nothing for now.
func (a *announcer) late() {
	if !a.observerLate.Swap(true) {
		a.error(nil, "An observer has not come back for a second; it is told of no write until it does, and further delays are not said")
	}
}
