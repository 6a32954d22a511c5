package eventfilter

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/inside"
)

// internals are the parts of package eventrt that users do not see.
var internals = eventrt.Inside(inside.Key{})

// rules are those of a filter. They are safe for concurrent use.
type rules struct {
	all  []*rule
	keep func(eventrt.Event) bool // of Func: all has one entry, which counts

	// applicable holds, for each *eventrt.Definition seen, the []applicable that its events can
	// match: type, reason and action never change.
	applicable sync.Map
	seen       atomic.Int64
}

// applicable is a rule, and its conditions on the object: the name first, which tells objects apart
// best.
type applicable struct {
	about []condition
	rule  *rule
}

// maxSeen bounds the number of definitions that the rules remember. Events of others cost
// allocations.
const maxSeen = 4096

// rule is a rule and its count. It stays the same while the rules around it change.
type rule struct {
	text       string // as String writes it
	drop       bool
	every      time.Duration // 0: the rule drops all, or none
	conditions []condition

	dropped atomic.Uint64
	mu      sync.Mutex
	last    map[passKey]time.Time // when the rule kept an event last; with every only
}

// passKey is what every=DURATION limits: the events of one type and reason about one object.
type passKey struct{ eventType, reason, apiVersion, kind, namespace, name, uid string }

// maxPasses bounds the number of keys that a rule remembers. The event of a forgotten key is kept
// once more.
const maxPasses = 16_384

// replacing returns the rules that follow those before: a rule of an equal text goes on.
func replacing(before *rules, all []*rule) *rules {
	if len(all) == 0 {
		return nil
	}
	r := &rules{}
	for i, next := range all {
		same := func(other *rule) bool { return other.text == next.text }
		if slices.ContainsFunc(all[i+1:], same) {
			continue // which matches the same events, and decides
		}
		if before != nil && before.keep == nil {
			if known := slices.IndexFunc(before.all, same); known >= 0 {
				next = before.all[known]
			}
		}
		r.all = append(r.all, next)
	}
	return r
}

// keeps reports whether an event is to be recorded, and counts it if not.
func (rs *rules) keeps(e *eventrt.Event) (keep bool) {
	if rs.keep != nil {
		if keep = rs.keep(*e); !keep {
			rs.all[0].dropped.Add(1)
		}
		return keep
	}
	r := rs.decides(e)
	if keep = r == nil || !r.drop && (r.every == 0 || r.passes(e, time.Now())); !keep {
		r.dropped.Add(1)
	}
	return keep
}

// noDefinition stands for that of a zero event.
var noDefinition = &eventrt.Definition{}

// decides returns the last rule that matches an event; nil if none does.
func (rs *rules) decides(e *eventrt.Event) *rule {
	def := e.Definition()
	if def == nil {
		def = noDefinition
	}
	o := e.Regarding()
	object := [fieldCount]string{byKind: o.Kind, byNamespace: o.Namespace, byName: o.Name}
	candidates := rs.rulesFor(def)
next:
	for i := len(candidates) - 1; i >= 0; i-- {
		about := candidates[i].about
		for j := range about {
			if !about[j].holds(object[about[j].field]) {
				continue next
			}
		}
		return candidates[i].rule
	}
	return nil
}

// rulesFor returns the rules that events of a definition can match.
func (rs *rules) rulesFor(def *eventrt.Definition) (list []applicable) {
	if known, ok := rs.applicable.Load(def); ok {
		return known.([]applicable)
	}
	for _, r := range rs.all {
		if !r.matchesDefinition(def) {
			continue
		}
		about := slices.DeleteFunc(slices.Clone(r.conditions), func(c condition) bool { return c.field < byKind })
		slices.SortFunc(about, func(a, b condition) int { return int(b.field) - int(a.field) })
		list = append(list, applicable{about, r})
	}
	if rs.seen.Add(1) <= maxSeen {
		rs.applicable.Store(def, list)
	}
	return list
}

// matchesDefinition reports whether events of a definition can match a rule.
func (r *rule) matchesDefinition(def *eventrt.Definition) bool {
	fields := [fieldCount]string{byType: def.Type, byReason: def.Reason, byAction: internals.StoredAction(def)}
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
func (r *rule) passes(e *eventrt.Event, now time.Time) bool {
	o := e.Regarding()
	key := passKey{e.Type(), e.Reason(), o.APIVersion, o.Kind, o.Namespace, o.Name, o.UID}
	r.mu.Lock()
	defer r.mu.Unlock()
	last, known := r.last[key]
	if known && now.Sub(last) < r.every {
		return false
	}
	if !known && len(r.last) >= maxPasses {
		r.forget(now)
	}
	r.last[key] = now
	return true
}

// forget makes room: first for what is over, then for anything, until a quarter is free.
func (r *rule) forget(now time.Time) {
	for _, over := range []bool{true, false} {
		for key, last := range r.last {
			if len(r.last) <= maxPasses/4*3 {
				return
			}
			if !over || now.Sub(last) >= r.every {
				delete(r.last, key)
			}
		}
	}
}
