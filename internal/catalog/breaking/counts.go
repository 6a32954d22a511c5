package breaking

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// The default policy (runtime.Correlation), and the time for which an event is remembered
// (broadcaster.Options.EventTTL).
const (
	defaultThreshold = 10
	defaultBurst     = 25
	defaultEvery     = 5 * time.Minute
	defaultWindow    = 10 * time.Minute
	eventTTL         = time.Hour
)

// key reports params that now tell occurrences apart and did not before, or the reverse.
func (l link) key() []broken {
	was, is := keyOf(l.was), keyOf(l.is)
	var breaks []broken
	changed := false
	for i, j := range l.to {
		if j < 0 {
			continue
		}
		before, now := was[i], is[j]
		if before != now && (before && l.was.Params[i].Tells() || now && l.is.Params[j].Tells()) {
			changed = true
		}
		if !before || !now {
			continue
		}
		for _, o := range l.options(i) {
			if o.cuts || o.name == "sensitive" && !tellsBoth(l.was.Params[i], l.is.Params[j]) || o.name == "optional" && l.was.Params[i].Definition.Sensitive && l.is.Params[j].Definition.Sensitive {
				breaks = append(breaks, l.option("BW05", i, o))
			}
		}
	}
	if !changed {
		return breaks
	}
	before, now := names(l.was, was), names(l.is, is)
	b := l.breaks("BW05", l.keyPos(), fmt.Sprintf("occurrences were told apart by %s and are by %s", before, now))
	return append(breaks, l.foundAll(b.by("key", before, now)))
}

// keyOf returns for each param whether it tells occurrences apart.
func keyOf(e *model.Event) []bool {
	key := make([]bool, len(e.Params))
	for i := range e.Params {
		key[i] = definitionsOf(e)[0].Runtime.Correlation.Merged&(1<<i) == 0
	}
	return key
}

// tellsBoth reports whether both params distinguish true from false even if they are sensitive: an optional sensitive bool shows true only.
func tellsBoth(was, is *model.Param) bool {
	optional := func(p *model.Param) bool { return p.Convert == "Bool" && p.Definition.Optional }
	return optional(was) && optional(is)
}

func names(e *model.Event, key []bool) string {
	var names []string
	for i, p := range e.Params {
		if key[i] {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return cmp.Or(strings.Join(names, ", "), "no param")
}

func (l link) keyPos() diag.Pos {
	own, defaults, before := l.is.Source.Correlation, l.now.Catalog.Defaults.Correlation, l.old.Catalog.Defaults.Correlation
	switch {
	case own != nil && own.KeyPos.Line > 0:
		return own.KeyPos
	case defaults != nil && defaults.KeyPos.Line > 0 && (before == nil || !slices.EqualFunc(before.Key, defaults.Key, sameValue)):
		return defaults.KeyPos
	}
	return l.is.Source.Pos
}

func sameValue(a, b catalog.Scalar) bool { return a.Value == b.Value }

// limits holds the limits of a policy. An infinite threshold means that there are no limits.
type limits struct {
	threshold, burst int
	every, window    time.Duration
}

func limitsOf(c eventrt.Correlation) limits {
	window := cmp.Or(c.Window, defaultWindow)
	if c.NoAggregate {
		return limits{math.MaxInt, math.MaxInt, 1, window}
	}
	return limits{cmp.Or(c.Threshold, defaultThreshold), cmp.Or(c.Burst, defaultBurst), cmp.Or(c.Every, defaultEvery), window}
}

// policy reports limits that fold more events into one than before. An event that can never reach a limit breaks nothing.
func (c *comparison) policy(e eventPair) {
	var breaks []broken
	for i, s := range definitionsOf(e.is) {
		if i >= len(definitionsOf(e.was)) {
			break
		}
		was, is := definitionsOf(e.was)[0].Runtime.Correlation, s.Runtime.Correlation
		if before, now := limitsOf(was), limitsOf(is); before != now {
			for _, key := range lowered(before, now, c.demand(e, s)) {
				breaks = e.addLimit(breaks, "BW07", key)
			}
		}
		for _, key := range slowed(was, is) {
			breaks = e.addLimit(breaks, "BW08", key)
		}
	}
	c.add(breaks...)
}

// addLimit adds the breaks of a limit, once for all definitions of an event.
func (e eventPair) addLimit(breaks []broken, rule string, l limit) []broken {
	b := e.foundAll(e.breaks(rule, e.limitPos(l), l.text).by("limit "+l.name, l.was, l.is))
	if slices.ContainsFunc(breaks, func(o broken) bool { return o.key() == b.key() }) {
		return breaks
	}
	return append(breaks, b)
}

// limit is a limit that became stricter.
type limit struct{ name, was, is, text string }

// lowered returns the limits that let fewer events pass than before, for a group of that many distinct events.
func lowered(was, is limits, distinct int) []limit {
	var out []limit
	add := func(name, before, now string) {
		out = append(out, limit{name, before, now, fmt.Sprintf("%s was %s and is %s, so that fewer events are written", name, before, now)})
	}
	if is.threshold < was.threshold && passes(was, is.window, distinct) > is.threshold {
		add("threshold", count(was.threshold), count(is.threshold))
	}
	empties := is.empties(distinct)
	if was.burst == math.MaxInt && is.burst != math.MaxInt {
		if empties || passes(was, is.window, distinct) > is.threshold {
			out = append(out, limit{"aggregate", "false", "true", "aggregation and budget hold from now on, so that fewer events are written"})
		}
		return out
	}
	empties = empties && was.exceeds(is, distinct)
	if is.burst < was.burst && empties {
		add("budget.burst", count(was.burst), count(is.burst))
	}
	if is.every > was.every && empties {
		add("budget.every", was.every.String(), is.every.String())
	}
	if is.window > was.window && min(is.threshold, was.threshold) < asked(distinct, is.window) && passes(was, is.window, distinct) > is.threshold {
		add("window", was.window.String(), is.window.String())
	}
	return out
}

// asked returns how many events of a group can ask for a write in a span: each of them once in the time for which it is remembered.
func asked(distinct int, span time.Duration) int {
	if distinct >= many {
		return math.MaxInt
	}
	return distinct * (1 + int((span-1)/eventTTL))
}

// passes returns the most events that a policy lets pass in a span.
func passes(l limits, span time.Duration, distinct int) int {
	windows := 1 + int((span-1)/l.window)
	byThreshold := times(l.threshold, windows)
	byBudget := plus(l.burst, int(span/l.every))
	return min(byThreshold, byBudget, asked(distinct, span))
}

func times(a, b int) int {
	if a > math.MaxInt/b {
		return math.MaxInt
	}
	return a * b
}

func plus(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

// empties reports whether a budget can ever be used up.
func (l limits) empties(distinct int) bool {
	if min(l.threshold, distinct) > l.burst {
		return true
	}
	perWindow := float64(l.threshold) / float64(l.window)
	if distinct < many {
		perWindow = min(perWindow, float64(distinct)/float64(eventTTL))
	}
	return perWindow*float64(l.every) > 1
}

// exceeds reports whether a policy lets more events pass in some span than another policy's budget grants. The number that passes grows only
// at the ends of windows and budgets; a thousand of these show every case.
func (l limits) exceeds(other limits, distinct int) bool {
	for _, step := range []time.Duration{l.window, l.every, eventTTL} {
		for span := time.Duration(1); span > 0 && span <= 1000*min(step, math.MaxInt64/1000); span += step {
			if passes(l, span, distinct) > plus(other.burst, int(span/other.every)) {
				return true
			}
		}
	}
	return false
}

// many means an unlimited number.
const many = 1 << 20

// demand returns the number of distinct events in the group of a definition: events of one reason, type and controller about one object
// share a count and a budget. It leaves out events with limits of their own, because their effect on the others depends on which of them
// occur.
func (c *comparison) demand(e eventPair, s *model.Definition) int {
	most := 0
	for _, about := range e.is.Objects() {
		total := 0
		for _, o := range c.groups[groupOf(s)] {
			if sharesGroup(o.definition, s) && sharesKind(about, o.event) && limitsOf(o.definition.Runtime.Correlation) == limitsOf(s.Runtime.Correlation) {
				total = min(total+variety(o.event), many)
			}
		}
		most = max(most, total)
	}
	return most
}

// group identifies definitions whose occurrences about one object may share limits.
type group struct{ reason, eventType, controller string }

// member is a definition and its event.
type member struct {
	event      *model.Event
	definition *model.Definition
}

func groupOf(s *model.Definition) group {
	return group{s.Runtime.Reason, s.Runtime.Type, s.Runtime.ReportingController}
}

func groupsOf(set *model.Set) map[group][]member {
	all := map[group][]member{}
	for _, p := range set.Packages {
		for _, e := range p.Events {
			for _, s := range definitionsOf(e) {
				all[groupOf(s)] = append(all[groupOf(s)], member{e, s})
			}
		}
	}
	return all
}

// sharesGroup reports whether occurrences of two definitions about one object share limits. A definition with a pace of its own has limits of
// its own.
func sharesGroup(a, b *model.Definition) bool {
	return a == b || groupOf(a) == groupOf(b) && !a.Runtime.Correlation.Alone() && !b.Runtime.Correlation.Alone()
}

// sharesKind reports whether an event can be about an object of this kind.
func sharesKind(o *model.Object, e *model.Event) bool {
	return slices.ContainsFunc(e.Objects(), func(other *model.Object) bool { return o.Any || other.Any || o.Kind.Kind == other.Kind.Kind })
}

// variety returns the number of distinct occurrences of an event about one object.
func variety(e *model.Event) int {
	if e.Related != nil || e.Regarding.AnyOf || slices.ContainsFunc(e.Objects(), func(o *model.Object) bool { return o.Any }) {
		return many
	}
	n := 1
	for i, key := range keyOf(e) {
		switch p := e.Params[i]; {
		case !key, p.Definition.Sensitive && !p.Definition.Optional:
		case p.Convert == "Bool", p.Definition.Sensitive:
			n *= 2
		default:
			return many
		}
	}
	return n
}

func count(n int) string {
	if n == math.MaxInt {
		return "none"
	}
	return fmt.Sprint(n)
}

// limitPos returns the position of a limit on the newer side.
func (e eventPair) limitPos(l limit) diag.Pos {
	own, defaults, before := e.is.Source.Correlation, e.now.Catalog.Defaults.Correlation, e.old.Catalog.Defaults.Correlation
	of := func(c *catalog.Correlation) catalog.Scalar {
		if c == nil {
			return catalog.Scalar{}
		}
		return map[string]catalog.Scalar{
			"threshold": c.Threshold, "budget.burst": c.Burst, "budget.every": c.Every, "window": c.Window, "interval": c.Interval, "note": c.Note, "limit": c.Limit, "aggregate": c.Aggregate,
		}[l.name]
	}
	switch {
	case of(own).Set():
		return of(own).Pos
	case of(defaults).Set() && of(before).Value != of(defaults).Value:
		return of(defaults).Pos
	case own != nil:
		return own.Pos
	}
	return e.is.Source.Pos
}
