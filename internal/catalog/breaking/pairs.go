package breaking

import (
	"cmp"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// packagePair is a package and its newer form.
type packagePair struct{ old, now *model.Package }

// eventPair is an event and its newer form.
type eventPair struct {
	packagePair
	was, is *model.Event
	// moved: its package became another package than the one that has the event now.
	moved bool
}

func (e eventPair) renamed() bool { return e.moved || e.was.Name != e.is.Name }

// removal is an event without a newer form. now is nil if its package is gone, too.
type removal struct {
	packagePair
	event *model.Event
}

// position returns the newer package's position, else the file that had the event.
func (r removal) position() diag.Pos {
	if r.now == nil {
		return diag.Pos{File: r.event.Source.Pos.File, Line: 1, Column: 1}
	}
	return r.now.Catalog.Go.Package.Pos
}

type pairs struct {
	packages []packagePair
	events   []eventPair
	removed  []removal
}

func pairPackages(old, now *model.Set) *pairs {
	p := &pairs{}
	free := slices.Clone(now.Packages)
	partner := map[*model.Package]*model.Package{}
	for _, like := range []func(a, b *model.Package) bool{sameOutput, sameName, shareEvents, haveLikeEvents} {
		for _, pkg := range old.Packages {
			i := slices.IndexFunc(free, func(other *model.Package) bool { return like(pkg, other) })
			if partner[pkg] == nil && i >= 0 {
				partner[pkg] = free[i]
				free = slices.Delete(free, i, i+1)
			}
		}
	}
	for _, pkg := range old.Packages {
		pair := packagePair{pkg, partner[pkg]}
		if pair.now != nil {
			p.packages = append(p.packages, pair)
		}
		p.pairByName(pair)
	}
	p.pairRenamed(now, partner)
	return p
}

func sameOutput(a, b *model.Package) bool { return a.Output == b.Output && a.Name == b.Name }
func sameName(a, b *model.Package) bool   { return a.Name == b.Name }

// shareEvents reports whether b may be a by a new name.
func shareEvents(a, b *model.Package) bool {
	return mostOf(a, b, func(e *model.Event) bool {
		return slices.ContainsFunc(b.Events, func(o *model.Event) bool { return o.Name == e.Name })
	})
}

// haveLikeEvents reports whether b may be a by a new name, with events of new names.
func haveLikeEvents(a, b *model.Package) bool {
	return mostOf(a, b, func(e *model.Event) bool {
		return slices.ContainsFunc(b.Events, func(o *model.Event) bool { return likeness(e, o, false) >= alikeEnough })
	})
}

// mostOf reports whether something holds for at least half of the events that the packages can share.
func mostOf(a, b *model.Package, holds func(*model.Event) bool) bool {
	shared := 0
	for _, e := range a.Events {
		if holds(e) {
			shared++
		}
	}
	return shared > 0 && 2*shared >= min(len(a.Events), len(b.Events))
}

// pairByName pairs the events of a package that kept their names. The others count as removed for now.
func (p *pairs) pairByName(pair packagePair) {
	known := map[string]*model.Event{}
	if pair.now != nil {
		for _, e := range pair.now.Events {
			known[e.Name] = e
		}
	}
	for _, e := range pair.old.Events {
		if is := known[e.Name]; is != nil {
			p.events = append(p.events, eventPair{packagePair: pair, was: e, is: is})
		} else {
			p.removed = append(p.removed, removal{pair, e})
		}
	}
}

// home is a new event and its package.
type home struct {
	pkg   *model.Package
	event *model.Event
}

// candidate pairs an event that seems removed with a new event that it may have become.
type candidate struct {
	removed int
	home    home
	score   float64
}

// pairRenamed pairs removed events with similar new events of any package, the most similar first. A deprecated event may be removed without
// a successor.
func (p *pairs) pairRenamed(now *model.Set, partner map[*model.Package]*model.Package) {
	var candidates []candidate
	for _, h := range p.unclaimed(now) {
		for i, r := range p.removed {
			if score := likeness(r.event, h.event, h.pkg == partner[r.old]); score >= alikeEnough && r.event.Deprecated == nil {
				candidates = append(candidates, candidate{i, h, score})
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.removed, b.removed))
	})
	taken, found := map[*model.Event]bool{}, map[int]bool{}
	for _, c := range candidates {
		if taken[c.home.event] || found[c.removed] {
			continue
		}
		taken[c.home.event], found[c.removed] = true, true
		r := p.removed[c.removed]
		p.events = append(p.events, eventPair{
			packagePair: packagePair{r.old, c.home.pkg}, was: r.event, is: c.home.event, moved: c.home.pkg != partner[r.old],
		})
	}
	var left []removal
	for i, r := range p.removed {
		if !found[i] {
			left = append(left, r)
		}
	}
	p.removed = left
}

// unclaimed returns the new events that no older event became by its name.
func (p *pairs) unclaimed(now *model.Set) []home {
	taken := map[*model.Event]bool{}
	for _, e := range p.events {
		taken[e.is] = true
	}
	var homes []home
	for _, pkg := range now.Packages {
		for _, e := range pkg.Events {
			if !taken[e] {
				homes = append(homes, home{pkg, e})
			}
		}
	}
	return homes
}

// alikeEnough is the least likeness of an event and its renamed form.
const alikeEnough = 0.6

// likeness returns how similar two events are, from 0 to 1. The message counts most, then params, objects and reason. Events that share
// neither words nor reason have likeness 0.
func likeness(a, b *model.Event, home bool) float64 {
	was, is := definitionsOf(a), definitionsOf(b)
	if len(was) == 0 || len(is) == 0 || len(was) != len(is) {
		return 0
	}
	reason := share(was[0].Runtime.Reason == is[0].Runtime.Reason)
	words := sameWords(was[0].Message, is[0].Message)
	if reason == 0 && words < 0.5 {
		return 0
	}
	score := 4*words + 2*sameParams(a, b) + 1.5*reason + 1.5*share(joined(a.Objects(), kindName) == joined(b.Objects(), kindName))
	score += 0.5*share(was[0].Runtime.Type == is[0].Runtime.Type) + 0.5*share(home)
	return score / 10
}

func share(same bool) float64 {
	if same {
		return 1
	}
	return 0
}

// sameWords returns the share of words that two messages have in common.
func sameWords(a, b string) float64 {
	count := map[string]int{}
	was, is := strings.Fields(a), strings.Fields(b)
	for _, w := range was {
		count[w]++
	}
	same := 0
	for _, w := range is {
		if count[w]--; count[w] >= 0 {
			same++
		}
	}
	return float64(2*same) / float64(max(len(was)+len(is), 1))
}

func sameParams(a, b *model.Event) float64 {
	same := 0
	for i, p := range a.Params {
		if i < len(b.Params) && b.Params[i].Type == p.Type {
			same++
		}
	}
	if most := max(len(a.Params), len(b.Params)); most > 0 {
		return float64(same) / float64(most)
	}
	return 1
}

// definitionsOf returns an event's definitions about its first kind. Those about other kinds differ in the kind only.
func definitionsOf(e *model.Event) []*model.Definition {
	if len(e.Methods) == 0 {
		return nil
	}
	return e.Methods[0].Definitions
}
