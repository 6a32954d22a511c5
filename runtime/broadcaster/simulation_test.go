package broadcaster_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

var (
	simSeed  = flag.Uint64("sim.seed", 0, "seed of the first history; 0: a new one")
	simCount = flag.Int("sim.histories", 60, "number of random histories")
)

// TestSimulation plays random mixtures of trouble to a broadcaster of eight shards and eight workers, in simulated time: namespaces that
// fail, hang, are gone, forbid or take events at a rate only, objects that are never taken, updates that fail, a server that starts and
// one that goes away. Events of a healthy namespace must be written within two seconds, whatever else is sick; everything is
// accounted for; and once all is well, what is stored is what was recorded.
func TestSimulation(t *testing.T) {
	first := *simSeed
	if first == 0 {
		first = rand.Uint64()
	}
	t.Logf("%d histories from -sim.seed=%d", *simCount, first)
	promised := 0
	for n := range uint64(*simCount) {
		synctest.Test(t, func(t *testing.T) {
			h := newHistory(first + n)
			if err := h.play(t); err != nil {
				t.Errorf("-sim.seed=%d -sim.histories=1: %v\n%v", first+n, err, h)
			}
			promised += h.promised
		})
		if t.Failed() {
			return
		}
	}
	if promised < *simCount*20 {
		t.Errorf("only %d events were promised anything", promised)
	}
}

// trouble is what is wrong with a namespace.
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
)

var troubles = []trouble{down, hangs, atARate, forbidden, gone, noUpdates, badObject}

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
	stored   map[string]int32         // counts, by name
	done     map[string]time.Duration // when the first event of an object was stored
	ready    map[string]time.Duration // when it was recorded
	busy     map[string]bool
	fault    error
	promised int
}

const simPlay = 60 * time.Second

func newHistory(seed uint64) *history {
	h := &history{
		rng: rand.New(rand.NewPCG(seed, seed^0xb0a)), begun: time.Now(),
		stored: map[string]int32{}, done: map[string]time.Duration{}, ready: map[string]time.Duration{}, busy: map[string]bool{},
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
	return h
}

func (h *history) String() string {
	return fmt.Sprintf("namespaces %v, starting %v, outage %v", h.spaces, h.starting, h.outage)
}

func (h *history) now() time.Duration { return time.Since(h.begun) }

func (h *history) Write(ctx context.Context, w *runtime.Write) runtime.Answer {
	a, takes := h.enter(w)
	select {
	case <-time.After(takes):
	case <-ctx.Done():
		a = runtime.Answer{Outcome: runtime.Retry, Err: ctx.Err()}
	}
	h.leave(w, a)
	return a
}

// enter decides on an answer, and how long it takes.
func (h *history) enter(w *runtime.Write) (runtime.Answer, time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	object := w.Regarding.Namespace + "/" + w.Regarding.Name
	if h.busy[object] && h.fault == nil {
		h.fault = fmt.Errorf("two writes of %s at once", object)
	}
	h.busy[object] = true
	var n int
	_, _ = fmt.Sscanf(w.Namespace, "ns-%d", &n)
	takes := time.Duration(1+h.rng.IntN(10)) * time.Millisecond
	retry := runtime.Answer{Outcome: runtime.Retry, Err: errors.New("no")}
	switch s := h.spaces[n]; {
	case h.healed:
	case h.now() >= h.outage[0] && h.now() < h.outage[1]:
		retry.Scope = runtime.ScopeServer
		return retry, takes
	case h.now() < h.starting, s == forbidden:
		return runtime.Answer{Outcome: runtime.Forbidden, Scope: runtime.ScopeNamespace, Err: errors.New("no right")}, takes
	case s == gone && w.Operation == runtime.Create:
		return runtime.Answer{Outcome: runtime.RefusedQuietly, Scope: runtime.ScopeNamespace, Err: errors.New("gone")}, takes
	case s == down, s == noUpdates && w.Operation == runtime.Update, s == badObject && w.Regarding.Name == "o1":
		return retry, takes
	case s == hangs:
		return retry, time.Hour
	case s == atARate && !h.token(n):
		retry.Scope, retry.Limited = runtime.ScopeNamespace, true
		return retry, takes
	}
	return runtime.Answer{Outcome: runtime.Done}, takes
}

// token takes one of five a second.
func (h *history) token(n int) bool {
	h.tokens[n] = min(5, h.tokens[n]+5*time.Since(h.refilled[n]).Seconds())
	h.refilled[n] = time.Now()
	if h.tokens[n] < 1 {
		return false
	}
	h.tokens[n]--
	return true
}

func (h *history) leave(w *runtime.Write, a runtime.Answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	object := w.Regarding.Namespace + "/" + w.Regarding.Name
	h.busy[object] = false
	if a.Outcome != runtime.Done {
		return
	}
	if w.Count < h.stored[w.Name] && h.fault == nil {
		h.fault = fmt.Errorf("the count of %s goes back from %d to %d", w.Name, h.stored[w.Name], w.Count)
	}
	h.stored[w.Name] = w.Count
	if _, known := h.done[object]; !known {
		h.done[object] = h.now()
	}
}

func (h *history) total() (n uint64) {
	for _, c := range h.stored {
		n += uint64(c)
	}
	return n
}

// record publishes an event of an object.
func (h *history) record(b *broadcaster.Broadcaster, space int, object string) {
	ns := fmt.Sprint("ns-", space)
	h.mu.Lock()
	if _, known := h.ready[ns+"/"+object]; !known {
		h.ready[ns+"/"+object] = h.now()
	}
	h.mu.Unlock()
	def := created
	if len(object)%2 == 0 {
		def = failed
	}
	about := runtime.ReferenceOf(&corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: ns, Name: object})
	if def == failed {
		b.Publish(runtime.NewEvent(def, about, runtime.ObjectRef{}))
		return
	}
	b.Publish(runtime.NewEvent(def, about, runtime.ObjectRef{}, runtime.Int(space)))
}

func (h *history) play(t *testing.T) error {
	b, _ := start(t, broadcaster.Options{Sink: h, Workers: 8, Shards: 8})
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
	if err := h.checkPromises(); err != nil {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_ = b.Shutdown(ctx)
		return err
	}
	return h.finish(t, b)
}

// checkPromises holds the first events of objects of healthy namespaces to two seconds.
func (h *history) checkPromises() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	end := h.now()
	for object, ready := range h.ready {
		var n int
		_, _ = fmt.Sscanf(object, "ns-%d/", &n)
		by := ready + 2*time.Second + 50*time.Millisecond
		switch {
		case h.spaces[n] != fine, h.starting > 0 && ready < 8*time.Second, ready < 2*time.Second: // nobody can know yet who is well
			continue
		case h.outage[1] > 0 && ready > h.outage[0]-time.Second && ready < h.outage[1]+30*time.Second:
			by = h.outage[1] + 32*time.Second
		}
		if by > end {
			continue
		}
		h.promised++
		if done, ok := h.done[object]; !ok || done > by {
			return fmt.Errorf("%s, recorded at %v, was promised by %v; written: %v, at %v", object, ready, by, ok, done)
		}
	}
	return h.fault
}

// finish ends all trouble, and compares what is stored in the end with what was recorded.
func (h *history) finish(t *testing.T, b *broadcaster.Broadcaster) error {
	h.mu.Lock()
	h.healed = true
	h.mu.Unlock()
	time.Sleep(6 * time.Minute)
	if err := b.Shutdown(context.Background()); err != nil {
		return fmt.Errorf("%w; %+v", err, b.Stats())
	}
	s := b.Stats()
	checkConserved(t, s)
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.Pending != 0 || h.total() != s.Written || s.Lost.Total() != s.Lost.Refused || s.Stuck != 0 {
		return fmt.Errorf("stored %d: %+v", h.total(), s)
	}
	mayRefuse := false
	for _, space := range h.spaces {
		mayRefuse = mayRefuse || space == forbidden || space == gone
	}
	if !mayRefuse && s.Lost.Total() > 0 {
		return fmt.Errorf("lost, though nobody refuses: %+v", s.Lost)
	}
	return h.fault
}
