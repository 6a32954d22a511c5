package broadcaster

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// FilterFunc returns a filter that asks a function whether an event is to be recorded. The function
// is called for every event, in the goroutine that records, so it must be fast and safe for
// concurrent use. If it panics, the event is recorded, and the first panic is logged. A nil
// function records everything.
func FilterFunc(keep func(e eventrt.Event) bool) Filter { return Filter{keep: keep} }

// FilterRule is a rule of the filter in force, and the number of events that it dropped.
type FilterRule struct {
	// Rule is the rule's text, or "function" for a FilterFunc.
	Rule string
	// Dropped counts since the broadcaster began to follow the rule. A new filter goes on with the
	// counts of rules that it shares with the one before.
	Dropped uint64
}

// functionRule is the text of a FilterFunc's only rule.
const functionRule = "function"

// activeFilter is a filter at work in one broadcaster. It is safe for concurrent use.
type activeFilter struct {
	rules []*activeRule
	f     func(eventrt.Event) bool // unless nil, rules has one entry, which counts

	// applicable holds, for each *eventrt.Definition seen, the []applicable that its events can
	// match: type, reason and action never change.
	applicable sync.Map
	seen       atomic.Int64
}

// applicable is a rule, and its conditions on the object: the name first, which tells objects apart
// best.
type applicable struct {
	about []condition
	rule  *activeRule
}

// maxSeen bounds the number of definitions that an activeFilter remembers. Events of others cost
// allocations.
const maxSeen = 4096

// activeRule is a rule at work.
type activeRule struct {
	filterRule
	dropped atomic.Uint64

	mu   sync.Mutex
	last map[passKey]time.Duration // when the rule kept an event last; with every only
}

// passKey is what every=DURATION limits: the events of one type and reason about one object.
type passKey struct{ eventType, reason, apiVersion, kind, namespace, name, uid string }

// maxPasses bounds the number of keys that a rule remembers. The event of a forgotten key is kept
// once more.
const maxPasses = 16_384

// activate puts the filter to work in place of another, nil for none.
func (f Filter) activate(before *activeFilter) *activeFilter {
	if f.keep != nil {
		return &activeFilter{f: f.keep, rules: []*activeRule{{filterRule: filterRule{text: functionRule}}}}
	}
	if len(f.rules) == 0 {
		return nil
	}
	g := &activeFilter{}
	for i := range f.rules {
		if same := f.rules[i].text; slices.ContainsFunc(f.rules[i+1:], func(later filterRule) bool { return later.text == same }) {
			continue // which matches the same events, and decides
		}
		r := before.find(f.rules[i].text)
		if r == nil {
			r = &activeRule{filterRule: f.rules[i]}
			if r.every > 0 {
				r.last = map[passKey]time.Duration{}
			}
		}
		g.rules = append(g.rules, r)
	}
	return g
}

// find returns the rule of a text; nil if there is none.
func (g *activeFilter) find(text string) *activeRule {
	if g == nil || g.f != nil {
		return nil
	}
	for _, r := range g.rules {
		if r.text == text {
			return r
		}
	}
	return nil
}

// keeps reports whether an event is to be recorded, and counts it if not.
func (g *activeFilter) keeps(e *eventrt.Event, now time.Duration) (keep bool) {
	if g.f != nil {
		if keep = g.f(*e); !keep {
			g.rules[0].dropped.Add(1)
		}
		return keep
	}
	r := g.decides(e)
	if keep = r == nil || !r.drop && (r.every == 0 || r.passes(e, now)); !keep {
		r.dropped.Add(1)
	}
	return keep
}

// noDefinition stands for that of a zero event.
var noDefinition = &eventrt.Definition{}

// decides returns the last rule that matches an event; nil if none does.
func (g *activeFilter) decides(e *eventrt.Event) *activeRule {
	def := e.Definition()
	if def == nil {
		def = noDefinition
	}
	o := e.Regarding()
	object := [filterFields]string{byKind: o.Kind, byNamespace: o.Namespace, byName: o.Name}
	rules := g.rulesFor(def)
next:
	for i := len(rules) - 1; i >= 0; i-- {
		about := rules[i].about
		for j := range about {
			if !about[j].holds(object[about[j].field]) {
				continue next
			}
		}
		return rules[i].rule
	}
	return nil
}

// rulesFor returns the rules that events of a definition can match.
func (g *activeFilter) rulesFor(def *eventrt.Definition) (rules []applicable) {
	if rules, ok := g.applicable.Load(def); ok {
		return rules.([]applicable)
	}
	for _, r := range g.rules {
		if !r.matchesDefinition(def) {
			continue
		}
		about := slices.DeleteFunc(slices.Clone(r.conditions), func(c condition) bool { return c.field < byKind })
		slices.SortFunc(about, func(a, b condition) int { return int(b.field) - int(a.field) })
		rules = append(rules, applicable{about, r})
	}
	if g.seen.Add(1) <= maxSeen {
		g.applicable.Store(def, rules)
	}
	return rules
}

// matchesDefinition reports whether events of a definition can match a rule.
func (r *filterRule) matchesDefinition(def *eventrt.Definition) bool {
	fields := [filterFields]string{byType: def.Type, byReason: def.Reason, byAction: def.StoredAction()}
	for i := range r.conditions {
		if c := &r.conditions[i]; c.field < byKind && !c.holds(fields[c.field]) {
			return false
		}
	}
	return true
}

func (c *condition) holds(text string) bool {
	return text == c.text || c.prefix && strings.HasPrefix(text, c.text)
}

// passes reports whether every=DURATION keeps an event.
func (r *activeRule) passes(e *eventrt.Event, now time.Duration) bool {
	o := e.Regarding()
	key := passKey{e.Type(), e.Reason(), o.APIVersion, o.Kind, o.Namespace, o.Name, o.UID}
	r.mu.Lock()
	defer r.mu.Unlock()
	last, known := r.last[key]
	if known && now-last < r.every {
		return false
	}
	if !known && len(r.last) >= maxPasses {
		r.forget(now)
	}
	r.last[key] = now
	return true
}

// forget makes room: first for what is over, then for anything, until a quarter is free.
func (r *activeRule) forget(now time.Duration) {
	for _, over := range []bool{true, false} {
		for key, last := range r.last {
			if len(r.last) <= maxPasses/4*3 {
				return
			}
			if !over || now-last >= r.every {
				delete(r.last, key)
			}
		}
	}
}

// SetFilter records only what a filter keeps; the zero Filter keeps everything. It replaces the
// filter before. What a filter drops is counted (Stats.Lost.Disabled, and for each rule in
// Snapshot.Filter) as if recording were off. Events recorded before are still written.
func (b *Broadcaster) SetFilter(f Filter) {
	b.hooks.change(func(h *hooks) { h.filter = f.activate(h.filter) })
}

// filterRules returns the rules of the filter in force, in their order, each with what it has
// dropped. It is empty if everything is recorded.
func (b *Broadcaster) filterRules() []FilterRule {
	h := b.hooks.load()
	if h == nil || h.filter == nil {
		return nil
	}
	var list []FilterRule
	for _, r := range h.filter.rules {
		list = append(list, FilterRule{Rule: r.text, Dropped: r.dropped.Load()})
	}
	return joinFilterRules(list)
}

// joinFilterRules joins the rules of several broadcasters: those of one text are one, with the sum
// of what they dropped.
func joinFilterRules(all ...[]FilterRule) (sum []FilterRule) {
	at := map[string]int{}
	for _, rules := range all {
		for _, r := range rules {
			i, known := at[r.Rule]
			if !known {
				i = len(sum)
				at[r.Rule] = i
				sum = append(sum, FilterRule{Rule: r.Rule})
			}
			sum[i].Dropped += r.Dropped
		}
	}
	return sum
}
