package broadcaster_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
	"github.com/event-gen/event-gen/runtime/sink"
)

var simCount = flag.Int("histories", 60, "number of random histories")

// TestSimulation plays random mixtures of trouble to a broadcaster with eight calls at a time, in
// simulated time: namespaces that fail, hang, are gone, forbid or take events at a rate only,
// objects, reasons and an API group that are never taken, updates that fail, a server that starts
// and one that goes away. Everything is accounted for at all times. Once all is well, Shutdown ends
// with nothing pending, and the stored counts are the recorded ones. When each event is written is
// the correlator's matter.
func TestSimulation(t *testing.T) {
	if testing.Short() {
		*simCount = min(*simCount, 10)
	}
	first := seed.Of(t)
	t.Logf("%d histories", *simCount)
	for n := range uint64(*simCount) {
		synctest.Test(t, func(t *testing.T) {
			h := newHistory(first + n)
			if err := h.play(t); err != nil {
				t.Errorf("-seed=%d -histories=1: %v\n%v", first+n, err, h)
			}
		})
		if t.Failed() {
			return
		}
	}
}

// trouble is the state of a namespace.
type trouble string

const (
	fine      trouble = "fine"
	down      trouble = "down"
	hangs     trouble = "hanging"
	atARate   trouble = "at a rate"
	forbidden trouble = "forbidden"
	gone      trouble = "gone"
	noUpdates trouble = "no updates"
	badObject trouble = "a bad object"
	badReason trouble = "a bad reason"
)

var troubles = []trouble{down, hangs, atARate, forbidden, gone, noUpdates, badObject, badReason}

// reasons are the reasons of all events. The last is never taken where a reason is bad.
var reasons = []*eventrt.Definition{created, failed, {Name: "Evicted", Reason: "Evicted", Action: "Evict", Type: eventrt.Warning,
	Message: []eventrt.Segment{{Text: "evicted"}}}}

// bad is the reason that is never taken where a reason is bad.
const bad = "Evicted"

// history is a random mixture of trouble. It is the sink, too.
type history struct {
	mu       sync.Mutex
	rng      *rand.Rand
	begun    time.Time
	spaces   []trouble
	starting time.Duration    // until when everything is forbidden
	outage   [2]time.Duration // when the server is away
	healed   bool
	tokens   []float64
	refilled []time.Time
	group    int // the API group that takes nothing; 0: both do
	// admission denies the bad reason everywhere for now, object by object
	reason bool
	stored map[string]int32 // counts, by name
	busy   map[string]bool
	fault  error
}

const simPlay = 60 * time.Second

func newHistory(seed uint64) *history {
	h := &history{
		rng: rand.New(rand.NewPCG(seed, seed^0xb0a)), begun: time.Now(),
		stored: map[string]int32{}, busy: map[string]bool{},
	}
	hang := 0
	for n := range 2 + h.rng.IntN(7) {
		s := fine
		if n > 0 && h.rng.IntN(3) > 0 {
			s = troubles[h.rng.IntN(len(troubles))]
		}
		if s == hangs {
			if hang++; hang > 2 {
				s = down
			}
		}
		h.spaces = append(h.spaces, s)
	}
	h.tokens, h.refilled = make([]float64, len(h.spaces)), make([]time.Time, len(h.spaces))
	if h.rng.IntN(4) == 0 {
		h.starting = 300 * time.Millisecond
	}
	if h.rng.IntN(3) == 0 {
		h.outage[0] = time.Duration(h.rng.IntN(20)) * time.Second
		h.outage[1] = h.outage[0] + time.Duration(1+h.rng.IntN(20))*time.Second
	}
	if h.rng.IntN(4) == 0 {
		h.group = 1 + h.rng.IntN(2)
	}
	h.reason = h.rng.IntN(4) == 0
	return h
}

func (h *history) String() string {
	return fmt.Sprintf("namespaces %v, starting %v, outage %v, bad API group %d, bad reason %v", h.spaces, h.starting, h.outage, h.group, h.reason)
}

// groupOf is the API group that the events of a namespace go through.
func groupOf(space int) int { return 1 + space%2 }

func (h *history) now() time.Duration { return time.Since(h.begun) }

func (h *history) Write(ctx context.Context, w *sink.Write) sink.Answer {
	a, takes := h.enter(w)
	select {
	case <-time.After(takes):
	case <-ctx.Done():
		a = sink.Answer{Outcome: sink.Retry, Err: ctx.Err()}
	}
	h.leave(w, a)
	return a
}

// spaceOf is the number of a namespace.
func spaceOf(namespace string) (n int) {
	_, _ = fmt.Sscanf(namespace, "ns-%d", &n)
	return n
}

// enter decides on an answer, and how long it takes.
func (h *history) enter(w *sink.Write) (sink.Answer, time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	object := w.Regarding.Namespace + "/" + w.Regarding.Name
	if h.busy[object] && h.fault == nil {
		h.fault = fmt.Errorf("two writes of %s at once", object)
	}
	h.busy[object] = true
	takes := time.Duration(1+h.rng.IntN(10)) * time.Millisecond
	if h.healed {
		return sink.Answer{Outcome: sink.Done}, takes
	}
	if spaceOf(w.Namespace) < len(h.spaces) && h.spaces[spaceOf(w.Namespace)] == hangs && !h.away() {
		takes = time.Hour
	}
	return h.answer(w), takes
}

func (h *history) away() bool { return h.now() >= h.outage[0] && h.now() < h.outage[1] }

// answer returns the server's answer.
func (h *history) answer(w *sink.Write) sink.Answer {
	n := spaceOf(w.Namespace)
	s, create := h.spaces[n], w.Operation == sink.Create
	retry := sink.Answer{Outcome: sink.Retry, Err: errors.New("no")}
	switch {
	case h.away():
		retry.Scope = sink.ScopeServer
	case h.now() < h.starting, s == forbidden:
		return sink.Answer{Outcome: sink.Forbidden, Scope: sink.ScopeNamespace, Err: errors.New("no right")}
	case h.group == groupOf(n):
		retry.Scope = sink.ScopeGroup
	case h.reason && w.Reason == bad:
		retry.Scope = sink.ScopeObject
	case s == gone && create:
		return sink.Answer{Outcome: sink.RefusedQuietly, Scope: sink.ScopeNamespace, Err: errors.New("gone")}
	case s == down, s == hangs, s == noUpdates && !create, s == badObject && w.Regarding.Name == "o1", s == badReason && w.Reason == bad:
	case s == atARate && !h.token(n):
		retry.Scope, retry.Limited = sink.ScopeNamespace, true
	default:
		return sink.Answer{Outcome: sink.Done, Mark: uint8(groupOf(n))}
	}
	return retry
}

// token takes one of five tokens a second.
func (h *history) token(n int) bool {
	h.tokens[n] = min(5, h.tokens[n]+5*time.Since(h.refilled[n]).Seconds())
	h.refilled[n] = time.Now()
	if h.tokens[n] < 1 {
		return false
	}
	h.tokens[n]--
	return true
}

func (h *history) leave(w *sink.Write, a sink.Answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.busy[w.Regarding.Namespace+"/"+w.Regarding.Name] = false
	if a.Outcome != sink.Done {
		return
	}
	if w.Count < h.stored[w.Name] && h.fault == nil {
		h.fault = fmt.Errorf("the count of %s goes back from %d to %d", w.Name, h.stored[w.Name], w.Count)
	}
	h.stored[w.Name] = w.Count
}

func (h *history) total() (n uint64) {
	for _, c := range h.stored {
		n += uint64(c)
	}
	return n
}

// record publishes an event of an object.
func (h *history) record(b *broadcaster.Broadcaster, space int, object string) {
	h.mu.Lock()
	def := reasons[h.rng.IntN(len(reasons))]
	if object == "o0" || object == "o4" { // some objects have nothing but good reasons
		def = reasons[h.rng.IntN(2)]
	}
	h.mu.Unlock()
	about := eventrt.ReferenceOf(&corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: fmt.Sprint("ns-", space), Name: object})
	var args []eventrt.Arg
	if def == created {
		args = append(args, eventrt.Int(space))
	}
	b.Publish(eventrt.NewEvent(def, about, eventrt.ObjectRef{}, args...))
}

func (h *history) play(t *testing.T) error {
	b, _ := start(t, broadcaster.Options{Sink: h, Correlator: correlator.Tuned(correlator.Options{}, tuning.Tuning{MaxInFlight: 8})})
	const steps = 400
	serial := 0
	for range steps {
		h.mu.Lock()
		pause := simPlay / steps * time.Duration(h.rng.IntN(3)) / 2
		space, roll, burst := h.rng.IntN(len(h.spaces)), h.rng.IntN(100), h.rng.IntN(80)
		h.mu.Unlock()
		time.Sleep(pause)
		switch {
		case roll < 60: // repeats of a few objects
			h.record(b, space, fmt.Sprint("o", roll%6))
		case roll < 97 || h.spaces[space] == fine: // an object of its own
			serial++
			h.record(b, space, fmt.Sprint("single-", serial))
		default:
			for range burst {
				serial++
				h.record(b, space, fmt.Sprint("burst-", serial))
			}
		}
		checkConserved(t, b.Stats())
	}
	return h.finish(t, b)
}

// finish ends all trouble, and compares the stored counts in the end with the recorded ones.
func (h *history) finish(t *testing.T, b *broadcaster.Broadcaster) error {
	h.mu.Lock()
	h.healed = true
	h.mu.Unlock()
	time.Sleep(6 * time.Minute)
	before := b.Stats().Lost
	if err := b.Shutdown(context.Background()); err != nil {
		return fmt.Errorf("%w; %+v", err, b.Stats())
	}
	s := b.Stats()
	checkConserved(t, s)
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.Pending != 0 || h.total() != s.Written || s.Lost.Total() != s.Lost.Refused || s.Failing != 0 || s.Lost != before {
		return fmt.Errorf("stored %d, lost before Shutdown %+v: %+v", h.total(), before, s)
	}
	if s.Lost.Refused > 0 && !slices.Contains(h.spaces, forbidden) && !slices.Contains(h.spaces, gone) {
		return fmt.Errorf("lost, though nobody refuses: %+v", s.Lost)
	}
	return h.fault
}
