package broadcaster

import (
	"cmp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/internal/problems"
	"github.com/event-gen/event-gen/runtime/sink"
)

// log logs everything that the program's owner must know, each line once or at a bounded rate. It
// is safe for concurrent use.
type log struct {
	lines

	// a bit for each Problem that was logged
	problems                                                                           atomic.Uint64
	filterPanicked, observerPanicked, tracePanicked, aggregatePanicked, redactPanicked atomic.Bool
	labelLeftOut                                                                       atomic.Bool

	refused          rate // writes that were refused or stepped aside
	refusedWrites    atomic.Uint64
	evicted, limited rate // losses to a bound on memory, or to a limit
	lastEvicted      atomic.Pointer[notice.Notice]
	troubles         troubles
}

func newLog(logger logr.Logger) *log {
	return &log{
		lines: lines{logger: logger}, refused: rate{every: 10 * time.Second}, evicted: rate{every: time.Minute}, limited: rate{every: time.Minute},
		troubles: troubles{all: map[troubleKey]*trouble{}, outages: rate{every: time.Minute}, denials: rate{every: denialInterval, most: 20}},
	}
}

// rate bounds how often a sort of line is logged. due is safe for concurrent use.
type rate struct {
	every time.Duration
	most  int // lines in that time; 0: one

	mu    sync.Mutex
	over  time.Duration // when the current period ends
	lines int           // in it
	told  uint64        // losses that the lines until now have named
}

// allow reports whether a line may be logged, and counts it.
func (r *rate) allow(now time.Duration) bool {
	if now >= r.over {
		r.over, r.lines = now+r.every, 0
	}
	if r.lines >= max(1, r.most) {
		return false
	}
	r.lines++
	return true
}

// due reports whether to log a line, and how much of the total until now no line has named. At the
// end a line about such a rest is always due.
func (r *rate) due(total uint64, now time.Duration, atEnd bool) (untold uint64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	untold = total - r.told
	if untold == 0 || !r.allow(now) && !atEnd {
		return 0, false
	}
	r.told = total
	return untold, true
}

// rejected logs a problem of an event, the first time it occurs. An unknown enum value may have to
// pick the variant. The reason would then belong to a variant that nobody chose, so the line has
// the event's name instead.
func (b *Broadcaster) rejected(h *hooks, p eventrt.Problem, e *eventrt.Event) {
	text := p.String()
	if p == e.Problem() {
		text = e.ProblemText()
	}
	if h != nil {
		b.tellRejected(h, e, text)
	}
	bit := uint64(1) << p
	if b.log.problems.Or(bit)&bit != 0 {
		return
	}
	key, reason := "reason", e.Reason()
	if p == problems.UnknownValue {
		key, reason = "event", cmp.Or(e.Definition().Name, reason)
	}
	b.log.error(nil, "Event rejected; others with the same trouble are only counted", "problem", text,
		key, reason, "regarding", e.Regarding().Name, "namespace", e.Regarding().Namespace)
}

// noteAll logs the notices that an answer to a write has caused, or none.
func (b *Broadcaster) noteAll(notes []notice.Notice, w *sink.Write, a *sink.Answer) {
	if len(notes) == 0 {
		return
	}
	now, pending := b.clock.Now().Mono, b.Stats().Pending
	for i := range notes {
		b.note(&notes[i], w, a, now, pending)
	}
}

// note logs a notice of the correlator.
func (b *Broadcaster) note(n *notice.Notice, w *sink.Write, a *sink.Answer, now time.Duration, pending uint64) {
	switch n.Type {
	case notice.Refused:
		if w.Operation == sink.Update {
			b.logWrite(w, a, now, "Update refused; nothing is lost, but while updates are refused each write makes a new event")
		} else {
			b.logWrite(w, a, now, "Event refused")
		}
	case notice.Evicted:
		b.log.lastEvicted.Store(n)
	case notice.LabelLeftOut:
		b.logLeftOut(n)
	case notice.SteppedAside:
		b.logWrite(w, a, now, "An event is not taken; others of its object are tried before it")
	default:
		if unlogged, ok := b.log.troubles.take(n, now); ok {
			b.logTrouble(n, unlogged, pending)
		}
	}
}

// logWrite logs a write that the server did not take, at a bounded rate over all writes.
func (b *Broadcaster) logWrite(w *sink.Write, a *sink.Answer, now time.Duration, text string) {
	if untold, ok := b.log.refused.due(b.log.refusedWrites.Add(1), now, false); ok {
		b.log.error(a.Err, text, "reason", w.Reason, "name", w.Name, "namespace", w.Namespace,
			"occurrences", w.Count, "refusedSinceLastLine", untold-1)
	}
}

// look logs losses that no line has named yet. It reads the accounts, so that recording pays
// nothing for the lines.
func (b *Broadcaster) look(atEnd bool) {
	now := b.clock.Now().Mono
	b.mu.Lock()
	stats, notes := b.stats(), b.c.Notices()
	b.mu.Unlock()
	b.noteAll(notes, nil, nil)
	if last := b.log.lastEvicted.Load(); last != nil {
		b.logEvicted(last, &stats, now, atEnd)
	}
	if lost, ok := b.log.limited.due(stats.Lost.Limited, now, atEnd); ok {
		b.log.error(nil, "Events were lost because they waited too long for a token; raise rate, burst or wait of their limit in the catalog",
			"lostSinceLastLine", lost, "pending", stats.Pending)
	}
	b.subscribers.logSlow()
}

// logEvicted logs what was lost to a bound, if no line has named it yet.
func (b *Broadcaster) logEvicted(last *notice.Notice, stats *eventrt.Stats, now time.Duration, atEnd bool) {
	if lost, ok := b.log.evicted.due(stats.Lost.Evicted, now, atEnd); ok {
		b.log.error(nil, "Events were lost because a bound was reached; raise the option, unless the server is away",
			"option", last.Bound, "evictedSinceLastLine", lost, "namespace", last.Namespace, "pending", stats.Pending)
	}
}

// logTrouble logs the start or the end of a trouble.
func (b *Broadcaster) logTrouble(n *notice.Notice, unlogged int, pending uint64) {
	where := []any{"scope", "server"}
	if n.Namespace != "" {
		where = []any{"scope", "namespace", "namespace", n.Namespace}
	}
	switch n.Type {
	case notice.Opened:
		b.log.error(n.Err, "Events are not taken for now; they wait, and are tried again",
			append(where, "pending", pending, "outagesSinceLastLine", unlogged)...)
	case notice.Closed:
		b.log.info("Events are taken again; what has waited is written now",
			append(where, "took", n.Took.Round(time.Millisecond), "failedCalls", n.Calls, "pending", pending)...)
	case notice.Denied:
		b.log.error(n.Err, "Events are lost because a right is missing; they are stored again within 30 s once it is granted", "namespace", n.Namespace)
	case notice.UpdatesDenied:
		b.log.error(n.Err, "Events can't be updated because a right is missing; nothing is lost, but each write makes a new event until it is granted", "namespace", n.Namespace)
	case notice.Gone:
		b.log.info("Events are lost because their namespace is gone or terminating", "namespace", n.Namespace, "error", textOf(n.Err))
	case notice.Granted:
		b.log.info("Events of a namespace are allowed again", "namespace", n.Namespace)
	}
}

// maxText is the number of bytes of an error's text that is kept or logged: servers choose it.
const maxText = 1024

// textOf returns the text of an error, shortened, even if its Error method panics; empty for nil.
func textOf(err error) string {
	arg := eventrt.Error(err)
	text := arg.Text()
	if len(text) > maxText {
		return strings.ToValidUTF8(text[:maxText-len("…")], "") + "…"
	}
	return strings.Clone(text)
}
