package broadcaster

import (
	"iter"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// Snapshot is the state of a broadcaster, for people who look for trouble. It holds no text of a
// message.
type Snapshot struct {
	Stats    eventrt.Stats
	MaxBytes int64  // the bound on Stats.Bytes that is in force
	State    string // recording, disabled (SetEnabled) or ended: Shutdown has begun
	// OldestCall is how long the oldest of Stats.InFlight has been without an answer.
	OldestCall time.Duration
	// Filters holds the filter in force; none: everything is recorded. A snapshot joined from
	// several broadcasters' snapshots may have several.
	Filters []Filter
	// Subscribers counts what subscribers have seen and missed since the start, by name. Stats does
	// not include it, because an event that a subscriber misses is not lost.
	Subscribers []SubscriberStats
	// Troubles are the scopes that take no events for now, the widest first; none: all do.
	Troubles []Trouble
	// Skipped counts the calls of observers that were skipped because 64 had not returned, and the
	// log lines that were dropped because 256 waited for the Logger.
	Skipped uint64
	// Writers are the annotation keys under which events keep the number of occurrences recorded
	// here; none if names are Unique.
	Writers []string
}

// Trouble is a namespace, or the whole server, that takes no events: its writes fail or have had no
// answer for 5 s, a right is missing, or the namespace is gone.
type Trouble struct {
	Namespace string // empty: all, which means that the server is away
	For       time.Duration
	Err       string // of the last call when it began
}

// Snapshot returns the broadcaster's state.
func (b *Broadcaster) Snapshot() Snapshot {
	now := b.clock.Now().Mono
	s := Snapshot{Subscribers: b.subscribers.stats(), Troubles: b.log.troubles.list(now)}
	s.State, s.Skipped = "recording", b.skipped.Load()+b.log.lost()
	if h := b.hooks.load(); h != nil {
		if h.disabled {
			s.State = "disabled"
		}
		if h.filter != nil {
			s.Filters = []Filter{h.filter}
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s.Stats, s.MaxBytes = b.stats(), b.maxBytes
	if b.draining {
		s.State = "ended"
	}
	for _, c := range b.inFlight {
		s.OldestCall = max(s.OldestCall, now-c.sent)
	}
	if b.opts.Identity != correlator.Unique {
		s.Writers = []string{b.c.WriterKey()}
	}
	return s
}

// lookStep is the number of events that States reads under one hold of the lock, which lasts some
// 30 µs.
const lookStep = 256

// States yields the state of every held event. It holds the lock for some 30 µs for each 256
// events, and not while it yields. Events recorded or forgotten meanwhile may be left out, or
// yielded twice. For 262,144 events States takes some 50 ms of processor time, so a program that
// offers it to others should bound how often. The View is overwritten after the body of the loop.
func (b *Broadcaster) States() iter.Seq[*correlator.View] {
	return func(yield func(*correlator.View) bool) {
		now := b.clock.Now()
		step := make([]correlator.View, 0, lookStep)
		for from, more := 0, true; more; more = from != 0 {
			step = step[:0]
			b.mu.Lock()
			from = b.c.Look(from, lookStep, now, func(v *correlator.View) { step = append(step, *v) })
			b.mu.Unlock()
			for i := range step {
				if !yield(&step[i]) {
					return
				}
			}
		}
	}
}
