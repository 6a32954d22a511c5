package broadcaster

import (
	"cmp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink"
)

// The least times between two lines of one sort.
const (
	refusalInterval = 10 * time.Second // a refused write, or one that stepped aside
	lossInterval    = time.Minute      // losses to a bound on memory, or to a limit
)

// log logs what the program's owner must know, each line once or at a bounded rate. It is safe for
// concurrent use.
type log struct {
	logger logr.Logger
	clock  eventrt.Clock

	// a bit for each Problem that was logged
	problems                                                      atomic.Uint64
	filterPanicked, observerPanicked, tracePanicked, foldPanicked atomic.Bool

	refused, shed, limited rate
}

// error logs a line. A logger that panics loses the line.
func (l *log) error(err error, text string, about ...any) {
	defer func() { _ = recover() }()
	l.logger.Error(err, text, about...)
}

func (l *log) info(text string, about ...any) {
	defer func() { _ = recover() }()
	l.logger.Info(text, about...)
}

// rate bounds how often a sort of line is logged, and keeps what happened since the last line.
type rate struct {
	mu     sync.Mutex
	logged bool
	next   time.Duration // the earliest time of the next line
	told   uint64        // what the lines until now have named
}

// due reports whether to log a line, given the total until now, and how much of it no line has
// named. At the end a line is always due.
func (r *rate) due(total uint64, now, interval time.Duration, atEnd bool) (untold uint64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	untold = total - r.told
	if untold == 0 || r.logged && now < r.next && !atEnd {
		return 0, false
	}
	r.logged, r.next, r.told = true, now+interval, total
	return untold, true
}

// rejected logs a problem of an event, the first time it occurs. A value that an enum does not have
// may be what picks among variants. The reason is then that of a variant that nobody chose, so the
// event's name is told instead.
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
	if p == eventrt.UnknownValue {
		key, reason = "event", cmp.Or(e.Definition().Name, reason)
	}
	b.log.error(nil, "Event rejected; others with the same trouble are only counted", "problem", text,
		key, reason, "regarding", e.Regarding().Name, "namespace", e.Regarding().Namespace)
}

// note logs what an answer means.
func (b *Broadcaster) note(n *correlator.Notice, w *sink.Write, a *sink.Answer, now time.Duration) {
	switch n.Type {
	case correlator.Refused:
		b.logWrite(w, a, now, "Event refused")
	case correlator.SteppedAside:
		b.logWrite(w, a, now, "An event is not taken; others of its object are tried before it")
	default:
		for _, line := range b.troubles.take(n, now) {
			b.logTrouble(&line)
		}
	}
}

// logWrite logs a write that was not taken, at a bounded rate over all writes.
func (b *Broadcaster) logWrite(w *sink.Write, a *sink.Answer, now time.Duration, text string) {
	total := b.refusedWrites.Add(1)
	if untold, ok := b.log.refused.due(total, now, refusalInterval, false); ok {
		b.log.error(a.Err, text, "reason", w.Reason, "name", w.Name, "namespace", w.Namespace,
			"occurrences", w.Count, "refusedSinceLastLine", untold-1)
	}
}

// look logs losses that no line has named yet. It reads the accounts, so that recording costs
// nothing more.
func (b *Broadcaster) look(atEnd bool) {
	now := b.clock.Now().Mono
	stats := b.Stats()
	if !atEnd {
		if line, ok := b.troubles.overdue(now); ok {
			b.logTrouble(&line)
		}
	}
	if lost, ok := b.log.shed.due(stats.Lost.Shed, now, lossInterval, atEnd); ok {
		option := "MaxBytes"
		if stats.Identities >= b.opts.MaxEvents {
			option = "MaxEvents"
		}
		b.log.error(nil, "Events were lost because a bound was reached; raise the option, unless the server is away",
			"option", option, "shedSinceLastLine", lost, "pending", stats.Pending)
	}
	if lost, ok := b.log.limited.due(stats.Lost.Limited, now, lossInterval, atEnd); ok {
		b.log.error(nil, "Events were lost because they waited too long for a token; raise rate, burst or wait of their limit in the catalog",
			"lostSinceLastLine", lost, "pending", stats.Pending)
	}
	b.subscribers.logSlow()
}

// logTrouble logs the start or the end of a trouble.
func (b *Broadcaster) logTrouble(t *troubleLine) {
	where := []any{"scope", t.scope()}
	if t.namespace != "" {
		where = append(where, "namespace", t.namespace)
	}
	switch t.typ {
	case correlator.Opened:
		b.log.error(t.err, "Events are not taken for now; they wait, and are tried again",
			append(where, "pending", b.Stats().Pending, "outagesSinceLastLine", t.unlogged)...)
	case correlator.Closed:
		b.log.info("Events are taken again; what has waited is written now",
			append(where, "took", t.took.Round(time.Millisecond), "failedCalls", t.failed, "pending", b.Stats().Pending)...)
	case correlator.Denied:
		b.log.error(t.err, "Events are lost because a right is missing; they are stored again within 30 s once it is granted", "namespace", t.namespace)
	case correlator.Gone:
		b.log.info("Events are lost because their namespace is gone or terminating", "namespace", t.namespace, "error", t.err)
	case correlator.Granted:
		b.log.info("Events of a namespace are allowed again", "namespace", t.namespace)
	}
}

// textOf returns the text of a sink's error, even if its Error method panics; empty for nil.
func textOf(err error) string {
	arg := eventrt.Error(err)
	return strings.Clone(arg.Text())
}
