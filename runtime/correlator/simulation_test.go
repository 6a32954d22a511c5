package correlator

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
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
	reached := map[string]int{}
	for n := range *simHistories {
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
			t.Fatalf("history of -sim.seed=%d (%s through %v): %v\nlast steps:\n%s", seed, h.profile.name, h.sink.groups, err, h.tail())
		}
	}
	if *simHistories >= 1000 {
		checkReached(t, reached)
	}
}

// simReaches is what a thousand histories must come to, in the form of each group.
var simReaches = []string{"retry", "reply lost", "late create", "late update", "conflict", "expired", "aggregate updated", "clock back",
	"overflow", "waited for a token", "lost to a limit", "interval", "latest note", "rejected after shutdown", "shutdown in flight", "shutdown pending", "shutdown in an outage"}

// checkReached holds that histories are not tamer than they are said to be.
func checkReached(t *testing.T, reached map[string]int) {
	t.Helper()
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
	{name: "abandoned", retries: 50, refusals: 5, abandon: true},
	{name: "small and abandoned", retries: 50, refusals: 5, small: true, abandon: true},
}

// history is one run: the correlator, the model of the server and of what was recorded, and the writes in flight.
type history struct {
	rng     *rand.Rand
	profile profile
	c       *Correlator
	now     runtime.Instant
	server  *simServer
	sink    *simSink
	flight  []runtime.Write
	late    []request         // given up, and still on their way
	model   map[string]uint64 // recorded, by what must be told apart
	labels  map[string]string // event name → the model's key
	orders  map[string]*creates
	failing map[string]*failing // by name
	writes  map[string]*writeLog
	starts  map[[2]uint32]starts // by identity
	// departed are the writes that took a token, by limit.
	departed map[*runtime.Limit][]departure
	alive    map[string]string          // names, by the key of the model, where every identity is an event of its own
	lives    map[string]*life           // by the key of the model, where every identity is an event of its own
	ended    map[string]bool            // names that have expired and must not be written again
	single   map[string]map[string]bool // names of events that are no aggregates, by group
	latest   map[string]time.Time       // the last time that was recorded, by the key of the model
	least    map[string]time.Time       // the same, and no time that the wall clock was put back from
	told     map[string]*told           // what the sink said, by name
	folds    map[string]*folds          // what has folded, by the key of the model
	calls    uint64                     // Observe and Disabled calls
	notes    map[string]notes           // by the key of the model
	// firstNotes are those that events were written with first, by name.
	firstNotes map[string]string
	// disabled are the calls of Disabled, rejected those of Observe that were in vain.
	disabled uint64
	rejected uint64
	outage   bool
	// unordered: the order of first creates is no longer known to the model.
	unordered     bool
	createdBefore map[string]bool // names that were stored once
	reached       map[string]bool
	logging       bool // what fails is played again, with a log
	log           []string
}

// creates is the order in which the first creates of an object were stored.
type creates struct {
	last uint64          // serial of the last
	odd  map[string]bool // names that were refused or renamed, which may come later
}

// told is what the correlator has to keep of the sink's answers about an event.
type told struct {
	mark    uint8
	version uint64        // 0: not known
	wait    time.Duration // until when the server asked for patience
	unsure  bool          // a create may have stored it, though no answer said so
	count   int32         // acknowledged
}

func (h *history) toldOf(name string) *told {
	if h.told[name] == nil {
		h.told[name] = &told{}
	}
	return h.told[name]
}

// life is that of an identity.
type life struct {
	seen     time.Duration // its last occurrence
	name     string        // that it was written by last
	began    time.Duration // when that write began
	recorded uint32
}

// folds is what the aggregate of a group stands for.
type folds struct {
	last     string
	distinct map[string]bool
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
	opts := Options{ReportingController: "example.com/sim", ReportingInstance: "sim-0", NoAggregate: p.noAggregate}
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
	h := &history{
		rng: rng, profile: p, c: c,
		now:           runtime.Instant{Wall: time.Unix(1_700_000_000, 0)},
		model:         map[string]uint64{},
		latest:        map[string]time.Time{},
		least:         map[string]time.Time{},
		told:          map[string]*told{},
		folds:         map[string]*folds{},
		reached:       map[string]bool{},
		labels:        map[string]string{},
		orders:        map[string]*creates{},
		failing:       map[string]*failing{},
		createdBefore: map[string]bool{},
		writes:        map[string]*writeLog{},
		starts:        map[[2]uint32]starts{},
		departed:      map[*runtime.Limit][]departure{},
		notes:         map[string]notes{},
		firstNotes:    map[string]string{},
		alive:         map[string]string{},
		lives:         map[string]*life{},
		ended:         map[string]bool{},
		single:        map[string]map[string]bool{},
	}
	h.server = &simServer{now: &h.now, ttl: c.opts.EventTTL, stored: map[string]*simEvent{}, rights: map[string][]simForm{}}
	h.sink = &simSink{server: h.server, groups: simGroups[rng.IntN(len(simGroups))]}
	if len(h.sink.groups) > 1 {
		for _, namespace := range simNamespaces {
			h.server.rights[namespace] = simGroups[rng.IntN(len(simGroups))]
		}
	}
	return h
}

// simGroups are what a sink can write through, and what rights a namespace can give.
var simGroups = [][]simForm{{simEvents}, {simCore}, {simEvents, simCore}}

// reach notes what a history has come to, in a form; 0 is the one that is written through last.
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
		h.noTimeIsAhead()
		h.note("the wall clock steps by %v", step)
	}
	return nil
}

// noTimeIsAhead takes up that no time which the wall clock was put back from may be written any more.
func (h *history) noTimeIsAhead() {
	for key, at := range h.least {
		if at.After(h.now.Wall) {
			h.least[key] = h.now.Wall
		}
	}
	for _, l := range h.writes {
		if l.stamp.After(h.now.Wall) {
			l.stamp = h.now.Wall
		}
	}
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
		if h.rng.IntN(40) == 0 {
			e = unfitEvent()
		}
		e.SetTime(h.now.Wall)
		h.calls++
		shed := h.c.Stats().Lost.Shed
		problem := h.c.Observe(&e, ObjectHash(&e), h.now)
		h.note("observe %s: %v", key, problem)
		if want := h.problem(&e); problem != want {
			return fmt.Errorf("an event is told %q, expected %q", problem, want)
		}
		if problem != runtime.NoProblem {
			h.rejected++
			if problem == runtime.Ended {
				h.reach("rejected after shutdown", 0)
			}
			continue
		}
		h.model[key]++
		h.noteFold(&e, key)
		h.noteNote(&e, key)
		if h.now.Wall.After(h.latest[key]) {
			h.latest[key] = h.now.Wall
		}
		h.least[key] = h.now.Wall
		h.noteLife(key)
		if h.c.Stats().Lost.Shed > shed {
			h.reach("overflow", 0)
			if err := checkShedding(h.c); err != nil {
				return err
			}
		}
	}
	return nil
}

// noteFold notes what has folded: an occurrence that made no event of its own.
func (h *history) noteFold(e *runtime.Event, key string) {
	_, held, _ := h.c.lookUp(ObjectHash(e)&h.c.hashMask, e)
	if h.profile.small || held != nil {
		return
	}
	if h.folds[key] == nil {
		h.folds[key] = &folds{distinct: map[string]bool{}}
	}
	f := h.folds[key]
	f.last = foldedText(e.Definition().Name, e.Message())
	f.distinct[f.last] = true
}

// foldedText is the part of a message that is part of the identity.
func foldedText(reason, message string) string {
	if reason == "Merged" || reason == "Latest" {
		message, _, _ = strings.Cut(message, " b=")
	}
	return message
}

// noteLife notes an occurrence of an identity, and whether it begins anew: when its event was acknowledged whole, and not written
// for as long as the server keeps events.
func (h *history) noteLife(key string) {
	l := h.lives[key]
	if l == nil || h.now.Mono-l.seen > DefaultEventTTL {
		delete(h.alive, key)
	}
	if l == nil {
		l = &life{}
		h.lives[key] = l
	}
	if l.name != "" && h.toldOf(l.name).count == int32(l.recorded) && h.now.Mono-l.began > h.c.opts.EventTTL {
		h.ended[l.name] = true
		*l = life{}
	}
	l.recorded++
	l.seen = h.now.Mono
}

// problem is why an event must be rejected.
func (h *history) problem(e *runtime.Event) runtime.Problem {
	switch {
	case h.c.draining:
		return runtime.Ended
	case e.Regarding().Namespace == badNamespace:
		return runtime.BadNamespace
	}
	return runtime.NoProblem
}

// next takes the writes that are due, a few of them.
func (h *history) next() error {
	for range 1 + h.rng.IntN(4) {
		var w runtime.Write
		if !h.c.Next(h.now, &w) {
			return errors.Join(checkNothingDue(h.c, h.now), h.checkPatience())
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
	h.note("done %s: %v maybe=%v version=%d mark=%d", w.Name, a.Outcome, a.MaybeStored, a.ResourceVersion, a.Mark)
	if err := h.checkOrder(&w, a); err != nil {
		return err
	}
	h.heed(&w, a)
	h.c.Done(&w, a, h.now)
	return nil
}

// heed notes what the correlator is to keep of an answer.
func (h *history) heed(w *runtime.Write, a runtime.Answer) {
	t := h.toldOf(w.Name)
	t.wait = 0
	s := h.starts[ticketOf(w)]
	s.ended = a.Outcome != runtime.Retry && a.Outcome != runtime.Gone && a.Outcome != runtime.Exists
	h.starts[ticketOf(w)] = s
	switch {
	case a.Outcome == runtime.Done && w.Aggregate && w.Operation == runtime.Update:
		h.reach("aggregate updated", simForm(a.Mark))
	case a.Outcome == runtime.Gone:
		h.reach("expired", simForm(a.Mark))
	case a.Conflict:
		h.reach("conflict", simForm(a.Mark))
	}
	switch {
	case a.Outcome == runtime.Done:
		*t = told{mark: a.Mark, version: a.ResourceVersion, count: w.Count}
	case a.Outcome == runtime.Exists:
		*t = told{mark: a.Mark}
	case a.Outcome == runtime.Gone || a.Conflict:
		t.version = 0
	case a.Outcome == runtime.Retry:
		t.wait = h.now.Mono + a.RetryAfter
		if a.MaybeStored && w.Operation == runtime.Create {
			t.mark, t.unsure = a.Mark, true
		}
	}
}

// answer is the server's, or that of a network between.
func (h *history) answer(w *runtime.Write) runtime.Answer {
	roll := h.rng.IntN(100)
	switch {
	case h.outage || roll < h.profile.retries:
		return h.fail(w)
	case roll < h.profile.retries+h.profile.refusals:
		outcomes := []runtime.Outcome{runtime.Refused, runtime.Forbidden, runtime.RefusedQuietly}
		return runtime.Answer{Outcome: outcomes[h.rng.IntN(len(outcomes))]}
	case roll == 99 && !h.c.draining && h.server.twin == nil:
		h.server.expire(w.Name)
	case roll == 98 && h.server.twin == nil && h.canBeForeign(w):
		h.server.foreign++ // another process has made an event of this name
		delete(h.alive, keyOf(w, h.profile.noAggregate))
		return runtime.Answer{Outcome: runtime.Exists, Mark: uint8(h.sink.choose(w))}
	}
	return h.sink.send(w)
}

// canBeForeign says whether the name of a write can be one that another process has used.
func (h *history) canBeForeign(w *runtime.Write) bool {
	isLate := slices.ContainsFunc(h.late, func(q request) bool { return q.write.Name == w.Name })
	return w.Operation == runtime.Create && h.server.stored[w.Name] == nil && !isLate && (h.toldOf(w.Name).mark == 0 || h.toldOf(w.Name).unsure)
}

// fail is the answer to a write that got none: it did not arrive, its reply was lost, or it is still on its way.
func (h *history) fail(w *runtime.Write) runtime.Answer {
	a := runtime.Answer{Outcome: runtime.Retry}
	h.reach("retry", h.sink.choose(w))
	if h.rng.IntN(4) == 0 {
		a.RetryAfter = time.Duration(h.rng.IntN(60)) * time.Second
	}
	if h.rng.IntN(2) == 0 {
		return a
	}
	q, answered := h.sink.prepare(w)
	if answered != nil {
		return a // nothing was sent but a question
	}
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

// arrive has one request arrive that was given up.
func (h *history) arrive() {
	if len(h.late) == 0 {
		return
	}
	n := h.rng.IntN(len(h.late))
	q := h.late[n]
	h.late = append(h.late[:n], h.late[n+1:]...)
	if q.write.Operation == runtime.Create && h.server.stored[q.write.Name] != nil && h.server.find(q.write.Name) == nil {
		return // no request is under way for as long as an event lives
	}
	a := h.server.take(q)
	switch {
	case a.Outcome == runtime.Exists:
		h.reach("late create", q.form)
	case a.Conflict:
		h.reach("late update", q.form)
	}
	h.note("late: %s: %v", describe(&q.write), a.Outcome)
}

// changeRights grants or takes rights. They are only taken while it is known of every event which group it was written
// through, and where something may be lost.
func (h *history) changeRights() {
	namespace := simNamespaces[h.rng.IntN(len(simNamespaces))]
	rights := simGroups[h.rng.IntN(len(simGroups))]
	if h.profile.exact || h.unsure() || h.server.twin != nil {
		rights = simGroups[len(simGroups)-1]
	}
	h.server.rights[namespace] = rights
	h.note("rights in %s: %v", namespace, rights)
}

func (h *history) unsure() bool {
	for _, t := range h.told {
		if t.unsure {
			return true
		}
	}
	return false
}

// finish drains, and either writes everything or gives up, then compares what came out with what went in.
func (h *history) finish() error {
	h.c.Drain(h.now)
	h.note("drain")
	if err := h.drain(); err != nil {
		return err
	}
	if h.profile.abandon {
		h.reachShutdown()
		h.c.Abandon()
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
	if err := h.checkAccounts(); err != nil {
		return err
	}
	return h.checkResult()
}

// reachShutdown notes in what state a shutdown runs out of time.
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

// endLate has everything arrive that is still on its way, and be answered, which changes nothing.
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
