package correlator

import (
	"fmt"
	"slices"
	"strings"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/dispatch"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
	"github.com/event-gen/event-gen/runtime/sink"
)

// several describes a history of processes that write the same events: they crash and lose their
// memory, restart as the same instance and as another, and write at once.
type several struct {
	upset  int  // per hundred steps: a process begins, ends or forgets, or somebody meddles
	hosts  int  // of processes
	strips bool // admission removes writers' annotations
	takes  bool // some names are taken by others
	people bool // they remove writers' annotations, too
	loops  bool // processes crash often, within the time that events live
	calm   bool // requests arrive once, and nobody crashes
	ends   int  // so many processes; they end by force, and count what they have not written
}

var severalProfiles = []profile{
	{name: "several, calm", several: &several{upset: 4, hosts: 2, calm: true}},
	{name: "several", retries: 20, several: &several{upset: 6, hosts: 2}},
	{name: "several, crowded", retries: 20, several: &several{upset: 6, hosts: 1}},
	{name: "several, stripped", retries: 20, several: &several{upset: 6, hosts: 2, strips: true}},
	{name: "several, refused", retries: 20, refusals: 3, several: &several{upset: 6, hosts: 2}},
	{name: "several, names taken", retries: 20, several: &several{upset: 6, hosts: 2, takes: true}},
	{name: "several, meddled with", retries: 20, several: &several{upset: 6, hosts: 2, people: true}},
	{name: "several, crash loops", retries: 15, several: &several{upset: 3, hosts: 1, loops: true}},
	{name: "a few, ended", retries: 20, several: &several{upset: 3, hosts: 2, ends: 2}},
	{name: "many, ended", retries: 20, several: &several{upset: 3, hosts: 2, ends: 32}},
}

// stretch returns how many times the steps of one process a history has.
func (h *history) stretch() int {
	switch s := h.profile.several; {
	case s == nil:
		return 1
	case s.loops, s.ends > 3:
		return 48
	}
	return 4
}

// member is what the sums of several processes know of one of them.
type member struct {
	instance string
	blind    bool              // its sink can't read
	lost     map[string]uint64 // by fact: occurrences that it gave up
	// by fact: occurrences that the first of two requests has stored; they are unread, because the
	// second was answered
	doubled map[string]uint64
}

func newMember() member { return member{lost: map[string]uint64{}, doubled: map[string]uint64{}} }

// crowd holds the sums of all processes, living and dead.
type crowd struct {
	tag       uint64              // of the last process
	of        map[string]*process // by name: the last that wrote it
	sums      map[scope]sum
	expired   map[scope]uint64 // counts of expired events
	broken    bool             // an annotation was dropped, or an event has expired
	someBlind bool             // a process was
	ended     []eventrt.Stats  // of processes
}

func newCrowd() crowd {
	return crowd{of: map[string]*process{}, sums: map[scope]sum{}, expired: map[scope]uint64{}}
}

// scope is a fact, together with the processes that share its event.
type scope struct{ fact, shared string }

// sum is the count that the events of a scope must have: the least, and the most beyond it.
type sum struct{ least, more uint64 }

func factOf(object, action string) string { return object + "/" + action }

// start starts a process, on one of the hosts.
func (h *history) start() {
	h.tag += 1 + h.rng.Uint64N(3)
	instance := fmt.Sprint("host-", h.rng.IntN(h.profile.several.hosts))
	h.begins(Options{tuning: tuning.Tuning{Threshold: 2}}, writerOptions{ReportingInstance: instance, Tag: h.tag})
	h.instance, h.blind = instance, h.rng.IntN(12) == 0
	h.someBlind = h.someBlind || h.blind
	if h.blind {
		h.reach("blind", 0)
	}
	h.note("start %x on %s", h.tag, instance)
}

// scopeOf returns the scope that counts a process's occurrences of a fact.
func (h *history) scopeOf(p *process, fact string) scope {
	switch h.identity {
	case Instance:
		return scope{fact, p.instance}
	case Unique:
		return scope{fact, fmt.Sprintf("%p", p)}
	}
	return scope{fact, ""}
}

// scopeOfEvent returns the scope of a stored event.
func (h *history) scopeOfEvent(e *simEvent) scope {
	p := &process{member: member{instance: e.ReportingInstance}}
	if h.identity == Unique {
		p = h.of[e.Name]
	}
	return h.scopeOf(p, factOf(e.InvolvedObject.Name, e.Action))
}

// upset changes who writes, or what is stored.
func (h *history) upset() {
	s := h.profile.several
	switch roll := h.rng.IntN(6); {
	case s.loops && roll < 4 || roll < 2:
		if !s.calm {
			h.end(h.process)
		}
	case roll < 4:
		if len(h.living) < max(3, s.ends) {
			h.start()
		}
	case roll < 5:
		h.meddle()
	default:
		h.forget()
	}
}

// drawEvent makes an event, and the key under which the model counts it. Several processes share
// four facts, of which the last has messages that are aggregated.
func (h *history) drawEvent() (eventrt.Event, string) {
	if h.profile.several == nil {
		return randomEvent(h.rng, h.profile.noAggregate)
	}
	n := h.rng.IntN(4)
	if h.profile.several.loops && h.rng.IntN(8) > 0 {
		n = 1 // which has more writers than an event keeps
	}
	def := []*eventrt.Definition{simDefinitions[0], simDefinitions[3], simDefinitions[5], simDefinitions[1]}[n]
	object := fmt.Sprint("obj-", n%2)
	args := [][]eventrt.Arg{
		{eventrt.String("a"), eventrt.String("b")}, nil, {eventrt.String("a"), eventrt.Int(h.rng.IntN(9))}, {eventrt.Int(h.rng.IntN(5)), eventrt.Int(1)},
	}[n]
	return eventrt.NewEvent(def, objectNamed(object, "uid-of-"+object), eventrt.ObjectRef{}, args...), factOf(object, def.Action)
}

// answerAmongOthers is the answer of a server that others write to, and of proxies before it.
func (h *history) answerAmongOthers(w *sink.Write, roll int) sink.Answer {
	s := h.profile.several
	switch {
	case w.Operation == sink.Read && h.blind:
		return sink.Answer{Outcome: sink.Refused}
	case s.takes && w.Operation == sink.Create && h.rng.IntN(8) == 0:
		h.server.takeAway(h.forms[0], *w)
		h.reach("foreign", 0)
	case roll >= 90 && !s.calm && !h.blind && !s.strips && !s.people:
		// twice: the first is unanswered, so that its annotation must stay and be read
		h.reach("twice", 0)
		first, second := h.deliver(w), h.deliver(w)
		if fact := factOf(w.Regarding.Name, w.Action); first.Outcome == sink.Done && second.Outcome != sink.Done {
			h.doubled[fact] = h.pendingOf(h.process)[fact].sent
		}
		return second
	}
	return h.deliver(w)
}

// noteLost notes occurrences that the process has given up because of an answer.
func (h *history) noteLost(w *sink.Write, a sink.Answer, before eventrt.Lost) {
	after, fact := h.c.Stats().Lost, factOf(w.Regarding.Name, w.Action)
	if a.Outcome == sink.Done {
		delete(h.doubled, fact)
	}
	h.broken = h.broken || len(w.Dropped) > 0 && a.Outcome == sink.Done
	if n := after.Total() - before.Total(); n > 0 {
		h.lost[fact] += n
		h.note("%x has given up %d", h.c.writer.Tag, n)
	}
	if after.Unacknowledged > before.Unacknowledged {
		h.reach("unacknowledged", 0)
	}
}

// noteExpired notes the events that have expired.
func (h *history) noteExpired(before map[scope]uint64) {
	after := h.counts()
	for s, n := range before {
		if m := after[s]; m < n {
			h.expired[s] += n - m
			h.broken = true
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
func (h *history) mayCountTwice(s scope) {
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
			if r.work != nil && unread && !r.work.unansweredGone && h.scopeOf(p, factOfRecord(r)) == s {
				sum.more += max(r.work.unanswered, r.work.carried)
			}
		}
	}
	h.sums[s] = sum
}

func factOfRecord(r *record) string { return factOf(r.group.object.name, r.def.Action) }

// end ends a process: it crashes, or counts what is left. Its requests may arrive, at once or late.
func (h *history) end(p *process) {
	h.note("end %x", p.c.writer.Tag)
	h.reach("end", 0)
	for _, w := range p.flight {
		q := request{write: kept(&w), via: h.forms[0], shape: h.forms[0], at: h.now.Mono}
		switch h.rng.IntN(3) {
		case 0:
			h.take(q)
		case 1:
			h.late = append(h.late, q)
		}
	}
	for fact, n := range h.pendingOf(p) {
		h.add(p, fact, p.expected[fact].recorded-p.lost[fact]-n.pending, n.sent+p.lost[fact])
	}
	for h.profile.several.ends > 0 && p.c.Abandon(dispatch.MostAtOnce) {
	}
	h.ended = append(h.ended, p.c.Stats())
	h.living = slices.DeleteFunc(h.living, func(other *process) bool { return other == p })
	if len(h.living) == 0 {
		h.start()
	}
	h.process = h.living[0]
}

// add adds to the sum of a process's scope.
func (h *history) add(p *process, fact string, least, more uint64) {
	s := h.sums[h.scopeOf(p, fact)]
	s.least += least
	s.more += more
	h.sums[h.scopeOf(p, fact)] = s
}

type pendings struct{ pending, sent uint64 }

// pendingOf returns a process's pending occurrences of each fact, and the part that may be on its
// way or stored.
func (h *history) pendingOf(p *process) map[string]pendings {
	of := map[string]pendings{}
	for fact := range p.expected {
		of[fact] = pendings{}
	}
	for _, r := range p.c.all {
		if w := r.work; w != nil {
			n := of[factOfRecord(r)]
			n.pending += w.pending
			if w.InFlight() || w.unanswered > 0 || w.unread() {
				n.sent += w.pending
			}
			of[factOfRecord(r)] = n
		}
	}
	return of
}

// meddle is somebody's kubectl annotate of an event: a note, or the removal of a writer's
// annotation.
func (h *history) meddle() {
	live := h.server.live()
	if len(live) == 0 {
		return
	}
	e, dropped := live[h.rng.IntN(len(live))], []string(nil)
	if keys := writerKeys(e.Event); h.profile.several.people && len(keys) > 0 {
		dropped = keys[:1]
		h.mayCountAgain(e)
	}
	h.note("somebody annotates %s, and drops %v", e.Name, dropped)
	h.server.annotate(e, fmt.Sprint(h.rng.IntN(1000)), dropped...)
}

// mayCountAgain notes an unanswered write that may or may not be in the count of an event: a person
// has removed its annotation, and later annotations are there.
func (h *history) mayCountAgain(e *simEvent) {
	s, fact := h.scopeOfEvent(e), factOf(e.InvolvedObject.Name, e.Action)
	for _, p := range h.living {
		if h.scopeOf(p, fact) == s {
			h.add(p, fact, 0, h.pendingOf(p)[fact].sent)
		}
	}
}

// forget makes a process forget an idle event, as a bound on memory does.
func (h *history) forget() {
	for _, r := range h.c.all {
		if r.work == nil {
			h.note("%x forgets %s", h.c.writer.Tag, r.def.Reason)
			h.c.remove(r)
			h.reach("forgotten", 0)
			return
		}
	}
}

// counts returns the counts of the stored events of several processes.
func (h *history) counts() map[scope]uint64 {
	counts := map[scope]uint64{}
	if h.profile.several == nil {
		return counts
	}
	for _, e := range h.server.live() {
		if e.Reason != foreignReason {
			counts[h.scopeOfEvent(e)] += e.stands()
		}
	}
	return counts
}

// compare compares the stored counts with the plain sums.
func (h *history) compare() error {
	if h.profile.several == nil {
		return nil
	}
	for _, p := range h.living {
		for fact, x := range p.expected {
			h.add(p, fact, x.recorded-p.lost[fact], p.lost[fact])
		}
	}
	stored := h.counts()
	for s, want := range h.sums {
		n := stored[s]
		if gone := h.expired[s]; n+gone < want.least || n > want.least+want.more {
			return fmt.Errorf("%v: stored %d, expected %d to %d; %d have expired", s, n, want.least, want.least+want.more, gone)
		}
	}
	if h.profile.several.ends > 0 && len(h.expired) == 0 {
		return h.compareAccounts(stored)
	}
	return h.checkOne()
}

// compareAccounts compares the stored counts with the accounts of all processes.
func (h *history) compareAccounts(stored map[scope]uint64) error {
	written, unacknowledged, n := uint64(0), uint64(0), uint64(0)
	for _, p := range h.living {
		h.ended = append(h.ended, p.c.Stats())
	}
	for _, s := range h.ended {
		written += s.Written
		unacknowledged += s.Lost.Unacknowledged
	}
	for _, of := range stored {
		n += of
	}
	if n < written || n > written+unacknowledged {
		return fmt.Errorf("written %d, unacknowledged %d, stored %d", written, unacknowledged, n)
	}
	return nil
}

// checkOne holds that an identity has one event.
func (h *history) checkOne() error {
	if h.profile.refusals > 0 || h.profile.several.takes || h.someBlind || h.identity == Unique {
		return nil // further names
	}
	seen := map[string]string{}
	for _, e := range h.server.live() {
		text := e.Message
		switch {
		case strings.HasPrefix(text, eventrt.AggregatePrefix):
			text = eventrt.AggregatePrefix
		case e.Reason == "Latest":
			text = ""
		}
		identity := fmt.Sprint(h.scopeOfEvent(e), text)
		if other := seen[identity]; other != "" {
			return fmt.Errorf("%s and %s are both of %s", other, e.Name, identity)
		}
		seen[identity] = e.Name
	}
	return nil
}
