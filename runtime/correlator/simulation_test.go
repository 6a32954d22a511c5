package correlator

import (
	"flag"
	"fmt"
	"math/rand/v2"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/internal/problems"
	testseed "github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/sink"
)

var (
	simHistories = flag.Int("histories", 2_000, "number of random histories")
	simSteps     = flag.Int("steps", 120, "steps of a history")
	simLines     = flag.Int("lines", 80, "lines shown of a history that fails")
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
			t.Fatalf("history of -seed=%d (%s through %v): %v\nlast steps:\n%s", seed, h.profile.name, h.sink.groups, err, h.tail())
		}
	}
	return reached
}

// simReaches are the goals that a thousand histories must reach, in the form of each group.
var simReaches = []string{"retry", "read", "reply lost", "late create", "late update", "conflict", "expired", "aggregate updated", "clock back",
	"overflow", "waited for a token", "lost to a limit", "interval", "latest note", "label left out", "labels stored", "rejected after shutdown", "shutdown in flight", "shutdown pending", "shutdown in an outage"}

// checkReached holds that histories are as rough as they claim to be.
func checkReached(t *testing.T, each []map[string]int) {
	t.Helper()
	reached := map[string]int{}
	for _, part := range each {
		for what, n := range part {
			reached[what] += n
		}
	}
	want := []string{"fell back", "the mark decided"}
	for _, what := range simReaches {
		want = append(want, what+" "+simEvents.String(), what+" "+simCore.String())
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
	small       bool // bounds that are reached
	abandon     bool // shutdown runs out of time
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

// history is one run: the correlator, the server behind its sink, writes on their way, and the
// model of the expected results.
type history struct {
	rng     *rand.Rand
	profile profile
	c       *Correlator
	now     clock.Instant
	server  *simServer
	sink    *simSink
	flight  []sink.Write
	late    []request // given up, and still on their way
	outage  bool
	wake    time.Duration // of the last Next, or of an Observe since
	resting bool          // Next has handed out nothing, and nothing but Observe was called since
	model
	diary
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
	p := profiles[rng.IntN(len(profiles))]
	who := writerOptions{ReportingController: "example.com/sim", ReportingInstance: "sim-0", Identity: Identity(rng.IntN(3))}
	opts := Options{}
	if rng.IntN(2) == 0 {
		opts.tuning.Threshold, opts.Burst, opts.Every = 1+rng.IntN(4), 1+rng.IntN(6), time.Duration(1+rng.IntN(100))*time.Second
	}
	if p.noAggregate {
		opts.Burst = -1
	}
	if p.small {
		opts.MaxEvents = 2 + rng.IntN(8)
		if rng.IntN(2) == 0 {
			opts.MaxEvents, opts.MaxBytes = 0, 3000+rng.Int64N(6000)
		}
	}
	c, err := New(opts, who)
	if err != nil {
		panic(err)
	}
	if rng.IntN(2) == 0 {
		c.hashMask = 3
	}
	h := &history{
		rng: rng, profile: p, c: c,
		now:   clock.Instant{Wall: time.Unix(1_700_000_000, 0)},
		model: newModel(), diary: diary{reached: map[string]bool{}},
	}
	h.server = &simServer{now: &h.now, ttl: c.opts.EventTTL, stored: map[string]*simEvent{}, past: map[string]uint64{}, rights: map[string][]simForm{}}
	h.sink = &simSink{server: h.server, groups: simGroups[rng.IntN(len(simGroups))]}
	if len(h.sink.groups) > 1 {
		for _, namespace := range simNamespaces {
			h.server.rights[namespace] = simGroups[rng.IntN(len(simGroups))]
		}
	}
	return h
}

// simGroups are the groups that a sink can write through, and that a namespace can give rights for.
var simGroups = [][]simForm{{simEvents}, {simCore}, {simEvents, simCore}}

// reach notes a goal that a history has reached in a form; 0 is the form last written through.
func (h *history) reach(what string, f simForm) {
	if f == 0 {
		f = h.sink.groups[len(h.sink.groups)-1]
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
	if h.rng.IntN(2) == 0 {
		steps = h.rng.IntN(steps + 1)
	}
	for n := range steps {
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
		h.outage = !h.outage
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
	for range 1 + h.rng.IntN(1+h.rng.IntN(6)) {
		e, key := randomEvent(h.rng, h.profile.noAggregate)
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
	a := h.answer(&w)
	h.note("done %s: %v maybe=%v version=%d mark=%d", w.Name, a.Outcome, a.MaybeStored, a.ResourceVersion, a.Mark)
	if err := h.ask(answering, subject{write: &w, answer: a}); err != nil {
		return err
	}
	h.noteAnswer(&w, a)
	h.reachAnswer(&w, a)
	h.resting = false
	r := h.recordOf(&w)
	defer func() {
		if w.Operation == sink.Read && r.work == nil {
			h.begun[r] = begun{at: h.begun[r].at, ended: true}
		}
	}()
	for _, note := range h.c.Done(&w, a, h.now) {
		// due events are refused without a write
		h.unordered = h.unordered || note.Type == notice.Denied
	}
	return nil
}

// reachAnswer notes the kind of answer that the history has reached.
func (h *history) reachAnswer(w *sink.Write, a sink.Answer) {
	switch {
	case a.Outcome == sink.Done && w.Aggregate && w.Operation == sink.Update:
		h.reach("aggregate updated", simForm(a.Mark))
	case a.Outcome == sink.Gone:
		h.reach("expired", simForm(a.Mark))
	case a.Conflict:
		h.reach("conflict", simForm(a.Mark))
	case a.Stored != nil:
		h.reach("read", simForm(a.Mark))
	}
}

// answer returns the answer of the server, or of a network in between.
func (h *history) answer(w *sink.Write) sink.Answer {
	roll := h.rng.IntN(100)
	switch {
	case h.outage || roll < h.profile.retries:
		return h.fail(w)
	case roll < h.profile.retries+h.profile.refusals:
		outcomes := []sink.Outcome{sink.Refused, sink.Forbidden, sink.RefusedQuietly}
		return sink.Answer{Outcome: outcomes[h.rng.IntN(len(outcomes))]}
	case roll == 99 && !h.c.d.Draining() && h.server.twin == nil:
		h.server.expire(w.Name)
	case roll == 97 && h.server.twin == nil && h.server.find(w.Name) != nil:
		h.server.annotate(w.Name)
	case roll == 98 && h.server.twin == nil && h.canBeForeign(w):
		h.server.takeAway(h.sink.prepare(w))
		h.event(w.Name).of.name = ""
	}
	return h.sink.send(w)
}

// canBeForeign reports whether another process can have used the name of a write.
func (h *history) canBeForeign(w *sink.Write) bool {
	isLate := slices.ContainsFunc(h.late, func(q request) bool { return q.write.Name == w.Name })
	return w.Operation == sink.Create && h.server.stored[w.Name] == nil && !isLate && (h.event(w.Name).told.mark == 0 || h.event(w.Name).told.unsure)
}

// fail returns the answer for a write without a reply: the write did not arrive, its reply was
// lost, or it is still on its way.
func (h *history) fail(w *sink.Write) sink.Answer {
	a := sink.Answer{Outcome: sink.Retry}
	h.reach("retry", h.sink.choose(w))
	if h.rng.IntN(4) == 0 {
		a.RetryAfter = time.Duration(h.rng.IntN(60)) * time.Second
	}
	if h.rng.IntN(2) == 0 {
		return a
	}
	if w.Operation == sink.Read {
		return a
	}
	q := h.sink.prepare(w)
	a.MaybeStored, a.Mark = true, uint8(q.form)
	switch h.rng.IntN(3) {
	case 0:
		h.reach("reply lost", q.form)
		h.server.take(q)
	case 1:
		h.late = append(h.late, q)
	}
	return a
}

// arrive lets one given-up request arrive.
func (h *history) arrive() {
	if len(h.late) == 0 {
		return
	}
	n := h.rng.IntN(len(h.late))
	q := h.late[n]
	h.late = append(h.late[:n], h.late[n+1:]...)
	if q.write.Operation == sink.Create && h.server.stored[q.write.Name] != nil && h.server.find(q.write.Name) == nil {
		return // no request is under way for as long as an event lives
	}
	a := h.server.take(q)
	switch {
	case a.Outcome == sink.Exists:
		h.reach("late create", q.form)
	case a.Conflict:
		h.reach("late update", q.form)
	}
	h.note("late: %s: %v", describe(&q.write), a.Outcome)
}

// changeRights grants or takes rights. It takes rights only while the group of every event is
// known, and if something may be lost.
func (h *history) changeRights() {
	namespace := simNamespaces[h.rng.IntN(len(simNamespaces))]
	rights := simGroups[h.rng.IntN(len(simGroups))]
	if h.profile.exact || h.isUnsure() || h.server.twin != nil {
		rights = simGroups[len(simGroups)-1]
	}
	h.server.rights[namespace] = rights
	h.note("rights in %s: %v", namespace, rights)
}

// finish drains, and either writes everything or gives up. Then it compares the stored events with
// the recorded ones.
func (h *history) finish() error {
	h.c.Drain(h.now, clock.Never)
	h.resting = false
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
	if h.sink.fellBack {
		h.reached["fell back"] = true
	}
	if h.sink.heeded {
		h.reached["the mark decided"] = true
	}
	if err := h.ask(stepping, subject{}); err != nil {
		return err
	}
	return h.ask(ending, subject{})
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
		h.c.Done(&w, h.sink.send(&w), h.now)
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
		if err := h.next(); err != nil {
			return err
		}
		if h.rng.IntN(10) == 0 { // somebody has not heard of it
			if err := h.observe(); err != nil {
				return err
			}
		}
		if len(h.flight) > 0 {
			if err := h.answerOne(); err != nil {
				return err
			}
			continue
		}
		if h.wake == clock.Never {
			return nil
		}
		at := h.wake
		if at > h.now.Mono {
			h.pass(at - h.now.Mono)
		}
	}
}

func describe(w *sink.Write) string {
	op := [...]string{"", "create", "update", "read"}[w.Operation]
	return fmt.Sprintf("%s %s %s count=%d note=%q", op, w.Name, w.Reason, w.Count, w.Note)
}
