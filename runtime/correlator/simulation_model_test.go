package correlator

import (
	"fmt"
	"strings"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// model is a history's knowledge without a look into the correlator: the recorded events, the
// writes, and the sink's answers. It is plain: it notes what happens, and the oracles compare.
type model struct {
	expected map[string]*expected // by keyOf
	events   map[string]*written  // by name
	begun    map[*record]begun
	names    map[*record]string
	// by object: the serial of the last identity whose first create was stored
	created    map[string]uint64
	departures []departure // of writes that took a token

	calls    uint64 // of Observe
	rejected uint64 // calls of Observe that were in vain
	leftOut  uint64 // labels of occurrences that are none

	// unordered: identities lose their place without a write, so the order of first creates is
	// unknown.
	unordered bool
}

func newModel() model {
	return model{expected: map[string]*expected{}, events: map[string]*written{}, begun: map[*record]begun{}, names: map[*record]string{}, created: map[string]uint64{}}
}

// expected is the expected result for one identity. In histories that aggregate it is the expected
// result for one {object, reason, type}.
type expected struct {
	definition *eventrt.Definition
	recorded   uint64
	latest     time.Time // of all times that were recorded
	// the last recorded time, without times from which the wall clock was put back
	least   time.Time
	labels  map[string]bool // of the occurrences, as text
	note    string          // the latest
	renoted bool            // there was another note before

	aggregated     map[string]bool // messages of occurrences that made no event of their own
	lastAggregated string
	own            map[string]bool // names of events that are no aggregates

	name string // of its event; empty: not known, or expired
	life life
}

// life is an identity from its first occurrence until its event has expired.
type life struct {
	recorded uint32
	seen     time.Duration // its last occurrence
	name     string        // of the event that it was written by last
	began    time.Duration // when that write began
}

// isLossy reports whether occurrences can be lost to a limit.
func (x *expected) isLossy() bool {
	limit := x.definition.Correlation.Limit
	return limit != nil && limit.Wait > 0
}

// written holds the known facts about an event, by its name.
type written struct {
	of        *expected
	by        *record // that writes it
	firstNote string
	reads     bool          // its last write was a Read
	stamp     time.Time     // lastTimestamp of its last write; zero: there was none
	began     time.Duration // when its last write began, without tries in an outage
	told      told
	failed    int           // creates in vain, one after another
	failing   time.Duration // since when
	// it was refused, renamed or stepped aside, and may come later than its turn
	odd     bool
	stored  bool // its create was acknowledged
	expired bool // it must not be written again
}

// told holds the facts in the sink's answers that the correlator has to keep about an event.
type told struct {
	mark    uint8
	version uint64        // 0: not known
	wait    time.Duration // until when the server asked for retryDelayOf
	unsure  bool          // a create may have stored it, though no answer said so
	count   int32         // acknowledged
}

// begun is the time when a write of an identity last began, and whether that write has ended.
type begun struct {
	at    time.Duration
	ended bool
}

// departure is a write that took a token: since when it was due, and when it began.
type departure struct {
	limit   *eventrt.Limit
	due, at time.Duration
}

func (m *model) expectedOf(key string, def *eventrt.Definition) *expected {
	if m.expected[key] == nil {
		m.expected[key] = &expected{definition: def, labels: map[string]bool{}, aggregated: map[string]bool{}, own: map[string]bool{}}
	}
	return m.expected[key]
}

func (m *model) event(name string) *written {
	if m.events[name] == nil {
		m.events[name] = &written{}
	}
	return m.events[name]
}

// isUnsure reports whether an event's group is unknown.
func (m *model) isUnsure() bool {
	for _, e := range m.events {
		if e.told.unsure {
			return true
		}
	}
	return false
}

// noteOccurrence notes a recorded occurrence.
func (h *history) noteOccurrence(x *expected, e *eventrt.Event) {
	x.recorded++
	labels, leftOut := e.Labels()
	x.labels[fmt.Sprint(labels)] = true
	h.leftOut += uint64(len(leftOut))
	note := e.Message()
	x.renoted = x.renoted || x.note != "" && x.note != note
	x.note, x.least = note, h.now.Wall
	if h.now.Wall.After(x.latest) {
		x.latest = h.now.Wall
	}
	if _, held := h.c.find(e); held == nil && !h.profile.small {
		x.lastAggregated = aggregatedText(x.definition, note)
		x.aggregated[x.lastAggregated] = true
	}
	h.noteLife(x)
}

// aggregatedText is the part of a message that is part of the identity.
func aggregatedText(def *eventrt.Definition, message string) string {
	if def.Correlation.Merged != 0 {
		message, _, _ = strings.Cut(message, " b=")
	}
	return message
}

// noteLife begins a life if the last one is over: the event was acknowledged whole, and not written
// for as long as the server keeps events.
func (h *history) noteLife(x *expected) {
	l := &x.life
	if l.recorded == 0 || h.now.Mono-l.seen > defaultEventTTL {
		x.name = ""
	}
	if l.name != "" && h.event(l.name).told.count == int32(l.recorded) && h.now.Mono-l.began > h.c.opts.EventTTL {
		h.event(l.name).expired = true
		*l = life{}
	}
	l.recorded++
	l.seen = h.now.Mono
}

// begin starts an event's notes anew because another record writes it now: the former record was
// forgotten, or its time is over.
func (h *history) begin(w *sink.Write) {
	e := h.event(w.Name)
	r := h.recordOf(w)
	if old := h.names[r]; old != "" && old != w.Name {
		delete(h.event(old).of.own, old)
	}
	if e.by != r {
		// a record that changes its name has lost its place
		*e = written{of: e.of, by: r, odd: h.names[r] != ""}
	}
	h.names[r] = w.Name
}

// noteWrite notes a write that was handed out.
func (h *history) noteWrite(w *sink.Write, x *expected) {
	e := h.event(w.Name)
	first := e.firstNote == ""
	e.of = x
	if first {
		e.firstNote = string(w.Note)
	}
	if !w.Aggregate && w.Operation != sink.Read {
		x.own[w.Name] = true
	}
	x.name, x.life.name, x.life.began = w.Name, w.Name, h.now.Mono
	if h.takesToken(w) {
		h.departures = append(h.departures, h.departure(w))
	}
	if last := h.begun[h.recordOf(w)]; w.Operation != sink.Read && !w.Joins || last.at == 0 {
		h.begun[h.recordOf(w)] = begun{at: h.now.Mono}
	}
	if first || !h.outage {
		e.began = h.now.Mono
	}
	e.stamp, e.reads = w.Last, w.Operation == sink.Read
}

// recordOf returns the record of a write in flight.
func (h *history) recordOf(w *sink.Write) *record { return h.workOf(w).record }

// takesToken reports whether a write takes a token of its limit. Retries take none, and neither do
// Shutdown's writes.
func (h *history) takesToken(w *sink.Write) bool {
	last, before := h.begun[h.recordOf(w)]
	return simDefinitionOf(w).Correlation.Limit != nil && !h.c.d.Draining() && (!before || last.ended) && w.Operation != sink.Read
}

func (h *history) departure(w *sink.Write) departure {
	return departure{limit: simDefinitionOf(w).Correlation.Limit, due: h.workOf(w).Look().Due, at: h.now.Mono}
}

// noteAnswer notes the sink's answer before the correlator gets it.
func (h *history) noteAnswer(w *sink.Write, a sink.Answer) {
	h.noteOrder(w, a)
	b := h.begun[h.recordOf(w)]
	if w.Operation != sink.Read {
		// a denial that is not confirmed is tried again
		b.ended = a.Outcome == sink.Done || a.Outcome == sink.Refused
	}
	h.begun[h.recordOf(w)] = b
	if a.Outcome == sink.Refused && w.Operation != sink.Create || a.Stored != nil && a.Stored.Reason == foreignReason {
		delete(h.event(w.Name).of.own, w.Name) // pending occurrences go into another event
		h.event(w.Name).of.name = ""
	}
	t := &h.event(w.Name).told
	t.wait = 0
	switch {
	case a.Stored != nil:
		*t = told{mark: a.Mark, version: a.ResourceVersion, count: int32(storedCount(a.Stored))}
	case a.Outcome == sink.Done:
		*t = told{mark: a.Mark, version: a.ResourceVersion, count: w.Count}
	case a.Outcome == sink.Exists:
		*t = told{mark: a.Mark}
	case a.Outcome == sink.Retry:
		t.wait = h.now.Mono + a.RetryAfter
		if a.MaybeStored && w.Operation == sink.Create {
			t.mark, t.unsure = a.Mark, true
		}
	}
}

// isOrdered reports whether a write is a create that keeps to its turn. One with a limit may have
// waited for a token, and lost its place.
func (h *history) isOrdered(w *sink.Write) bool {
	return w.Operation == sink.Create && !h.unordered && h.server.foreign == 0 && simDefinitionOf(w).Correlation.Limit == nil
}

// noteOrder notes which creates have been stored, and which have lost their place.
func (h *history) noteOrder(w *sink.Write, a sink.Answer) {
	if a.Outcome == sink.RefusedQuietly {
		h.unordered = true // the namespace is remembered
	}
	if !h.isOrdered(w) {
		return
	}
	e := h.event(w.Name)
	switch a.Outcome {
	case sink.Retry:
		e.odd = h.stepsAside(e, a) || e.odd || a.RetryAfter > h.c.opts.tuning.MaxRetryDelay
	case sink.Done:
		e.failed = 0
		if !e.odd && !e.stored {
			e.stored = true
			h.created[w.Regarding.Name] = h.serialOf(w)
		}
	default:
		e.odd = true
	}
}

func (h *history) serialOf(w *sink.Write) uint64 {
	return h.recordOf(w).serial
}

// stepsAside reports whether a create was tried in vain five times, over 30 s.
func (h *history) stepsAside(e *written, a sink.Answer) bool {
	if a.Conflict {
		e.failed = 0
		return false
	}
	if e.failed == 0 {
		e.failing = h.now.Mono
	}
	e.failed++
	if e.failed < 5 || h.now.Mono-e.failing < 30*time.Second {
		return false
	}
	h.reach("stepped aside", a.Mark)
	return true
}

// noteClock notes that the wall clock was put back: later times than its new one must not be
// written any more.
func (h *history) noteClock() {
	for _, x := range h.expected {
		if x.least.After(h.now.Wall) {
			x.least = h.now.Wall
		}
	}
	for _, e := range h.events {
		if e.stamp.After(h.now.Wall) {
			e.stamp = h.now.Wall
		}
	}
}

// workOf returns the work of a write in flight.
func (h *history) workOf(w *sink.Write) *work {
	for _, r := range h.c.all {
		if r.work != nil && r.work.InFlight() && r.work.Ticket() == w.Ticket {
			return r.work
		}
	}
	panic("no such write is in flight")
}
