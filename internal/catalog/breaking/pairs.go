package breaking

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// packagePair is a package and its newer version.
type packagePair struct{ old, now *model.Package }

// eventPair is an event and its newer version. is is nil if the event was removed; now is nil if
// its package is gone too.
type eventPair struct {
	packagePair
	was, is *model.Event
	// moved is true if the event is now in a package that is not the newer version of its old one.
	moved bool
}

// pairs holds the packages and events of two sets in pairs, and the added events, which have no
// older version.
type pairs struct {
	packages []packagePair
	events   []*eventPair
	added    []*eventPair
}

func pairSets(old, now *model.Set) *pairs {
	p := &pairs{}
	partner := partners(old, now)
	claimed := map[*model.Event]bool{}
	for _, pkg := range old.Packages {
		pair := packagePair{pkg, partner[pkg]}
		known, renamed := map[string]*model.Event{}, map[string]*model.Event{}
		if pair.now != nil {
			p.packages = append(p.packages, pair)
			for _, e := range pair.now.Events {
				known[e.Name] = e
				for _, former := range e.Formers {
					renamed[former.Name] = e
				}
			}
		}
		for _, e := range pkg.Events {
			is := known[e.Name]
			// the removal of a deprecated event breaks nothing
			if is == nil && e.Deprecated == nil {
				is = renamed[e.Name]
			}
			claimed[is] = true
			p.events = append(p.events, &eventPair{packagePair: pair, was: e, is: is})
		}
	}
	for _, pkg := range now.Packages {
		for _, e := range pkg.Events {
			if !claimed[e] {
				p.added = append(p.added, &eventPair{packagePair: packagePair{now: pkg}, is: e})
			}
		}
	}
	p.pairRenamed()
	return p
}

// partners returns the newer version of each package that has one. It matches packages by output
// and name, then by name, then by the names of their events, then by similar events.
func partners(old, now *model.Set) map[*model.Package]*model.Package {
	partner := map[*model.Package]*model.Package{}
	free := slices.Clone(now.Packages)
	for _, like := range []func(a, b *model.Package) bool{
		func(a, b *model.Package) bool { return a.Output == b.Output && a.Name == b.Name },
		func(a, b *model.Package) bool { return a.Name == b.Name },
		func(a, b *model.Package) bool {
			return share(a, b, func(e, o *model.Event) bool { return e.Name == o.Name })
		},
		func(a, b *model.Package) bool {
			return share(a, b, func(e, o *model.Event) bool { return likeness(e, o, false) >= minLikeness })
		},
	} {
		for _, pkg := range old.Packages {
			i := slices.IndexFunc(free, func(other *model.Package) bool { return like(pkg, other) })
			if partner[pkg] == nil && i >= 0 {
				partner[pkg] = free[i]
				free = slices.Delete(free, i, i+1)
			}
		}
	}
	return partner
}

// share reports whether two packages have at least half of their events in common: half of the
// smaller number of events.
func share(a, b *model.Package, same func(e, o *model.Event) bool) bool {
	shared := 0
	for _, e := range a.Events {
		if slices.ContainsFunc(b.Events, func(o *model.Event) bool { return same(e, o) }) {
			shared++
		}
	}
	return shared > 0 && 2*shared >= min(len(a.Events), len(b.Events))
}

// pairRenamed pairs removed events with similar added events of any package, the most similar
// first. A deprecated event is not paired, because its removal breaks nothing.
func (p *pairs) pairRenamed() {
	type candidate struct {
		removed, added *eventPair
		score          float64
	}
	var candidates []candidate
	for _, r := range p.events {
		if r.is != nil || r.was.Deprecated != nil {
			continue
		}
		for _, a := range p.added {
			if score := likeness(r.was, a.is, r.now == a.now); score >= minLikeness {
				candidates = append(candidates, candidate{r, a, score})
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	for _, c := range candidates {
		if c.removed.is == nil && c.added.was == nil {
			c.removed.is, c.added.was = c.added.is, c.removed.was
			c.removed.moved = c.removed.now != c.added.now
			c.removed.now = c.added.now
		}
	}
	p.added = slices.DeleteFunc(p.added, func(a *eventPair) bool { return a.was != nil })
}

// minLikeness is the least likeness of an event and its renamed version.
const minLikeness = 0.6

// likeness returns how similar two events are, from 0 to 1. The message counts most, then params,
// objects and reason. Events that share neither words nor reason have likeness 0.
func likeness(a, b *model.Event, home bool) float64 {
	was, is := definitionsOf(a), definitionsOf(b)
	if len(was) == 0 || len(was) != len(is) {
		return 0
	}
	words := inCommon(strings.Fields(was[0].Message), strings.Fields(is[0].Message))
	score := 4*words + 2*inCommon(typesOf(a), typesOf(b))
	if was[0].Runtime.Reason == is[0].Runtime.Reason {
		score += 1.5
	} else if words < 0.5 {
		return 0
	}
	if joined(a.Objects(), kindName) == joined(b.Objects(), kindName) {
		score += 1.5
	}
	if was[0].Runtime.Type == is[0].Runtime.Type {
		score += 0.5
	}
	if home {
		score += 0.5
	}
	return score / 10
}

// inCommon returns the share of words that two lists have in common, from 0 to 1, in any order; 1
// if both are empty.
func inCommon(was, is []string) float64 {
	if len(was)+len(is) == 0 {
		return 1
	}
	count := map[string]int{}
	for _, w := range was {
		count[w]++
	}
	same := 0
	for _, w := range is {
		if count[w]--; count[w] >= 0 {
			same++
		}
	}
	return float64(2*same) / float64(len(was)+len(is))
}

func typesOf(e *model.Event) []string {
	var types []string
	for _, p := range e.Params {
		types = append(types, p.Type)
	}
	return types
}

// definitionsOf returns an event's definitions about its first kind. Definitions about other kinds
// differ only in the kind, which does not matter for likeness.
func definitionsOf(e *model.Event) []*model.Definition {
	if len(e.Methods) == 0 {
		return nil
	}
	return e.Methods[0].Definitions
}

// pairAlso pairs further objects by their positions, because callers pass them in this order. If a
// kind has another position, that is one change, and its events are stored as before.
func pairAlso(s *site, was, is reflect.Value) []pairing {
	kinds := func(e *model.Event) (list []string) {
		for _, a := range e.Also {
			list = append(list, kindName(a.Object))
		}
		return list
	}
	before, after := kinds(s.old.event), kinds(s.now.event)
	moved := false
	for i, k := range before {
		moved = moved || slices.Contains(after, k) && (i >= len(after) || after[i] != k)
	}
	if !moved {
		return inOrder(s, was, is)
	}
	s.report(row{rule: "BG03", name: "the order of further objects", key: "alsoOn"}, strings.Join(before, ", "), strings.Join(after, ", "))
	kind := func(v reflect.Value) string { return kindName(v.Interface().(*model.Also).Object) }
	return pairKeyed(was, is, kind, kind)
}
