package correlator

import (
	"flag"
	"fmt"
	"math/rand/v2"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/internal/problems"
	testseed "github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/sink"
)

var (
	simHistories = flag.Int("histories", 2_000, "number of random histories")
	simSteps     = flag.Int("steps", 120, "steps of a history")
)

// newRand returns a generator of the test's seed.
func newRand(t testing.TB) *rand.Rand {
	t.Helper()
	s := testseed.Of(t)
	return rand.New(rand.NewPCG(s, s^0x5eed))
}

// TestSimulation plays random histories of events, time, answers, outages and shutdowns against a
// plain model of the expected results. A history that fails prints its seed, which plays it again:
// go test -run TestSimulation -seed=… -histories=1.
func TestSimulation(t *testing.T) {
	if testing.Short() {
		*simHistories = min(*simHistories, 400)
	}
	first := testseed.Of(t)
	t.Logf("%d histories", *simHistories)
	reached := make([]map[string]int, goruntime.GOMAXPROCS(0))
	t.Run("histories", func(t *testing.T) {
		for n := range reached {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				reached[n] = playEach(t, first, n, len(reached))
			})
		}
	})
	if *simHistories >= 1000 && !t.Failed() {
		checkReached(t, reached)
	}
}

// playEach plays each step-th history, from the given one on. It returns how many histories reached
// each goal.
func playEach(t *testing.T, first uint64, from, step int) map[string]int {
	t.Helper()
	reached := map[string]int{}
	for n := from; n < *simHistories; n += step {
		seed := first + uint64(n)
		h := newHistory(seed)
		if h.play(*simSteps) == nil {
			for what := range h.reached {
				reached[what]++
			}
			continue
		}
		h = newHistory(seed)
		h.logging = true
		if err := h.play(*simSteps); err != nil {
			t.Fatalf("history of -seed=%d (%s through %v): %v\nlast steps:\n%s", seed, h.profile.name, h.forms, err, h.tail())
		}
	}
	return reached
}

// simReaches are the goals that a thousand histories must reach, in the form of each group.
var simReaches = []string{"retry", "read", "reply lost", "late create", "late update", "conflict", "expired", "aggregate updated", "clock back",
	"overflow", "waited for a token", "lost to a limit", "interval", "latest note", "label left out", "labels stored", "rejected after shutdown", "shutdown in flight", "shutdown pending", "shutdown in an outage",
	"twice", "exists", "end", "annotations full", "forgotten", "foreign", "invalid", "unacknowledged", "blind"}

// checkReached holds that histories are as rough as they claim to be.
func checkReached(t *testing.T, each []map[string]int) {
	t.Helper()
	reached := map[string]int{}
	for _, part := range each {
		for what, n := range part {
			reached[what] += n
		}
	}
	want := []string{"fell back core/v1", "missing right core/v1"}
	for _, what := range simReaches {
		want = append(want, what+" events.k8s.io/v1", what+" core/v1")
	}
	for _, what := range want {
		if reached[what] == 0 {
			t.Errorf("no history came to: %s", what)
		}
	}
	t.Logf("histories by what they came to: %v", reached)
}

// profile describes how rough a history is.
type profile struct {
	name string
	// exact: nothing can be lost, so that every count must come out exactly.
	exact bool
	// noAggregate: every identity is an event of its own, so that counts are checked one by one.
	noAggregate bool
	retries     int // per hundred answers
	refusals    int
	small       bool     // bounds that are reached
	abandon     bool     // shutdown runs out of time
	several     *several // nil: one process alone
}

var profiles = []profile{
	{name: "calm", exact: true, noAggregate: true},
	{name: "retries", exact: true, noAggregate: true, retries: 40},
	{name: "aggregating", exact: true, retries: 10},
	{name: "refusals", retries: 20, refusals: 20},
	{name: "small", retries: 20, refusals: 5, small: true},
	{name: "abandoned", retries: 50, refusals: 5, abandon: true},
	{name: "small and abandoned", retries: 50, refusals: 5, small: true, abandon: true},
}

// history is one run: the processes that write, the server behind their sinks, requests on their
// way, and the sums of the expected results.
type history struct {
	rng      *rand.Rand
	profile  profile
	now      clock.Instant
	server   *simServer
	forms    []form.Form // of the sinks: one, or both
	identity Identity
	*process // whose turn it is
	living   []*process
	late     []request // given up, and still on their way
	outage   bool
	crowd
	diary
}

// process is a correlator, its sink, its writes on their way, and the model of what it has to do.
type process struct {
	c       *Correlator
	groups  *apiserver.Groups // nil: a sink of one group
	flight  []sink.Write
	wake    time.Duration // of the last Next, or of an Observe since
	resting bool          // Next has handed out nothing, and nothing but Observe was called since
	model
	member
}

// diary holds the goals that a history has reached, and its log if it is played again because it
// failed.
type diary struct {
	reached map[string]bool
	logging bool
	log     []string
}

func newHistory(seed uint64) *history {
	return newHistoryOf(rand.New(rand.NewPCG(seed, seed^0x5eed)))
}

func newHistoryOf(rng *rand.Rand) *history {
	h := &history{
		rng: rng, profile: profiles[rng.IntN(len(profiles))], identity: Identity(rng.IntN(3)),
		now:   clock.Instant{Wall: time.Unix(1_700_000_000, 0)},
		crowd: newCrowd(), diary: diary{reached: map[string]bool{}},
	}
	h.server = newSimServer(&h.now, defaultEventTTL)
	if rng.IntN(4) == 0 {
		h.profile = severalProfiles[rng.IntN(len(severalProfiles))]
		h.forms = []form.Form{form.Form(rng.IntN(2))}
		for range max(1, h.profile.several.ends) {
			h.start()
		}
		return h
	}
	h.forms = simGroups[rng.IntN(len(simGroups))]
	h.begins(h.someOptions(), writerOptions{ReportingInstance: "sim-0"})
	if rng.IntN(2) == 0 {
		h.c.hashMask = 3
	}
	if len(h.forms) > 1 {
		for _, namespace := range simNamespaces {
			h.server.rights[namespace] = simGroups[rng.IntN(len(simGroups))]
		}
	}
	return h
}

func (h *history) someOptions() (o Options) {
	if h.rng.IntN(2) == 0 {
		o.tuning.Threshold, o.Burst, o.Every = 1+h.rng.IntN(4), 1+h.rng.IntN(6), time.Duration(1+h.rng.IntN(100))*time.Second
	}
	if h.profile.noAggregate {
		o.Burst = -1
	}
	if h.profile.small {
		o.MaxEvents = 2 + h.rng.IntN(8)
		if h.rng.IntN(2) == 0 {
			o.MaxEvents, o.MaxBytes = 0, 3000+h.rng.Int64N(6000)
		}
	}
	return o
}

// begins lets a process begin.
func (h *history) begins(o Options, w writerOptions) {
	w.ReportingController, w.Identity = "example.com/sim", h.identity
	h.process = &process{c: newCorrelator(o, w), model: newModel(), member: newMember()}
	if len(h.forms) > 1 {
		h.groups = apiserver.NewGroups(func() time.Duration { return h.now.Mono }, nil)
	}
	h.living = append(h.living, h.process)
}

// simGroups are the groups that a sink can write through, and that a namespace can give rights for.
var simGroups = [][]form.Form{{form.EventsV1}, {form.CoreV1}, {form.EventsV1, form.CoreV1}}

// reach notes a goal that a history has reached, with one of its forms; a mark decides which.
func (h *history) reach(what string, mark uint8) {
	f := h.forms[len(h.forms)-1]
	if mark != 0 {
		f = form.Form(mark - 1)
	}
	h.reached[what+" "+f.String()] = true
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

// play ends at any moment, half of the time after all steps.
func (h *history) play(steps int) error {
	steps *= h.stretch()
	if h.rng.IntN(2) == 0 {
		steps = h.rng.IntN(steps + 1)
	}
	for n := range steps {
		h.process = h.living[h.rng.IntN(len(h.living))]
		if err := h.step(); err != nil {
			return fmt.Errorf("step %d: %w", n, err)
		}
		if err := h.ask(stepping, subject{}); err != nil {
			return fmt.Errorf("step %d: %w", n, err)
		}
		if n%8 == 0 {
			if err := checkEmpty(h.c); err != nil {
				return fmt.Errorf("step %d: structure: %w", n, err)
			}
		}
	}
	return h.finish()
}

func (h *history) step() error {
	if h.profile.several != nil && h.rng.IntN(100) < h.profile.several.upset {
		h.upset()
		return nil
	}
	switch roll := h.rng.IntN(100); {
	case roll < 45:
		return h.observe()
	case roll < 65:
		return h.next()
	case roll < 85:
		return h.answerOne()
	case roll < 89:
		h.arrive()
	case roll < 97:
		h.pass(h.someTime())
	case roll < 98:
		h.outage = !h.outage && (h.profile.several == nil || !h.profile.several.loops)
		h.note("outage %v", h.outage)
	case roll < 99:
		h.changeRights()
	default:
		step := time.Duration(h.rng.IntN(7200)-3600) * time.Second
		if step < 0 {
			h.reach("clock back", 0)
		}
		h.now.Wall = h.now.Wall.Add(step)
		h.noteClock()
		h.note("the wall clock steps by %v", step)
	}
	return nil
}

func (h *history) pass(d time.Duration) {
	before := h.counts()
	h.now.Mono += d
	h.now.Wall = h.now.Wall.Add(d)
	h.note("%v pass", d)
	h.noteExpired(before)
}

// someTime is mostly short, sometimes beyond windows, rarely beyond the events' time to live.
func (h *history) someTime() time.Duration {
	if s := h.profile.several; s != nil && (s.loops || s.ends > 0) {
		return time.Duration(h.rng.IntN(10_000)) * time.Millisecond // events must not expire
	}
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
	for range 1 + h.rng.IntN(1+h.rng.IntN(6)) {
		e, key := h.drawEvent()
		if h.rng.IntN(40) == 0 {
			e = unfitEvent()
		}
		internals.SetTime(&e, h.now.Wall)
		h.calls++
		evicted := h.c.Stats().Lost.Evicted
		problem, wake := h.c.Observe(&e, h.now)
		h.wake = min(h.wake, wake)
		h.note("observe %s: %v", key, problem)
		if want := h.problem(&e); problem != want {
			return fmt.Errorf("an event is told %q, expected %q", problem, want)
		}
		if problem != eventrt.NoProblem {
			h.rejected++
			if problem == problems.Ended {
				h.reach("rejected after shutdown", 0)
			}
			continue
		}
		h.noteOccurrence(h.expectedOf(key, e.Definition()), &e)
		if h.c.Stats().Lost.Evicted > evicted {
			h.reach("overflow", 0)
			if err := checkEviction(h.c); err != nil {
				return err
			}
		}
	}
	return nil
}

// problem returns why an event must be rejected.
func (h *history) problem(e *eventrt.Event) eventrt.Problem {
	switch {
	case h.c.d.Draining():
		return problems.Ended
	case e.Regarding().Namespace == badNamespace:
		return problems.BadNamespace
	}
	return eventrt.NoProblem
}

// next takes the writes that are due, a few of them.
func (h *history) next() error {
	for range 1 + h.rng.IntN(4) {
		var w sink.Write
		ok, wake := h.c.Next(h.now, &w)
		if h.resting && h.wake > h.now.Mono && (ok || wake < h.wake) {
			return fmt.Errorf("Next was wanted at %v; at %v it has a write: %t, or wants to be called at %v", h.wake, h.now.Mono, ok, wake)
		}
		for !ok && wake <= h.now.Mono {
			ok, wake = h.c.Next(h.now, &w)
		}
		h.wake, h.resting = wake, !ok
		if !ok {
			return h.ask(idling, subject{})
		}
		if h.logging {
			h.note("next %s", describe(&w))
		}
		x := h.expectedOf(keyOf(&w, h.profile.noAggregate), simDefinitionOf(&w))
		h.of[w.Name] = h.process
		h.begin(&w)
		if err := h.ask(writing, subject{write: &w, of: x}); err != nil {
			return fmt.Errorf("%s: %w", describe(&w), err)
		}
		h.noteWrite(&w, x)
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
	return h.done(&w, h.answer(&w))
}

// done brings an answer back.
func (h *history) done(w *sink.Write, a sink.Answer) error {
	h.note("done %s: %v maybe=%v version=%d mark=%d", w.Name, a.Outcome, a.MaybeStored, a.ResourceVersion, a.Mark)
	if err := h.ask(answering, subject{write: w, answer: a}); err != nil {
		return err
	}
	h.noteAnswer(w, a)
	h.reachAnswer(w, a)
	h.resting = false
	r, lost := h.recordOf(w), h.c.Stats().Lost
	defer func() {
		if w.Operation == sink.Read && r.work == nil {
			h.begun[r] = begun{at: h.begun[r].at, ended: true}
		}
	}()
	for _, note := range h.c.Done(w, a, h.now) {
		// due events are refused without a write
		h.unordered = h.unordered || note.Type == notice.Denied
	}
	h.noteLost(w, a, lost)
	return nil
}

// reachAnswer notes the kind of answer that the history has reached.
func (h *history) reachAnswer(w *sink.Write, a sink.Answer) {
	switch {
	case a.Outcome == sink.Done && w.Aggregate && w.Operation == sink.Update:
		h.reach("aggregate updated", a.Mark)
	case a.Outcome == sink.Gone:
		h.reach("expired", a.Mark)
	case a.Conflict:
		h.reach("conflict", a.Mark)
	case a.Outcome == sink.Exists:
		h.reach("exists", a.Mark)
	case a.Outcome == sink.Done && len(w.Dropped) > 0:
		h.reach("annotations full", a.Mark)
	case a.Stored != nil:
		h.reach("read", a.Mark)
	}
}

// changeRights grants or takes rights. It takes rights only while the group of every event is
// known, and if something may be lost.
func (h *history) changeRights() {
	namespace := simNamespaces[h.rng.IntN(len(simNamespaces))]
	rights := simGroups[h.rng.IntN(len(simGroups))]
	if h.profile.exact || h.profile.several != nil || h.isUnsure() {
		rights = simGroups[len(simGroups)-1]
	}
	h.server.rights[namespace] = rights
	h.note("rights in %s: %v", namespace, rights)
}

// finish drains, and either writes everything or gives up. Then it compares the stored events with
// the recorded ones.
func (h *history) finish() error {
	for _, h.process = range h.living {
		h.c.Drain(h.now, clock.Never)
		h.resting = false
	}
	h.note("drain")
	if err := h.drain(); err != nil {
		return err
	}
	if h.profile.abandon {
		h.reachShutdown()
		for h.c.Abandon(3) {
		}
		h.note("abandon")
	}
	if err := h.endLate(); err != nil {
		return err
	}
	for _, h.process = range h.living {
		if err := h.ask(stepping, subject{}); err != nil {
			return err
		}
		if err := h.ask(ending, subject{}); err != nil {
			return err
		}
	}
	return h.compare()
}

// reachShutdown notes the state in which a shutdown runs out of time.
func (h *history) reachShutdown() {
	s := h.c.Stats()
	if s.InFlight > 0 {
		h.reach("shutdown in flight", 0)
	}
	if s.Pending > 0 && s.InFlight == 0 {
		h.reach("shutdown pending", 0)
	}
	if h.outage {
		h.reach("shutdown in an outage", 0)
	}
}

// endLate lets every request on its way arrive, and answers it. The answers change nothing.
func (h *history) endLate() error {
	for _, w := range h.flight {
		before := h.c.Stats()
		h.c.Done(&w, h.deliver(&w), h.now)
		if after := h.c.Stats(); after != before {
			return fmt.Errorf("an answer after Abandon changed %+v to %+v", before, after)
		}
	}
	for len(h.late) > 0 {
		h.arrive()
	}
	return nil
}

func (h *history) drain() error {
	h.outage = h.outage && h.profile.abandon
	for rounds := 0; ; rounds++ {
		if h.profile.abandon && rounds > h.rng.IntN(20) {
			return nil
		}
		if rounds > 20_000 {
			return fmt.Errorf("draining does not end: %+v", h.c.Stats())
		}
		wake := clock.Never
		for _, h.process = range h.living {
			if err := h.drainStep(); err != nil {
				return err
			}
			wake = min(wake, h.wake)
		}
		if wake == clock.Never {
			return nil
		}
		if wake > h.now.Mono {
			h.pass(wake - h.now.Mono)
		}
	}
}

// drainStep writes and answers. Its process wants to be called at once while an answer is open.
func (h *history) drainStep() error {
	if err := h.next(); err != nil {
		return err
	}
	if h.rng.IntN(10) == 0 { // somebody has not heard of it
		if err := h.observe(); err != nil {
			return err
		}
	}
	if len(h.flight) == 0 {
		return nil
	}
	h.wake = h.now.Mono
	return h.answerOne()
}

func describe(w *sink.Write) string {
	op := [...]string{"", "create", "update", "read"}[w.Operation]
	return fmt.Sprintf("%s %s %s count=%d note=%q", op, w.Name, w.Reason, w.Count, w.Note)
}
