package broadcaster

import (
	"slices"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// Observer holds functions that a broadcaster calls for metrics. It calls them in the goroutines that
// record and write, outside all locks and several at a time. They must be fast and must not block. A panic
// harms nothing, and is logged once. Functions may be nil.
type Observer struct {
	// Recorded is called with the definition of every event that was neither rejected nor disabled.
	Recorded func(*runtime.Definition)
	// Written is called with every answer of the sink.
	Written func(WriteReport)
}

// WriteReport is the result of one write.
type WriteReport struct {
	Operation runtime.Operation
	Outcome   runtime.Outcome
	// Duration is the time from handing the write to the sink until its answer, the sink's own waiting included.
	Duration time.Duration
}

// AttachObserver calls o's functions from now on, until stop is called. Calls that have begun may end after stop.
func (b *Broadcaster) AttachObserver(o Observer) (stop func()) {
	b.hooks.change(func(h *hooks) { h.observers = append(slices.Clip(h.observers), &o) })
	return func() {
		b.hooks.change(func(h *hooks) {
			h.observers = slices.DeleteFunc(slices.Clone(h.observers), func(other *Observer) bool { return other == &o })
		})
	}
}

func (b *Broadcaster) tellRecorded(h *hooks, def *runtime.Definition) {
	defer b.recoverObserver()
	for _, o := range h.observers {
		if o.Recorded != nil {
			o.Recorded(def)
		}
	}
}

func (b *Broadcaster) tellWritten(h *hooks, r WriteReport) {
	defer b.recoverObserver()
	for _, o := range h.observers {
		if o.Written != nil {
			o.Written(r)
		}
	}
}

func (b *Broadcaster) recoverObserver() {
	if p := recover(); p != nil {
		b.say.once(&b.say.observerPanicked, "An observer panicked; further panics are not said", p)
	}
}

// observed hands the worker's write to the sink and then to the observers, which may end the goroutine.
func (k *worker) observed(ctx *callContext) {
	b := k.b
	h := b.hooks.load()
	if h == nil || len(h.observers) == 0 {
		k.answer, k.answered = b.write(ctx, &k.w), true
		return
	}
	start := b.clock.Now().Mono
	k.answer, k.answered = b.write(ctx, &k.w), true
	b.tellWritten(h, WriteReport{Operation: k.w.Operation, Outcome: k.answer.Outcome, Duration: b.clock.Now().Mono - start})
}
