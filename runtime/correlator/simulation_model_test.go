package correlator

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

var simDefinitions = []*runtime.Definition{
	simDefinition("Created", runtime.Normal, 0),
	simDefinition("Failed", runtime.Warning, 0),
	simDefinition("Merged", runtime.Normal, 1<<1), // the second param is no part of the identity
	{Name: "Plain", Reason: "Plain", Action: "Plain", Type: runtime.Warning, Message: []runtime.Segment{{Text: "plain"}}},
	{Name: "Bulk", Reason: "Bulk", Action: "Bulk", Type: runtime.Normal,
		Params:      []runtime.Param{{Name: "n"}},
		Message:     []runtime.Segment{{Text: "bulk ", Value: runtime.ParamValue}},
		Correlation: runtime.Correlation{NoAggregate: true}},
	latestDefinition(),
	limitedDefinition("Nominated", runtime.Normal, lossyLimit),
	limitedDefinition("Disrupted", runtime.Warning, lossyLimit),
	limitedDefinition("Patient", runtime.Normal, patientLimit),
	rareDefinition("Rare", 90*time.Second),
	rareDefinition("Rarer", 25*time.Minute), // of the same reason
}

// Of the limits, one lets nobody wait for long, and one for ever.
var (
	lossyLimit   = &runtime.Limit{Name: "lossy", Every: 20 * time.Second, Burst: 2, Wait: 2 * time.Minute}
	patientLimit = &runtime.Limit{Name: "patient", Every: 30 * time.Second, Burst: 1}
)

func limitedDefinition(name, eventType string, limit *runtime.Limit) *runtime.Definition {
	def := simDefinition(name, eventType, 0)
	def.Correlation.Limit = limit
	return def
}

// isLossy reports whether occurrences of a key of the model can be lost to a limit.
func isLossy(key string) bool {
	_, name, _ := strings.Cut(key, "/")
	return strings.HasPrefix(name, "Nominated") || strings.HasPrefix(name, "Disrupted")
}

// latestDefinition is one whose note follows the occurrences: the second param is no part of the identity.
func latestDefinition() *runtime.Definition {
	def := simDefinition("Latest", runtime.Warning, 1<<1)
	def.Correlation.LatestNote = true
	return def
}

// rareDefinition is one with an interval of its own.
func rareDefinition(name string, interval time.Duration) *runtime.Definition {
	def := simDefinition(name, runtime.Normal, 0)
	def.Reason, def.Correlation.Interval = "Rare", interval
	return def
}

// simDefinitionOf is the definition of a write.
func simDefinitionOf(w *runtime.Write) *runtime.Definition {
	for _, def := range simDefinitions {
		if def.Action == w.Action {
			return def
		}
	}
	return nil
}

func simDefinition(reason, eventType string, merged uint8) *runtime.Definition {
	return &runtime.Definition{
		Name: reason, Reason: reason, Action: reason, Type: eventType,
		Params: []runtime.Param{{Name: "a"}, {Name: "b"}},
		Message: []runtime.Segment{
			{Text: "a=", Value: runtime.ParamValue},
			{Text: " b=", Value: runtime.ParamValue, Param: 1},
		},
		Correlation: runtime.Correlation{Merged: merged},
	}
}

var simNamespaces = []string{"prod", "dev"}

// randomEvent makes an event, and the key under which the model counts it: one for each identity where nothing aggregates,
// else one for each {object, reason, type}.
func randomEvent(rng *rand.Rand, noAggregate bool) (runtime.Event, string) {
	def := simDefinitions[rng.IntN(len(simDefinitions))]
	n := rng.IntN(3)
	object := "obj-" + strconv.Itoa(n)
	regarding := objectNamed(object, "uid-of-"+object)
	regarding.Namespace = simNamespaces[n%len(simNamespaces)]
	a, b := strconv.Itoa(rng.IntN(4)), strconv.Itoa(rng.IntN(4))
	args := []runtime.Arg{runtime.String(a), runtime.String(b)}[:len(def.Params)]
	e := runtime.NewEvent(def, regarding, runtime.ObjectRef{}, args...)
	key := object + "/" + def.Name
	if noAggregate {
		for i := range args {
			if def.Correlation.Merged&(1<<i) == 0 {
				key += "/" + args[i].Text()
			}
		}
	}
	return e, key
}

// badNamespace is none.
const badNamespace = "Not a label"

// unfitEvent is one that must be rejected.
func unfitEvent() runtime.Event {
	regarding := objectNamed("unfit", "")
	regarding.Namespace = badNamespace
	return runtime.NewEvent(simDefinitions[3], regarding, runtime.ObjectRef{})
}

// keyOf is the model's key of a write.
func keyOf(w *runtime.Write, noAggregate bool) string {
	key := w.Regarding.Name + "/" + w.Action
	if !noAggregate || w.Action == "Plain" {
		return key
	}
	fields := strings.Fields(string(w.Note))
	if w.Action == "Bulk" {
		return key + "/" + fields[1]
	}
	key += "/" + strings.TrimPrefix(fields[0], "a=")
	if simDefinitionOf(w).Correlation.Merged == 0 {
		key += "/" + strings.TrimPrefix(fields[1], "b=")
	}
	return key
}

func (h *history) checkAccounts() error {
	s := h.c.Stats()
	if sum := s.Written + s.Pending + s.Lost.Total(); s.Recorded != sum {
		return fmt.Errorf("conservation: recorded %d, written %d + pending %d + lost %d = %d", s.Recorded, s.Written, s.Pending, s.Lost.Total(), sum)
	}
	if s.Recorded != h.calls {
		return fmt.Errorf("recorded %d of %d calls", s.Recorded, h.calls)
	}
	if stored := h.server.total(); s.Written > stored {
		return fmt.Errorf("written %d, but only %d are stored", s.Written, stored)
	}
	if s.Lost.Disabled != h.disabled || s.Lost.Rejected != h.rejected {
		return fmt.Errorf("disabled %d of %d, rejected %d of %d", s.Lost.Disabled, h.disabled, s.Lost.Rejected, h.rejected)
	}
	if h.server.mixed != nil {
		return h.server.mixed
	}
	if h.profile.exact && s.Lost.Total() > h.disabled+h.rejected+s.Lost.Limited {
		return fmt.Errorf("lost %+v, though nothing can be", s.Lost)
	}
	if most := h.c.opts.MaxIdentities + s.InFlight; s.Identities > most {
		return fmt.Errorf("holds %d identities, at most %d may be", s.Identities, most)
	}
	if s.Bytes > h.c.opts.MaxBytes && s.Identities > s.InFlight {
		return fmt.Errorf("holds %d bytes, at most %d may be", s.Bytes, h.c.opts.MaxBytes)
	}
	return nil
}

// checkWrite looks at a write that was handed out: one in flight an object, counts that fit, a schedule that is kept.
func (h *history) checkWrite(w *runtime.Write) error {
	for _, other := range h.flight {
		if other.Regarding.UID == w.Regarding.UID {
			return fmt.Errorf("two writes of %s in flight: %s and %s", w.Regarding.Name, describe(&other), describe(w))
		}
	}
	if w.Count < 1 || w.Last.Before(w.First) {
		return fmt.Errorf("%s: first %v, last %v", describe(w), w.First, w.Last)
	}
	key := keyOf(w, h.profile.noAggregate)
	if known, ok := h.labels[w.Name]; ok && known != key {
		return fmt.Errorf("%s was %s before", describe(w), known)
	}
	h.labels[w.Name] = key
	if err := errors.Join(h.checkKept(w), h.checkAggregate(w, key)); err != nil {
		return fmt.Errorf("%s: %w", describe(w), err)
	}
	if uint64(w.Count) > h.model[key] {
		return fmt.Errorf("%s: only %d were recorded of %s", describe(w), h.model[key], key)
	}
	if err := h.checkLimits(w, key); err != nil {
		return err
	}
	if err := h.checkName(w, key); err != nil {
		return err
	}
	if err := errors.Join(h.checkTokens(w), h.checkInterval(w), h.checkNote(w, key)); err != nil {
		return err
	}
	return h.checkSchedule(w)
}

// departure is a write that took a token: since when it was due, and when it began.
type departure struct{ due, at time.Duration }

// checkTokens holds the writes of a limit to its bucket: of those that were due from a moment on, no more can have begun by another one
// than the bucket holds, and earns in between. What is tried again takes no token.
func (h *history) checkTokens(w *runtime.Write) error {
	limit := simDefinitionOf(w).Correlation.Limit
	last, before := h.starts[ticketOf(w)]
	if limit == nil || h.c.draining || before && !last.ended {
		return nil
	}
	a := h.c.held.Active(h.c.held.ByTicket(w.Ticket.Identity, w.Ticket.Generation))
	if waited := h.now.Mono - a.Due; waited > 0 && a.Due > 0 {
		h.reach("waited for a token", 0)
	}
	all := append(h.departed[limit], departure{a.Due, h.now.Mono})
	h.departed[limit] = all
	for _, from := range all {
		n := 0
		for _, d := range all {
			if d.due >= from.due {
				n++
			}
		}
		if most := limit.Burst + int((h.now.Mono-from.due)/limit.Every); n > most {
			return fmt.Errorf("%s: %d writes of limit %s that were due since %v have begun, at most %d may have", describe(w), n, limit.Name, from.due, most)
		}
	}
	return nil
}

// checkLimited compares what was lost to limits with what is missing.
func (h *history) checkLimited(counts map[string]uint64) error {
	missing := uint64(0)
	for key, n := range h.model {
		if isLossy(key) {
			missing += n - counts[key]
		}
	}
	if lost := h.c.Stats().Lost.Limited; lost != missing {
		return fmt.Errorf("lost to limits %d, missing %d", lost, missing)
	}
	return nil
}

// checkPatience holds that nothing waits for a token for longer than its limit allows.
func (h *history) checkPatience() error {
	for i := range h.c.held.Each {
		if i.Idle() || !h.c.isWaiting(h.c.held.Active(i)) {
			continue
		}
		a, limit := h.c.held.Active(i), i.Definition.Correlation.Limit
		if since := h.c.waiting.byWork[a.Work].since; limit.Wait > 0 && h.now.Mono-since >= limit.Wait {
			return fmt.Errorf("waits since %v for a token of %s: %s", since, limit.Name, show(h.c, i))
		}
	}
	if h.c.Stats().Lost.Limited > 0 {
		h.reach("lost to a limit", 0)
	}
	return nil
}

// checkNote holds that a note is the first one of its event, or the latest, where every identity is an event of its own.
func (h *history) checkNote(w *runtime.Write, key string) error {
	def := simDefinitionOf(w)
	if w.LatestNote != (def.Correlation.LatestNote && !w.Aggregate) {
		return fmt.Errorf("%s: latest note %v", describe(w), w.LatestNote)
	}
	if !h.profile.noAggregate {
		return nil
	}
	want := h.notes[key].latest
	if !w.LatestNote {
		if h.firstNotes[w.Name] == "" {
			h.firstNotes[w.Name] = string(w.Note)
		}
		want = h.firstNotes[w.Name]
	}
	if string(w.Note) != want {
		return fmt.Errorf("%s: expected the note %q", describe(w), want)
	}
	if w.LatestNote && w.Operation == runtime.Update && h.notes[key].changed {
		h.reach("latest note", 0)
	}
	return nil
}

// notes are those that were recorded of an identity.
type notes struct {
	latest  string
	changed bool
}

func (h *history) noteNote(e *runtime.Event, key string) {
	text := e.Message()
	old := h.notes[key]
	h.notes[key] = notes{latest: text, changed: old.changed || old.latest != "" && old.latest != text}
}

// checkLatest compares the notes that people see of an event with the latest one that was recorded.
func (h *history) checkLatest() error {
	for name, e := range h.server.stored {
		key := h.labels[name]
		_, reason, _ := strings.Cut(key, "/")
		if !h.profile.noAggregate || !strings.HasPrefix(reason, "Latest/") || h.server.foreign > 0 || h.alive[key] != name {
			continue
		}
		shown := e.note
		if e.form == simEvents && e.latest != "" {
			shown = e.latest
		}
		if shown != h.notes[key].latest {
			return fmt.Errorf("%s shows the note %q, the latest was %q", name, shown, h.notes[key].latest)
		}
	}
	return nil
}

// ticketOf names the identity of a write.
func ticketOf(w *runtime.Write) [2]uint32 { return [2]uint32{w.Ticket.Identity, w.Ticket.Generation} }

// starts is when a write of an event began last, and whether that write has come to an end.
type starts struct {
	at    time.Duration
	ended bool
}

// checkInterval holds the writes of an event with an interval of its own apart. What is tried again is no new write.
func (h *history) checkInterval(w *runtime.Write) error {
	interval := simDefinitionOf(w).Correlation.Interval
	last, before := h.starts[ticketOf(w)]
	h.starts[ticketOf(w)] = starts{at: h.now.Mono}
	if interval == 0 || h.c.draining || !before || !last.ended {
		return nil
	}
	if gap := h.now.Mono - last.at; gap < interval {
		return fmt.Errorf("%s: %v after the write before, of an interval of %v", describe(w), gap, interval)
	}
	h.reach("interval", 0)
	return nil
}

// checkKept holds that what the sink said of an event is heeded.
func (h *history) checkKept(w *runtime.Write) error {
	t := h.toldOf(w.Name)
	version := t.version
	if w.Operation == runtime.Create {
		version = 0
	}
	switch {
	case w.Mark != t.mark:
		return fmt.Errorf("mark %d, the sink gave %d", w.Mark, t.mark)
	case w.ResourceVersion != version:
		return fmt.Errorf("version %d, expected %d", w.ResourceVersion, version)
	case h.now.Mono < t.wait:
		return fmt.Errorf("the server asked to wait until %v", t.wait)
	}
	return nil
}

// checkAggregate holds that a write says whether it stands for several events, and for which.
func (h *history) checkAggregate(w *runtime.Write, key string) error {
	message, folded := strings.CutPrefix(string(w.Note), runtime.AggregatePrefix)
	if folded != w.Aggregate {
		return fmt.Errorf("aggregate %v", w.Aggregate)
	}
	if !folded {
		if len(w.Annotations) > 0 {
			return fmt.Errorf("annotations %v", w.Annotations)
		}
		return nil
	}
	if len(w.Annotations) != 2 || w.Annotations[0].Key != DistinctMessagesAnnotation || w.Annotations[1].Key != LastMessageAnnotation {
		return fmt.Errorf("annotations %v", w.Annotations)
	}
	distinct, err := strconv.Atoi(w.Annotations[0].Value)
	if err != nil || distinct < 1 || w.Annotations[1].Value != message {
		return fmt.Errorf("annotations %v", w.Annotations)
	}
	f := h.folds[key]
	if h.profile.small || h.c.hashMask != math.MaxUint64 || h.now.Mono > h.c.opts.EventTTL {
		return nil // identities may have been forgotten, or taken for others by their hash
	}
	if distinct != len(f.distinct) || foldedText(w.Action, message) != f.last {
		return fmt.Errorf("annotations %v, folded %d, the last %q", w.Annotations, len(f.distinct), f.last)
	}
	return nil
}

// checkName holds that an identity goes by one event, until it is forgotten.
func (h *history) checkName(w *runtime.Write, key string) error {
	if !h.profile.exact || !h.profile.noAggregate || isLossy(key) {
		return nil
	}
	if name := h.alive[key]; name != "" && name != w.Name {
		return fmt.Errorf("%s goes by %s already", describe(w), name)
	}
	if h.ended[w.Name] {
		return fmt.Errorf("%s has expired", describe(w))
	}
	h.alive[key] = w.Name
	l := h.lives[key]
	l.name, l.began = w.Name, h.now.Mono
	return nil
}

// checkLimits holds the number of events of one {object, reason, type} that stand for themselves within threshold and
// budget, for as long as nothing can have been forgotten.
func (h *history) checkLimits(w *runtime.Write, key string) error {
	o := h.c.opts
	if h.profile.noAggregate || h.profile.small || w.Aggregate || w.Action == "Bulk" || h.server.foreign > 0 || h.now.Mono > o.EventTTL {
		return nil
	}
	if h.single[key] == nil {
		h.single[key] = map[string]bool{}
	}
	h.single[key][w.Name] = true
	n := len(h.single[key])
	if most := o.Burst + int(h.now.Mono/o.Every); n > most {
		return fmt.Errorf("%s: %d events of their own, the budget is %d", describe(w), n, most)
	}
	if most := o.Threshold * (1 + int(h.now.Mono/o.Window)); n > most {
		return fmt.Errorf("%s: %d events of their own, the threshold allows %d", describe(w), n, most)
	}
	return nil
}

// checkSchedule holds the writes of an event apart, where nothing fails and nothing drains.
func (h *history) checkSchedule(w *runtime.Write) error {
	if w.Last.After(h.now.Wall) || w.First.After(w.Last) {
		return fmt.Errorf("%s: first %v, last %v, it is %v", describe(w), w.First, w.Last, h.now.Wall)
	}
	l := h.writes[w.Name]
	if l == nil {
		h.writes[w.Name] = &writeLog{last: h.now.Mono, stamp: w.Last}
		return nil
	}
	if h.profile.exact && w.Last.Before(l.stamp) {
		return fmt.Errorf("%s: lastTimestamp goes back from %v to %v", describe(w), l.stamp, w.Last)
	}
	l.stamp = w.Last
	if h.profile.name != "calm" || h.c.draining || h.outage {
		return nil
	}
	if gap := h.now.Mono - l.last; gap < DefaultFirstInterval && w.Operation == runtime.Update {
		return fmt.Errorf("%s: %v after the write before", describe(w), gap)
	}
	l.last = h.now.Mono
	return nil
}

// failing is how often a write was tried in vain, and since when.
type failing struct {
	tries int
	since time.Duration
}

// neverTaken reports whether a create was tried in vain five times, over 30 s.
func (h *history) neverTaken(w *runtime.Write, a runtime.Answer) bool {
	f := h.failing[w.Name]
	if a.Outcome != runtime.Retry || a.Conflict {
		delete(h.failing, w.Name)
		return false
	}
	if f == nil {
		f = &failing{since: h.now.Mono}
		h.failing[w.Name] = f
	}
	f.tries++
	if f.tries >= 5 && h.now.Mono-f.since >= 30*time.Second {
		h.reach("stepped aside", simForm(w.Mark))
		return true
	}
	return false
}

// checkOrder holds the first creates of an object in the order of recording, which is that of their serials.
func (h *history) checkOrder(w *runtime.Write, a runtime.Answer) error {
	o := h.orders[w.Regarding.Name]
	if o == nil {
		o = &creates{odd: map[string]bool{}}
		h.orders[w.Regarding.Name] = o
	}
	if a.Outcome == runtime.RefusedQuietly {
		h.unordered = true // the namespace is remembered, and identities lose their place without a write
	}
	if simDefinitionOf(w).Correlation.Limit != nil {
		return nil // it may have waited for a token, and lost its place
	}
	if w.Operation != runtime.Create || h.unordered || h.server.foreign > 0 {
		return nil
	}
	if a.Outcome != runtime.Done && a.Outcome != runtime.Retry {
		o.odd[w.Name] = true
		return nil
	}
	if h.neverTaken(w, a) {
		o.odd[w.Name] = true // it steps aside
	}
	if a.Outcome == runtime.Retry || o.odd[w.Name] || h.createdBefore[w.Name] {
		return nil
	}
	h.createdBefore[w.Name] = true
	serial := h.c.held.ByTicket(w.Ticket.Identity, w.Ticket.Generation).Serial
	if serial < o.last {
		return fmt.Errorf("order: %s was recorded before one that is stored already", describe(w))
	}
	o.last = serial
	return nil
}

// checkResult compares what is stored at the end with what was recorded.
func (h *history) checkResult() error {
	s := h.c.Stats()
	if s.Pending != 0 {
		return fmt.Errorf("%d still pending at the end: %+v", s.Pending, s)
	}
	stored := h.server.total()
	if stored < s.Written || stored > s.Written+s.Lost.Unacknowledged {
		return fmt.Errorf("stored %d, written %d, unacknowledged %d", stored, s.Written, s.Lost.Unacknowledged)
	}
	if !h.profile.exact {
		return nil
	}
	counts := map[string]uint64{}
	for name, e := range h.server.stored {
		counts[h.labels[name]] += e.stands()
	}
	for key, n := range h.model {
		if counts[key] != n && !isLossy(key) {
			return fmt.Errorf("final count of %s: stored %d, recorded %d", key, counts[key], n)
		}
	}
	return errors.Join(h.checkTimes(), h.checkLatest(), h.checkLimited(counts))
}

// checkTimes compares the last times that are stored with those that were recorded. In events.k8s.io/v1 an event has one from
// its second occurrence on.
func (h *history) checkTimes() error {
	last := map[string]time.Time{}
	single := map[string]bool{}
	for name, e := range h.server.stored {
		key := h.labels[name]
		if e.last.After(last[key]) {
			last[key] = e.last
		}
		single[key] = single[key] || e.last.IsZero()
	}
	for key, most := range h.latest {
		got, least := last[key].Truncate(time.Second), h.least[key].Truncate(time.Second)
		if !single[key] && !isLossy(key) && (got.Before(least) || got.After(most)) {
			return fmt.Errorf("last time of %s: stored %v, recorded %v, at least %v", key, got, most, least)
		}
	}
	return nil
}
