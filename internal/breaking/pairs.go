package breaking

import (
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/model"
)

// packagePair is a package and what became of it.
type packagePair struct{ old, now *model.Package }

// eventPair is an event and what became of it.
type eventPair struct {
	packagePair
	was, is *model.Event
	// moved: it is not in what became of its package.
	moved bool
}

func (e eventPair) renamed() bool { return e.moved || e.was.Name != e.is.Name }

// removal is an event that nothing became of. now is nil if its package is gone as well.
type removal struct {
	packagePair
	event *model.Event
}

// position is the newer package's, else the file that had the event.
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
	for _, like := range []func(a, b *model.Package) bool{sameOutput, sameName, shareEvents} {
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

// shareEvents holds for packages of which one may be the other by a new name.
func shareEvents(a, b *model.Package) bool {
	shared := 0
	for _, e := range a.Events {
		if eventNamed(b, e.Name) != nil {
			shared++
		}
	}
	return shared > 0 && 2*shared >= min(len(a.Events), len(b.Events))
}

func eventNamed(p *model.Package, name string) *model.Event {
	for _, e := range p.Events {
		if e.Name == name {
			return e
		}
	}
	return nil
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

// pairRenamed finds what looks removed under another name or in another package: a new event of the same reasons and
// messages.
func (p *pairs) pairRenamed(now *model.Set, partner map[*model.Package]*model.Package) {
	taken := map[*model.Event]bool{}
	for _, e := range p.events {
		taken[e.is] = true
	}
	type home struct {
		pkg   *model.Package
		event *model.Event
	}
	unclaimed := map[string][]home{}
	for _, pkg := range now.Packages {
		for _, e := range pkg.Events {
			if !taken[e] {
				unclaimed[signature(e)] = append(unclaimed[signature(e)], home{pkg, e})
			}
		}
	}
	p.removed = slices.DeleteFunc(p.removed, func(r removal) bool {
		homes := unclaimed[signature(r.event)]
		if len(homes) == 0 {
			return false
		}
		i := max(0, slices.IndexFunc(homes, func(h home) bool { return h.pkg == partner[r.old] }))
		p.events = append(p.events, eventPair{
			packagePair: packagePair{r.old, homes[i].pkg}, was: r.event, is: homes[i].event, moved: homes[i].pkg != partner[r.old],
		})
		unclaimed[signature(r.event)] = slices.Delete(homes, i, i+1)
		return true
	})
}

// signature is the reasons and messages of an event.
func signature(e *model.Event) string {
	var parts []string
	for _, s := range definitionsOf(e) {
		parts = append(parts, s.Runtime.Reason+"\x00"+s.Message)
	}
	return strings.Join(parts, "\x01")
}

// specsOf are the wire identities of an event; those of its methods differ in the kind only.
func definitionsOf(e *model.Event) []*model.Definition {
	if len(e.Methods) == 0 {
		return nil
	}
	return e.Methods[0].Definitions
}
