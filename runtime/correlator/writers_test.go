package correlator

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/form"
	testseed "github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// writers is a random history of processes that write the same events: they crash and lose their
// memory, restart as the same instance and as another, write at once; requests arrive late, twice
// or not at all; events expire; people annotate events, an admission strips annotations, names are
// taken, updates become invalid. The server is the in-memory sink, with the rules of either group.
type writers struct {
	rng      *rand.Rand
	now      clock.Instant
	memory   *memory.Sink
	form     form.Form
	identity Identity
	strips   bool // admission removes writers' annotations
	refuses  bool // some writes are invalid
	takes    bool // some names are taken by others
	people   bool // they remove writers' annotations, too
	loops    bool // processes crash often, within the time that events live
	calm     bool // requests and answers arrive once and in time, and nobody crashes
	living   []*writer
	late     []lateWrite
	tag      uint64
	of       map[string]*writer // Unique: by name

	sums    map[scope]sum
	expired map[scope]uint64 // counts of expired events
	reached map[string]int
	log     []string
}

// writer is a process.
type writer struct {
	c        *Correlator
	instance string
	blind    bool // its sink can't read
	flight   []sink.Write
	recorded map[string]uint64
	lost     map[string]uint64
	// occurrences that the first of two requests has stored; they are unread, because the second
	// was answered
	doubled map[string]uint64
}

// scope is a fact, together with the processes that share its event.
type scope struct{ fact, shared string }

// sum is the count that the events of a scope must have: the least, and the most beyond it.
type sum struct{ least, more uint64 }

type lateWrite struct {
	w  sink.Write
	at time.Duration
}

func factOf(object, reason string) string { return object + "/" + reason }

func newWriters(seed uint64) *writers {
	rng := rand.New(rand.NewPCG(seed, seed^0x3217e5))
	h := &writers{
		rng: rng, now: clock.Instant{Wall: time.Unix(1_700_000_000, 0)}, form: form.Form(rng.IntN(2)), identity: Identity(rng.IntN(3)),
		of: map[string]*writer{}, sums: map[scope]sum{}, expired: map[scope]uint64{}, reached: map[string]int{},
		calm: rng.IntN(8) == 0,
	}
	switch rng.IntN(7) {
	case 0:
		h.strips = true
	case 1:
		h.refuses = true
	case 2:
		h.takes = true
	case 3:
		h.people = true
	case 4:
		h.loops = true
	}
	h.memory = memory.New(memory.Options{CoreV1: h.form == form.CoreV1, TTL: time.Hour, Now: simClock{&h.now}.Now})
	h.start()
	return h
}

func (h *writers) note(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf("%9.3fs ", h.now.Mono.Seconds())+fmt.Sprintf(format, args...))
}

// start starts a process, on one of two hosts.
func (h *writers) start() {
	h.tag += 1 + h.rng.Uint64N(3)
	hosts := 2
	if h.loops {
		hosts = 1
	}
	p := &writer{instance: fmt.Sprint("host-", h.rng.IntN(hosts)), blind: h.rng.IntN(12) == 0, recorded: map[string]uint64{}, lost: map[string]uint64{}, doubled: map[string]uint64{}}
	p.c = newCorrelator(Options{tuning: tuning.Tuning{Threshold: 2}}, writerOptions{ReportingController: "example.com/sim", ReportingInstance: p.instance, Identity: h.identity, Tag: h.tag})
	h.living = append(h.living, p)
	h.note("start %x on %s", h.tag, p.instance)
}

// scopeOf returns the scope that counts a process's occurrences of a fact.
func (h *writers) scopeOf(p *writer, fact string) scope {
	switch h.identity {
	case Instance:
		return scope{fact, p.instance}
	case Unique:
		return scope{fact, fmt.Sprintf("%p", p)}
	}
	return scope{fact, ""}
}

func (h *writers) step() {
	p := h.living[h.rng.IntN(len(h.living))]
	switch roll := h.rng.IntN(100); {
	case h.loops && roll >= 96:
		h.crash(p)
	case roll < 30:
		h.record(p)
	case roll < 55:
		h.send(p)
	case roll < 80:
		h.answer(p)
	case roll < 84:
		h.arrive()
	case roll < 92 || h.loops && roll < 95:
		h.pass(time.Duration(h.rng.IntN(4000)) * time.Millisecond)
	case roll < 94:
		h.pass(time.Duration(h.rng.IntN(20)) * time.Minute)
	case roll < 95 && h.rng.IntN(4) == 0:
		h.pass(time.Hour)
	case roll < 97 && !h.calm:
		h.crash(p)
	case roll < 98 && len(h.living) < 3:
		h.start()
	case roll < 99:
		h.annotate()
	default:
		h.forget(p)
	}
}

// simFacts are one identity each, except the last, whose messages are aggregated.
func (h *writers) event() (eventrt.Event, string) {
	n := h.rng.IntN(4)
	if h.loops && h.rng.IntN(8) > 0 {
		n = 1 // which has more writers than an event keeps
	}
	def := []*eventrt.Definition{simDefinitions[0], simDefinitions[3], simDefinitions[5], simDefinitions[1]}[n]
	object := fmt.Sprint("obj-", n%2)
	about := objectNamed(object, "uid-of-"+object)
	about.Namespace = "prod"
	args := [][]eventrt.Arg{
		{eventrt.String("a"), eventrt.String("b")}, nil, {eventrt.String("a"), eventrt.Int(h.rng.IntN(9))}, {eventrt.Int(h.rng.IntN(5)), eventrt.Int(1)},
	}[n]
	return eventrt.NewEvent(def, about, eventrt.ObjectRef{}, args...), factOf(object, def.Reason)
}

func (h *writers) record(p *writer) {
	e, fact := h.event()
	internals.SetTime(&e, h.now.Wall)
	if problem, _ := p.c.Observe(&e, h.now); problem != eventrt.NoProblem {
		panic(problem)
	}
	p.recorded[fact]++
	h.note("%x records %s", p.c.writer.Tag, fact)
}

// send hands writes of a process to the network.
func (h *writers) send(p *writer) bool {
	for {
		var w sink.Write
		ok, wake := p.c.Next(h.now, &w)
		if ok {
			h.of[w.Name] = p
			p.flight = append(p.flight, w)
			h.note("%x sends %s %v %v", p.c.writer.Tag, describe(&w), w.Annotations, w.Dropped)
			return true
		}
		if wake > h.now.Mono {
			return false
		}
	}
}

// answer takes one write through the network and back.
func (h *writers) answer(p *writer) {
	if len(p.flight) == 0 {
		return
	}
	n := h.rng.IntN(len(p.flight))
	w := p.flight[n]
	p.flight = slices.Delete(p.flight, n, n+1)
	roll := 99
	if !h.calm {
		roll = h.rng.IntN(100)
	}
	lost := sink.Answer{Outcome: sink.Retry, MaybeStored: w.Operation != sink.Read, Mark: apiserver.MarkOf(h.form)}
	switch {
	case roll < 10 && !p.blind && !h.strips && !h.people:
		// twice: the first is unanswered, so that its annotation must stay and be read
		h.reached["twice"]++
		first, second := h.deliver(p, &w), h.deliver(p, &w)
		if fact := factOf(w.Regarding.Name, w.Reason); first.Outcome == sink.Done && second.Outcome != sink.Done {
			p.doubled[fact] = h.pendingOf(p)[fact].sent
		}
		h.done(p, &w, second)
	case roll < 20:
		h.reached["reply lost"]++
		h.deliver(p, &w)
		h.done(p, &w, lost)
	case roll < 30:
		h.late = append(h.late, lateWrite{w, h.now.Mono})
		h.done(p, &w, lost)
	case roll < 35:
		h.done(p, &w, lost)
	case roll < 38 && h.refuses && w.Operation != sink.Read:
		h.reached["invalid"]++
		h.done(p, &w, sink.Answer{Outcome: sink.Refused, Scope: sink.ScopeWrite})
	default:
		h.done(p, &w, h.deliver(p, &w))
	}
}

// done brings an answer back. It notes occurrences that the process gives up because of it.
func (h *writers) done(p *writer, w *sink.Write, a sink.Answer) {
	before := p.c.Stats().Lost
	p.c.Done(w, a, h.now)
	after := p.c.Stats().Lost
	if a.Outcome == sink.Done {
		delete(p.doubled, factOf(w.Regarding.Name, w.Reason))
	}
	h.note("%x: %s: %v maybe=%v conflict=%v version %d stored %v", p.c.writer.Tag, w.Name, a.Outcome, a.MaybeStored, a.Conflict, a.ResourceVersion, shownStored(a))
	if n := after.Total() - before.Total(); n > 0 {
		h.reached["unacknowledged"]++
		p.lost[factOf(w.Regarding.Name, w.Reason)] += n
		h.note("%x has given up %d", p.c.writer.Tag, n)
	}
}

func shownStored(a sink.Answer) string {
	if a.Stored == nil {
		return "-"
	}
	return fmt.Sprint(storedCount(a.Stored), a.Stored.Annotations)
}

// deliver gives a write to the server, after admission.
func (h *writers) deliver(p *writer, w *sink.Write) sink.Answer {
	switch {
	case w.Operation == sink.Read && p != nil && p.blind:
		return sink.Answer{Outcome: sink.Refused}
	case h.takes && w.Operation == sink.Create && h.rng.IntN(8) == 0:
		foreign := *w
		foreign.Reason, foreign.Count, foreign.Annotations = "Foreign", 1, nil
		h.memory.Write(context.Background(), &foreign)
		h.reached["foreign"]++
	}
	admitted := *w
	if h.strips {
		admitted.Annotations = slices.DeleteFunc(slices.Clone(w.Annotations), func(a eventrt.Annotation) bool {
			return strings.HasPrefix(a.Key, sink.WriterAnnotation)
		})
	}
	a := h.memory.Write(context.Background(), &admitted)
	switch {
	case a.Conflict:
		h.reached["conflict"]++
	case a.Outcome == sink.Exists:
		h.reached["exists"]++
	case len(w.Dropped) > 0 && a.Outcome == sink.Done:
		h.reached["aggregated"]++
	}
	return a
}

// arrive lets a given-up write arrive, at most five minutes later.
func (h *writers) arrive() {
	if len(h.late) == 0 {
		return
	}
	n := h.rng.IntN(len(h.late))
	l := h.late[n]
	h.late = slices.Delete(h.late, n, n+1)
	if h.now.Mono-l.at < 5*time.Minute {
		a := h.deliver(nil, &l.w)
		h.note("late: %s: %v", describe(&l.w), a.Outcome)
		h.reached["late "+a.Outcome.String()]++
	}
}

// pass lets time pass, after which events may have expired.
func (h *writers) pass(d time.Duration) {
	before := h.counts()
	h.now.Mono += d
	h.now.Wall = h.now.Wall.Add(d)
	after := h.counts()
	for s, n := range before {
		if m := after[s]; m < n {
			h.expired[s] += n - m
			h.reached["expired"]++
			h.note("%v has expired with %d", s, n-m)
			h.mayCountTwice(s)
		}
	}
}

// mayCountTwice notes occurrences that may count twice, because the event has expired. A first
// request may have stored them, while the sender heard the second's answer and has not read the
// event. Or a create may have stored them: it got no answer, or the answer that its name is taken,
// and its event was not read either. Other writers may have taken such occurrences for a part of
// the count with which they begin again.
func (h *writers) mayCountTwice(s scope) {
	sum := h.sums[s]
	for _, p := range h.living {
		for fact, n := range p.doubled {
			if h.scopeOf(p, fact) == s {
				sum.more += n
				delete(p.doubled, fact)
			}
		}
		for _, r := range p.c.all {
			unread := r.presence == absent || r.presence == taken
			if r.work != nil && unread && !r.work.unansweredGone && h.scopeOf(p, factOf(r.group.object.name, r.def.Reason)) == s {
				sum.more += max(r.work.unanswered, r.work.carried)
			}
		}
	}
	h.sums[s] = sum
}

// crash ends a process. What it has sent may arrive, at once or late.
func (h *writers) crash(p *writer) {
	h.note("crash %x", p.c.writer.Tag)
	h.reached["crash"]++
	for _, w := range p.flight {
		switch h.rng.IntN(3) {
		case 0:
			h.deliver(p, &w)
		case 1:
			h.late = append(h.late, lateWrite{w, h.now.Mono})
		}
	}
	for fact, n := range h.pendingOf(p) {
		s := h.sums[h.scopeOf(p, fact)]
		s.least += p.recorded[fact] - p.lost[fact] - n.pending
		s.more += n.sent + p.lost[fact]
		h.sums[h.scopeOf(p, fact)] = s
	}
	h.living = slices.DeleteFunc(h.living, func(other *writer) bool { return other == p })
	if len(h.living) == 0 {
		h.start()
	}
}

type pendings struct{ pending, sent uint64 }

// pendingOf returns a process's pending occurrences of each fact, and the part that may be on its
// way or stored.
func (h *writers) pendingOf(p *writer) map[string]pendings {
	of := map[string]pendings{}
	for fact := range p.recorded {
		of[fact] = pendings{}
	}
	for _, r := range p.c.all {
		if w := r.work; w != nil {
			fact := factOf(r.group.object.name, r.def.Reason)
			n := of[fact]
			n.pending += w.pending
			if w.InFlight() || w.unanswered > 0 || w.unread() {
				n.sent += w.pending
			}
			of[fact] = n
		}
	}
	return of
}

// annotate is somebody's kubectl annotate of an event: a note, or the removal of a writer's
// annotation.
func (h *writers) annotate() {
	list := h.memory.List()
	if len(list) == 0 {
		return
	}
	e := form.ToCore(&list[h.rng.IntN(len(list))])
	_, last := storedTimes(&e)
	w := sink.Write{
		Operation: sink.Update, Namespace: e.Namespace, Name: e.Name, Count: int32(storedCount(&e)), Last: last,
		Annotations: []eventrt.Annotation{{Key: "example.com/seen", Value: fmt.Sprint(h.rng.IntN(1000))}},
	}
	if keys := writerKeys(&e); h.people && len(keys) > 0 {
		w.Dropped = keys[:1]
		h.mayCountAgain(&e)
	}
	h.note("somebody annotates %s, and drops %v", e.Name, w.Dropped)
	if a := h.memory.Write(context.Background(), &w); a.Outcome != sink.Done {
		panic(a.Err)
	}
}

// mayCountAgain notes an unanswered write that may or may not be in the count of an event: a person
// has removed its annotation, and later annotations are there.
func (h *writers) mayCountAgain(e *corev1.Event) {
	fact := factOf(e.InvolvedObject.Name, e.Reason)
	s := h.scopeOf(&writer{instance: e.ReportingInstance}, fact)
	sum := h.sums[s]
	for _, p := range h.living {
		if h.scopeOf(p, fact) == s {
			sum.more += h.pendingOf(p)[fact].sent
		}
	}
	h.sums[s] = sum
}

// forget makes a process forget an idle event, as a bound on memory does.
func (h *writers) forget(p *writer) {
	for _, r := range p.c.all {
		if r.work == nil {
			h.note("%x forgets %s", p.c.writer.Tag, r.def.Reason)
			p.c.remove(r)
			h.reached["forgotten"]++
			return
		}
	}
}

// counts returns the counts of the stored events.
func (h *writers) counts() map[scope]uint64 {
	counts := map[scope]uint64{}
	list := h.memory.List()
	for i := range list {
		e := form.ToCore(&list[i])
		if e.Reason == "Foreign" {
			continue
		}
		p := &writer{instance: e.ReportingInstance}
		if h.identity == Unique {
			p = h.of[e.Name]
		}
		counts[h.scopeOf(p, factOf(e.InvolvedObject.Name, e.Reason))] += storedCount(&e)
	}
	return counts
}

// checkOne holds that an identity has one object.
func (h *writers) checkOne() error {
	if h.refuses || h.takes || h.identity == Unique {
		return nil // further generations
	}
	seen := map[scope]string{}
	list := h.memory.List()
	for i := range list {
		e := form.ToCore(&list[i])
		s := h.scopeOf(&writer{instance: e.ReportingInstance}, factOf(e.InvolvedObject.Name, e.Reason+e.Message))
		if strings.HasPrefix(e.Message, eventrt.AggregatePrefix) {
			s.fact = factOf(e.InvolvedObject.Name, e.Reason+eventrt.AggregatePrefix)
		}
		if e.Reason == "Latest" {
			s.fact = e.Reason
		}
		if other := seen[s]; other != "" && !h.anyBlind() {
			return fmt.Errorf("%s and %s are both of %v", other, e.Name, s)
		}
		seen[s] = e.Name
	}
	return nil
}

func (h *writers) anyBlind() bool { return h.reached["blind"] > 0 }

// settle lets everything arrive and be written.
func (h *writers) settle() error {
	h.calm = true
	for len(h.late) > 0 {
		h.arrive()
	}
	for rounds := 0; ; rounds++ {
		busy := false
		for _, p := range h.living {
			for h.send(p) {
			}
			for len(p.flight) > 0 {
				h.answer(p)
			}
			busy = busy || p.c.Stats().Pending > 0
		}
		if !busy {
			return nil
		}
		if rounds > 5000 {
			return fmt.Errorf("writing does not end: %+v", h.living[0].c.Stats())
		}
		h.pass(500 * time.Millisecond)
	}
}

// finish settles, and compares the stored counts with the plain sums.
func (h *writers) finish() error {
	if err := h.settle(); err != nil {
		return err
	}
	for _, p := range h.living {
		for fact := range p.recorded {
			s := h.sums[h.scopeOf(p, fact)]
			s.least += p.recorded[fact] - p.lost[fact]
			s.more += p.lost[fact]
			h.sums[h.scopeOf(p, fact)] = s
		}
		if err := checkEmpty(p.c); err != nil {
			return err
		}
	}
	return h.compare()
}

func (h *writers) compare() error {
	stored := h.counts()
	for s, want := range h.sums {
		n := stored[s]
		if gone := h.expired[s]; n+gone < want.least || n > want.least+want.more {
			return fmt.Errorf("%v: stored %d, expected %d to %d; %d have expired", s, n, want.least, want.least+want.more, gone)
		}
	}
	return h.checkOne()
}

func (h *writers) play(steps int) error {
	for _, p := range h.living {
		if p.blind {
			h.reached["blind"]++
		}
	}
	for range steps {
		h.step()
		for _, p := range h.living {
			if p.blind {
				h.reached["blind"]++
			}
			if lost := p.c.Stats().Lost.Total(); lost > 0 && !h.strips && !h.people && !h.refuses && h.reached["aggregated"]+h.reached["expired"] == 0 && !p.blind {
				return fmt.Errorf("%x has given up %d, though no annotation was removed", p.c.writer.Tag, lost)
			}
		}
	}
	return h.finish()
}

// writersReach are the goals that some history must reach.
var writersReach = []string{"twice", "reply lost", "late exists", "late retry", "late done", "crash", "conflict", "exists", "aggregated", "expired", "forgotten", "foreign",
	"invalid", "unacknowledged", "blind"}

// TestWriters plays histories of several processes.
func TestWriters(t *testing.T) {
	if testing.Short() {
		*simHistories = min(*simHistories, 400)
	}
	first := testseed.Of(t)
	reached := map[string]int{}
	for n := range *simHistories {
		h := newWriters(first + uint64(n))
		steps := 400
		if h.loops {
			steps = 4000
		}
		if err := h.play(steps); err != nil {
			t.Fatalf("-seed=%d -histories=1: %v (identity %d, form %v, strips %v): %v\n%s", first+uint64(n), h.reached, h.identity, h.form, h.strips, err,
				strings.Join(h.log[max(0, len(h.log)-*simLines):], "\n"))
		}
		for what := range h.reached {
			reached[what]++
		}
	}
	t.Logf("histories by what they came to: %v", reached)
	for _, what := range writersReach {
		if reached[what] == 0 && *simHistories >= 1000 {
			t.Errorf("no history came to: %s", what)
		}
	}
}
