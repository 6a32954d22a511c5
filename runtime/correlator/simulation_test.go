package correlator

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

var (
	simSeed      = flag.Uint64("sim.seed", 0, "seed of the simulation; 0: a new one")
	simHistories = flag.Int("sim.histories", 10_000, "number of random histories")
	simSteps     = flag.Int("sim.steps", 120, "steps of a history")
)

// TestSimulation plays random histories of events, time, answers, outages and shutdowns against a plain model of what
// must come out. A history that fails prints its seed, which plays it again: go test -run TestSimulation -sim.seed=…
// -sim.histories=1.
func TestSimulation(t *testing.T) {
	first := *simSeed
	if first == 0 {
		first = rand.Uint64()
	}
	t.Logf("%d histories from seed %d", *simHistories, first)
	for n := range *simHistories {
		seed := first + uint64(n)
		if newHistory(seed).play(*simSteps) == nil {
			continue
		}
		h := newHistory(seed)
		h.logging = true
		if err := h.play(*simSteps); err != nil {
			t.Fatalf("history of -sim.seed=%d (%s): %v\nlast steps:\n%s", seed, h.profile.name, err, h.tail())
		}
	}
}

// profile says how rough a history is.
type profile struct {
	name string
	// exact: nothing can be lost, so that every count must come out exactly.
	exact bool
	// noAggregate: every identity is an event of its own, so that counts are checked one by one.
	noAggregate bool
	retries     int // per hundred answers
	refusals    int
	small       bool // bounds that are reached
	abandon     bool // shutdown runs out of time
}

var profiles = []profile{
	{name: "calm", exact: true, noAggregate: true},
	{name: "retries", exact: true, noAggregate: true, retries: 40},
	{name: "aggregating", exact: true, retries: 10},
	{name: "refusals", retries: 20, refusals: 20},
	{name: "small", retries: 20, refusals: 5, small: true},
	{name: "abandoned", retries: 50, refusals: 5, small: true, abandon: true},
}

// history is one run: the correlator, the model of the server and of what was recorded, and the writes in flight.
type history struct {
	rng     *rand.Rand
	profile profile
	c       *Correlator
	now     runtime.Instant
	server  *simServer
	flight  []runtime.Write
	model   map[string]uint64 // recorded, by what must be told apart
	labels  map[string]string // event name → the model's key
	orders  map[string]*creates
	writes  map[string]*writeLog
	alive   map[string]string          // names, by the key of the model, where every identity is an event of its own
	seen    map[string]time.Duration   // last occurrence, by the key of the model
	single  map[string]map[string]bool // names of events that are no aggregates, by group
	calls   uint64                     // Observe and Disabled calls
	// disabled are the calls of Disabled.
	disabled uint64
	outage   bool
	// unordered: the order of first creates is no longer known to the model.
	unordered     bool
	createdBefore map[string]bool // names that were stored once
	logging       bool            // what fails is played again, with a log
	log           []string
}

// creates is the order in which the first creates of an object were stored.
type creates struct {
	last uint64          // serial of the last
	odd  map[string]bool // names that were refused or renamed, which may come later
}

// writeLog is when an identity was written.
type writeLog struct {
	last  time.Duration // when it was written
	stamp time.Time     // the lastTimestamp it was written with
}

func newHistory(seed uint64) *history {
	return newHistoryOf(rand.New(rand.NewPCG(seed, seed^0x5eed)))
}

func newHistoryOf(rng *rand.Rand) *history {
	p := profiles[rng.IntN(len(profiles))]
	opts := Options{Controller: "example.com/sim", Instance: "sim-0", NoAggregate: p.noAggregate}
	if rng.IntN(2) == 0 {
		opts.Threshold, opts.Burst, opts.Every = 1+rng.IntN(4), 1+rng.IntN(6), time.Duration(1+rng.IntN(100))*time.Second
	}
	if p.small {
		opts.MaxIdentities = 2 + rng.IntN(8)
		if rng.IntN(2) == 0 {
			opts.MaxIdentities, opts.MaxBytes = 0, 3000+rng.Int64N(6000)
		}
	}
	c := New(opts)
	if rng.IntN(2) == 0 {
		c.hashMask = 3
	}
	return &history{
		rng: rng, profile: p, c: c,
		now:           runtime.Instant{Wall: time.Unix(1_700_000_000, 0)},
		server:        &simServer{stored: map[string]*simEvent{}},
		model:         map[string]uint64{},
		labels:        map[string]string{},
		orders:        map[string]*creates{},
		createdBefore: map[string]bool{},
		writes:        map[string]*writeLog{},
		alive:         map[string]string{},
		seen:          map[string]time.Duration{},
		single:        map[string]map[string]bool{},
	}
}

func (h *history) note(format string, args ...any) {
	if !h.logging {
		return
	}
	h.log = append(h.log, fmt.Sprintf("%9.3fs ", h.now.Mono.Seconds())+fmt.Sprintf(format, args...))
}

func (h *history) tail() string {
	return strings.Join(h.log[max(0, len(h.log)-60):], "\n")
}

func (h *history) play(steps int) error {
	for n := range steps {
		if err := h.step(); err != nil {
			return fmt.Errorf("step %d: %w", n, err)
		}
		if err := h.checkAccounts(); err != nil {
			return fmt.Errorf("step %d: %w", n, err)
		}
		if n%8 == 0 {
			if err := checkStructure(h.c); err != nil {
				return fmt.Errorf("step %d: structure: %w", n, err)
			}
		}
	}
	return h.finish()
}

func (h *history) step() error {
	switch roll := h.rng.IntN(100); {
	case roll < 45:
		return h.observe()
	case roll < 65:
		return h.next()
	case roll < 85:
		return h.answerOne()
	case roll < 97:
		h.pass(h.someTime())
	case roll < 98:
		h.outage = !h.outage
		h.note("outage %v", h.outage)
	default:
		step := time.Duration(h.rng.IntN(7200)-3600) * time.Second
		h.now.Wall = h.now.Wall.Add(step)
		h.note("the wall clock steps by %v", step)
	}
	return nil
}

func (h *history) pass(d time.Duration) {
	h.now.Mono += d
	h.now.Wall = h.now.Wall.Add(d)
	h.note("%v pass", d)
}

// someTime is mostly short, sometimes beyond windows, rarely beyond the events' time to live.
func (h *history) someTime() time.Duration {
	switch roll := h.rng.IntN(100); {
	case roll < 60:
		return time.Duration(h.rng.IntN(3000)) * time.Millisecond
	case roll < 90:
		return time.Duration(h.rng.IntN(120)) * time.Second
	case roll < 98:
		return time.Duration(h.rng.IntN(1200)) * time.Second
	}
	return time.Duration(h.rng.IntN(3*3600)) * time.Second
}

func (h *history) observe() error {
	if h.rng.IntN(20) == 0 {
		h.calls++
		h.disabled++
		h.c.Disabled()
		h.note("disabled")
		return nil
	}
	for range 1 + h.rng.IntN(1+h.rng.IntN(6)) {
		e, key := randomEvent(h.rng, h.profile.noAggregate)
		e.SetTime(h.now.Wall)
		h.calls++
		shed := h.c.Stats().Lost.Shed
		problem := h.c.Observe(&e, ObjectHash(&e), h.now)
		h.note("observe %s: %v", key, problem)
		if problem == runtime.NoProblem {
			h.model[key]++
		}
		if h.now.Mono-h.seen[key] > DefaultEventTTL {
			delete(h.alive, key)
		}
		h.seen[key] = h.now.Mono
		if h.c.Stats().Lost.Shed > shed {
			if err := checkShedding(h.c); err != nil {
				return err
			}
		}
	}
	return nil
}

// next takes the writes that are due, a few of them.
func (h *history) next() error {
	for range 1 + h.rng.IntN(4) {
		var w runtime.Write
		if !h.c.Next(h.now, &w) {
			return checkNothingDue(h.c, h.now)
		}
		if h.logging {
			h.note("next %s", describe(&w))
		}
		if err := h.checkWrite(&w); err != nil {
			return err
		}
		h.flight = append(h.flight, w)
	}
	return nil
}

func (h *history) answerOne() error {
	if len(h.flight) == 0 {
		return nil
	}
	n := h.rng.IntN(len(h.flight))
	w := h.flight[n]
	h.flight = append(h.flight[:n], h.flight[n+1:]...)
	a := h.answer(&w)
	h.note("done %s: %v maybe=%v", w.Name, a.Outcome, a.MaybeStored)
	if err := h.checkOrder(&w, a); err != nil {
		return err
	}
	h.c.Done(&w, a, h.now)
	return nil
}

// answer is the server's, or that of a network between.
func (h *history) answer(w *runtime.Write) runtime.Answer {
	roll := h.rng.IntN(100)
	switch {
	case h.outage || roll < h.profile.retries:
		a := runtime.Answer{Outcome: runtime.Retry, MaybeStored: h.rng.IntN(2) == 0}
		if a.MaybeStored && h.rng.IntN(2) == 0 {
			h.server.write(w)
		}
		return a
	case roll < h.profile.retries+h.profile.refusals:
		outcomes := []runtime.Outcome{runtime.Refused, runtime.Forbidden, runtime.RefusedQuietly}
		return runtime.Answer{Outcome: outcomes[h.rng.IntN(len(outcomes))]}
	case roll == 99 && !h.c.draining:
		h.server.expire(w.Name)
	case roll == 98 && w.Operation == runtime.Create && h.server.stored[w.Name] == nil:
		h.server.foreign++ // another process has made an event of this name
		delete(h.alive, keyOf(w, h.profile.noAggregate))
		return runtime.Answer{Outcome: runtime.Exists}
	}
	return h.server.write(w)
}

// finish drains, and either writes everything or gives up, then compares what came out with what went in.
func (h *history) finish() error {
	h.c.Drain(h.now)
	h.note("drain")
	if err := h.drain(); err != nil {
		return err
	}
	if h.profile.abandon {
		h.c.Abandon()
		h.note("abandon")
	}
	for _, w := range h.flight { // answers that come too late change nothing
		before := h.c.Stats()
		h.c.Done(&w, runtime.Answer{Outcome: runtime.Done}, h.now)
		if after := h.c.Stats(); after != before {
			return fmt.Errorf("an answer after Abandon changed %+v to %+v", before, after)
		}
	}
	if err := h.checkAccounts(); err != nil {
		return err
	}
	return h.checkResult()
}

func (h *history) drain() error {
	h.outage = false
	for rounds := 0; ; rounds++ {
		if h.profile.abandon && rounds > h.rng.IntN(20) {
			return nil
		}
		if rounds > 20_000 {
			return fmt.Errorf("draining does not end: %+v", h.c.Stats())
		}
		if err := h.next(); err != nil {
			return err
		}
		if len(h.flight) > 0 {
			if err := h.answerOne(); err != nil {
				return err
			}
			continue
		}
		at, wanted := h.c.Wake()
		if !wanted {
			return nil
		}
		if at > h.now.Mono {
			h.pass(at - h.now.Mono)
		}
	}
}

func describe(w *runtime.Write) string {
	op := "create"
	if w.Operation == runtime.Update {
		op = "update"
	}
	return fmt.Sprintf("%s %s %s count=%d note=%q", op, w.Name, w.Reason, w.Count, w.Note)
}
