package correlator

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
	"github.com/event-gen/event-gen/runtime/sink"
)

// moment is the point at which a history asks an oracle.
type moment uint8

const (
	stepping  moment = iota // after each step, and in the end
	writing                 // when Next hands out a write
	idling                  // when Next has nothing more
	answering               // when the sink has answered, and the correlator is not told yet
	ending                  // once everything is written or given up, and has arrived
	moments
)

// subject is the write, event or answer that an oracle is asked about.
type subject struct {
	write  *sink.Write // while writing and answering
	of     *expected   // while writing
	answer sink.Answer // while answering
}

// oracle compares a history with one promise.
type oracle struct {
	promise string
	several bool // it holds if several processes write, too
	checks  checks
}

// checks are called before the model notes the subject. A nil check is not called.
type checks [moments]func(*history, *subject) error

var oracles = []oracle{
	{"every occurrence is written, pending or lost", true, checks{stepping: (*history).checkConserved}},
	{"what counts as written is stored", false, checks{stepping: (*history).checkAcknowledged, ending: (*history).checkStored}},
	{"losses have their causes", true, checks{stepping: (*history).checkLosses}},
	{"the bounds hold", true, checks{stepping: (*history).checkBounds}},
	{"an event is written through one API group", false, checks{stepping: (*history).checkGroup}},
	{"an object has one write in flight", true, checks{writing: (*history).checkInFlight}},
	{"an event keeps its identity", true, checks{writing: (*history).checkIdentity}},
	{"an event stands for what was recorded", false, checks{writing: (*history).checkCount, ending: (*history).checkCounts}},
	{"times are those of occurrences", false, checks{writing: (*history).checkTime, ending: (*history).checkTimes}},
	{"what the sink says of an event is heeded", false, checks{writing: (*history).checkHeeded}},
	{"an aggregate tells what it stands for", false, checks{writing: (*history).checkAggregate}},
	{"threshold and budget limit the events of a group", false, checks{writing: (*history).checkBudget}},
	{"an identity goes by one event until that has expired", false, checks{writing: (*history).checkName}},
	{"a note is that of the first occurrence, or of the latest if the catalog asks for it", false, checks{writing: (*history).checkNote, ending: (*history).checkNotes}},
	{"labels are those of an occurrence, and only a create sends them", false, checks{stepping: (*history).checkLeftOut, writing: (*history).checkLabels, ending: (*history).checkStoredLabels}},
	{"writes of an event are an interval apart", false, checks{writing: (*history).checkInterval}},
	{"no more writes of a limit begin than its bucket holds and earns", false, checks{writing: (*history).checkTokens}},
	{"nothing waits for a token for longer than its limit allows", false, checks{idling: (*history).checkPatience, ending: (*history).checkLimited}},
	{"an object's events are created in the order of recording", false, checks{answering: (*history).checkOrder}},
	{"nothing is pending in the end", true, checks{ending: (*history).checkNothingPending}},
}

// ask asks all oracles.
func (h *history) ask(at moment, s subject) error {
	for _, o := range oracles {
		check := o.checks[at]
		if check == nil || h.profile.several != nil && !o.several {
			continue
		}
		if err := check(h, &s); err != nil {
			return fmt.Errorf("%s: %w", o.promise, err)
		}
	}
	return nil
}

func (h *history) checkConserved(*subject) error {
	s := h.c.Stats()
	if sum := s.Written + s.Pending + s.Lost.Total(); s.Recorded != sum {
		return fmt.Errorf("recorded %d, written %d + pending %d + lost %d = %d", s.Recorded, s.Written, s.Pending, s.Lost.Total(), sum)
	}
	if s.Recorded != h.calls {
		return fmt.Errorf("recorded %d of %d calls", s.Recorded, h.calls)
	}
	return nil
}

func (h *history) checkAcknowledged(*subject) error {
	if s, stored := h.c.Stats(), h.server.total(); s.Written > stored {
		return fmt.Errorf("written %d, but only %d are stored", s.Written, stored)
	}
	return nil
}

func (h *history) checkStored(*subject) error {
	s, stored := h.c.Stats(), h.server.total()
	if stored < s.Written || stored > s.Written+s.Lost.Unacknowledged {
		return fmt.Errorf("stored %d, written %d, unacknowledged %d", stored, s.Written, s.Lost.Unacknowledged)
	}
	return nil
}

func (h *history) checkLosses(*subject) error {
	s := h.c.Stats()
	if s.Lost.Rejected != h.rejected {
		return fmt.Errorf("rejected %d of %d", s.Lost.Rejected, h.rejected)
	}
	isExact := h.profile.exact
	if m := h.profile.several; m != nil {
		isExact = !h.broken && !h.blind && !m.strips && !m.people && h.profile.refusals == 0
	}
	if isExact && s.Lost.Total() > h.rejected+s.Lost.Limited {
		return fmt.Errorf("lost %+v, though nothing can be", s.Lost)
	}
	return nil
}

func (h *history) checkBounds(*subject) error {
	s := h.c.Stats()
	if most := h.c.opts.MaxEvents + s.InFlight; s.Identities > most {
		return fmt.Errorf("holds %d identities, at most %d may be", s.Identities, most)
	}
	if s.Bytes > h.c.opts.MaxBytes && s.Identities > s.InFlight {
		return fmt.Errorf("holds %d bytes, at most %d may be", s.Bytes, h.c.opts.MaxBytes)
	}
	return nil
}

func (h *history) checkGroup(*subject) error { return h.server.mixed }

func (h *history) checkInFlight(s *subject) error {
	w := s.write
	for i := range h.flight {
		if h.flight[i].Regarding.UID == w.Regarding.UID {
			return fmt.Errorf("%s is in flight", describe(&h.flight[i]))
		}
	}
	return nil
}

func (h *history) checkIdentity(s *subject) error {
	w, x := s.write, s.of
	if before := h.event(w.Name).of; before != nil && before != x {
		return fmt.Errorf("it was of %s before", before.definition.Name)
	}
	return nil
}

func (h *history) checkCount(s *subject) error {
	w, x := s.write, s.of
	if w.Count < 1 || uint64(w.Count) > x.recorded {
		return fmt.Errorf("%d were recorded", x.recorded)
	}
	return nil
}

// checkCounts compares the stored counts at the end with the recorded ones.
func (h *history) checkCounts(*subject) error {
	if !h.profile.exact {
		return nil
	}
	counts := h.storedCounts()
	for key, x := range h.expected {
		if counts[x] != x.recorded && !x.isLossy() {
			return fmt.Errorf("final count of %s: stored %d, recorded %d", key, counts[x], x.recorded)
		}
	}
	return nil
}

func (h *history) storedCounts() map[*expected]uint64 {
	counts := map[*expected]uint64{}
	for name, e := range h.server.stored {
		counts[h.event(name).of] += e.stands() + h.server.past[name]
	}
	return counts
}

func (h *history) checkTime(s *subject) error {
	w := s.write
	e := h.event(w.Name)
	switch {
	case w.Last.After(h.now.Wall) || w.First.After(w.Last):
		return fmt.Errorf("first %v, last %v, it is %v", w.First, w.Last, h.now.Wall)
	case h.profile.exact && w.Last.Before(e.stamp):
		return fmt.Errorf("lastTimestamp goes back from %v to %v", e.stamp, w.Last)
	}
	return nil
}

// checkTimes compares the stored last times with the recorded ones. In events.k8s.io/v1 an event
// has a last time from its second occurrence on.
func (h *history) checkTimes(*subject) error {
	if !h.profile.exact {
		return nil
	}
	last, single := map[*expected]time.Time{}, map[*expected]bool{}
	for name, e := range h.server.stored {
		x := h.event(name).of
		if _, at := storedTimes(e.Event); at.After(last[x]) {
			last[x] = at
		}
		single[x] = single[x] || e.form == form.EventsV1 && e.Series == nil
	}
	for key, x := range h.expected {
		got, least := last[x].Truncate(time.Second), x.least.Truncate(time.Second)
		if !single[x] && !x.isLossy() && (got.Before(least) || got.After(x.latest)) {
			return fmt.Errorf("last time of %s: stored %v, recorded %v, at least %v", key, got, x.latest, least)
		}
	}
	return nil
}

func (h *history) checkHeeded(s *subject) error {
	w := s.write
	t := h.event(w.Name).told
	version := uint64(0)
	if w.Operation == sink.Update {
		version = t.version
	}
	switch {
	case w.Mark != t.mark:
		return fmt.Errorf("mark %d, the sink gave %d", w.Mark, t.mark)
	case w.ResourceVersion != version:
		return fmt.Errorf("version %d, expected %d", w.ResourceVersion, version)
	case h.now.Mono < t.wait && !h.c.d.Draining():
		return fmt.Errorf("the server asked to wait until %v", t.wait)
	}
	return nil
}

func (h *history) checkAggregate(s *subject) error {
	w, x := s.write, s.of
	message, aggregated := strings.CutPrefix(string(w.Note), eventrt.AggregatePrefix)
	switch {
	case aggregated != w.Aggregate:
		return fmt.Errorf("aggregate %v", w.Aggregate)
	case !aggregated || w.Operation == sink.Read:
		return nil
	case len(w.Annotations) < 2 || w.Annotations[0].Key != sink.DistinctMessagesAnnotation || w.Annotations[1].Key != sink.LastMessageAnnotation:
		return fmt.Errorf("annotations %v", w.Annotations)
	}
	distinct, err := strconv.Atoi(w.Annotations[0].Value)
	if err != nil || distinct < 1 || w.Annotations[1].Value != message {
		return fmt.Errorf("annotations %v", w.Annotations)
	}
	if h.profile.small || h.c.hashMask != math.MaxUint64 || h.now.Mono > h.c.opts.EventTTL {
		return nil // identities may have been forgotten, or taken for others by their hash
	}
	if distinct != len(x.aggregated) || aggregatedText(x.definition, message) != x.lastAggregated {
		return fmt.Errorf("annotations %v, aggregated %d, the last %q", w.Annotations, len(x.aggregated), x.lastAggregated)
	}
	return nil
}

// checkBudget holds as long as no record can have been forgotten.
func (h *history) checkBudget(s *subject) error {
	w, x := s.write, s.of
	o := h.c.opts
	if h.profile.noAggregate || h.profile.small || w.Aggregate || x.definition.Correlation.NoAggregate || h.server.foreign > 0 || h.now.Mono > o.EventTTL {
		return nil
	}
	n := len(x.own)
	if !x.own[w.Name] {
		n++
	}
	if most := o.Burst + int(h.now.Mono/o.Every); n > most {
		return fmt.Errorf("%d events of their own, the budget is %d", n, most)
	}
	if most := o.tuning.Threshold * (1 + int(h.now.Mono/o.tuning.Window)); n > most {
		return fmt.Errorf("%d events of their own, the threshold allows %d", n, most)
	}
	return nil
}

// checkName holds if every identity is an event of its own, and nothing is lost.
func (h *history) checkName(s *subject) error {
	w, x := s.write, s.of
	if !h.profile.exact || !h.profile.noAggregate || x.isLossy() {
		return nil
	}
	if x.name != "" && x.name != w.Name {
		return fmt.Errorf("it goes by %s already", x.name)
	}
	if h.event(w.Name).expired && h.identity == Unique {
		return fmt.Errorf("the event has expired")
	}
	return nil
}

// checkNote compares notes if every identity is an event of its own.
func (h *history) checkNote(s *subject) error {
	w, x := s.write, s.of
	if latest := x.definition.Correlation.LatestNote && !w.Aggregate; w.LatestNote != latest {
		return fmt.Errorf("latest note %v", w.LatestNote)
	}
	want, e := x.note, h.event(w.Name)
	if !w.LatestNote {
		want = e.firstNote
	}
	if h.profile.noAggregate && string(w.Note) != want && (w.LatestNote || e.firstNote != "") {
		return fmt.Errorf("expected the note %q", want)
	}
	if h.profile.noAggregate && w.LatestNote && w.Operation == sink.Update && x.renoted {
		h.reach("latest note", 0)
	}
	return nil
}

// checkNotes compares the notes that people see with the latest recorded ones.
func (h *history) checkNotes(*subject) error {
	if !h.profile.exact || !h.profile.noAggregate || h.server.foreign > 0 {
		return nil
	}
	for name, e := range h.server.stored {
		x := h.event(name).of
		if !x.definition.Correlation.LatestNote || x.name != name {
			continue
		}
		if shown := e.latest(); shown != x.note {
			return fmt.Errorf("%s shows the note %q, the latest was %q", name, shown, x.note)
		}
	}
	return nil
}

func (h *history) checkLeftOut(*subject) error {
	n := h.c.Stats().LabelsLeftOut
	if n > 0 {
		h.reach("label left out", 0)
	}
	if n > h.leftOut {
		return fmt.Errorf("%d labels are left out, %d were none", n, h.leftOut)
	}
	return nil
}

func (h *history) checkLabels(s *subject) error {
	w, x := s.write, s.of
	switch {
	case w.Operation == sink.Create && x.labels[fmt.Sprint(w.Labels)]:
		return nil
	case w.Operation != sink.Create && len(w.Labels) == 0:
		return nil
	}
	return fmt.Errorf("labels %v, the occurrences had %v", w.Labels, x.labels)
}

// checkStoredLabels holds that each event has the labels of its first create.
func (h *history) checkStoredLabels(*subject) error {
	for name, e := range h.server.stored {
		x := h.event(name).of
		if x == nil || e.Reason == foreignReason {
			continue
		}
		if !x.labels[fmt.Sprint(e.labels())] {
			return fmt.Errorf("%s has the labels %v, the occurrences had %v", name, e.labels(), x.labels)
		}
		if len(e.Labels) > 1 {
			h.reach("labels stored", apiserver.MarkOf(e.form))
		}
	}
	return nil
}

// checkInterval holds until Shutdown lifts the schedule. A retry is no new write of an interval.
// The check covers the schedule's second if nothing fails.
func (h *history) checkInterval(s *subject) error {
	w, x := s.write, s.of
	if h.c.d.Draining() {
		return nil
	}
	interval := x.definition.Correlation.Interval
	if last, before := h.begun[h.recordOf(w)]; interval > 0 && before && last.ended {
		if gap := h.now.Mono - last.at; gap < interval {
			return fmt.Errorf("%v after the write before, of an interval of %v", gap, interval)
		}
		h.reach("interval", 0)
	}
	e := h.event(w.Name)
	if h.profile.name != "calm" || h.outage || e.firstNote == "" || w.Operation != sink.Update || e.reads {
		return nil
	}
	if gap := h.now.Mono - e.began; gap < tuning.Defaults.FirstInterval {
		return fmt.Errorf("%v after the write before", gap)
	}
	return nil
}

// checkTokens holds the writes of a limit to its bucket. Take the writes that were due from one
// moment on, and began by another: there can't be more than the bucket holds, and earns in between.
func (h *history) checkTokens(s *subject) error {
	w := s.write
	if !h.takesToken(w) {
		return nil
	}
	d := h.departure(w)
	if d.at > d.due && d.due > 0 {
		h.reach("waited for a token", 0)
	}
	all := []departure{d}
	for _, before := range h.departures {
		if before.limit == d.limit {
			all = append(all, before)
		}
	}
	for _, from := range all {
		n := 0
		for _, d := range all {
			if d.due >= from.due {
				n++
			}
		}
		if most := d.limit.Burst + int((h.now.Mono-from.due)/d.limit.Every); n > most {
			return fmt.Errorf("%d writes of limit %s that were due since %v have begun, at most %d may have", n, d.limit.Name, from.due, most)
		}
	}
	return nil
}

func (h *history) checkPatience(*subject) error {
	for _, r := range h.c.all {
		if r.work == nil || r.work.Look().Waits == clock.Never {
			continue
		}
		limit := r.def.Correlation.Limit
		if since := r.work.Look().Waits; limit.Wait > 0 && h.now.Mono-since >= limit.Wait {
			return fmt.Errorf("waits since %v for a token of %s: %s", since, limit.Name, show(r))
		}
	}
	if h.c.Stats().Lost.Limited > 0 {
		h.reach("lost to a limit", 0)
	}
	return nil
}

// checkLimited compares the losses to limits with the missing occurrences.
func (h *history) checkLimited(*subject) error {
	if !h.profile.exact {
		return nil
	}
	missing, counts := uint64(0), h.storedCounts()
	for _, x := range h.expected {
		if x.isLossy() {
			missing += x.recorded - counts[x]
		}
	}
	if lost := h.c.Stats().Lost.Limited; lost != missing {
		return fmt.Errorf("lost to limits %d, missing %d", lost, missing)
	}
	return nil
}

// checkOrder compares serials, which are given in the order of recording.
func (h *history) checkOrder(s *subject) error {
	w, e := s.write, h.event(s.write.Name)
	if s.answer.Outcome != sink.Done || !h.isOrdered(w) || e.odd || e.stored {
		return nil
	}
	if h.serialOf(w) < h.created[w.Regarding.Name] {
		return fmt.Errorf("%s was recorded before one that is stored already", describe(w))
	}
	return nil
}

func (h *history) checkNothingPending(*subject) error {
	if s := h.c.Stats(); s.Pending != 0 {
		return fmt.Errorf("%d are: %+v", s.Pending, s)
	}
	return nil
}
