package fields

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/event-gen/event-gen/internal/adoption/migrate"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// decision decides which classes move, and where to.
type decision struct {
	*reader
	classes []*class
	// catalogs are the generated packages that record on a class, or on a class that it is handed
	// to.
	catalogs map[*class][]*model.Package
}

func newDecision(r *reader) *decision {
	d := &decision{reader: r, catalogs: map[*class][]*model.Package{}}
	for _, n := range r.order {
		d.classes = appendNew(d.classes, n.class)
	}
	return d
}

// decide holds classes until nothing changes: a held class also holds the classes that are handed
// to it.
func (d *decision) decide() {
	for _, c := range d.classes {
		d.holdByUse(c)
	}
	for changed := true; changed; {
		changed = false
		d.findCatalogs()
		for _, c := range d.classes {
			if c.held == nil && !c.quiet && d.holdByOthers(c) {
				changed = true
			}
		}
	}
}

func (c *class) moves() bool { return c.held == nil && !c.quiet }

// holdByUse takes the first use that holds one of a class's nodes.
func (d *decision) holdByUse(c *class) {
	for _, n := range c.nodes {
		for _, u := range n.holds {
			if c.held == nil || comparePositions(u.pos, c.held.pos) < 0 {
				c.held = &u
			}
		}
	}
}

// findCatalogs finds the generated packages of all classes that are not held.
func (d *decision) findCatalogs() {
	d.catalogs = map[*class][]*model.Package{}
	for _, c := range d.classes {
		for _, n := range c.nodes {
			for _, u := range n.typed {
				d.catalogs[c] = appendNew(d.catalogs[c], u.pkg)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, c := range d.classes {
			for to := range c.next() {
				for _, p := range d.catalogs[to] {
					if before := len(d.catalogs[c]); to.moves() {
						d.catalogs[c] = appendNew(d.catalogs[c], p)
						changed = changed || len(d.catalogs[c]) > before
					}
				}
			}
		}
	}
	d.fillCatalogs()
}

// fillCatalogs gives catalogs to classes that nothing records on: the catalogs of the classes
// handed to them.
func (d *decision) fillCatalogs() {
	for changed := true; changed; {
		changed = false
		for _, c := range d.classes {
			for to := range c.next() {
				if len(d.catalogs[to]) == 0 && len(d.catalogs[c]) > 0 && c.moves() && to.moves() {
					d.catalogs[to], changed = slices.Clone(d.catalogs[c]), true
				}
			}
		}
	}
}

// next returns the classes that a class is handed to.
func (c *class) next() map[*class]bool {
	next := map[*class]bool{}
	for _, n := range c.nodes {
		for _, to := range n.to {
			if to.class != c {
				next[to.class] = true
			}
		}
	}
	return next
}

// holdByOthers holds a class if other classes, its catalogs, or the values stored in it keep it
// from moving.
func (d *decision) holdByOthers(c *class) bool {
	for _, n := range c.nodes {
		for _, to := range n.to {
			if to.class != c && !to.class.moves() {
				c.held = &use{to.pos, fmt.Sprintf("it is handed to the %s %s, which stays", to.kind, to.name)}
				return true
			}
		}
	}
	switch list := d.catalogs[c]; {
	case len(list) == 0:
		c.quiet = true
		return true
	case len(list) > 1:
		c.held = d.severalCatalogs(c)
		return true
	}
	for _, n := range c.nodes {
		if why := d.unreachable(n.path, d.catalogs[c][0]); why != "" && n.typeTo > n.typeFrom {
			c.held = &use{n.pos, why}
			return true
		}
		if n.embedded != "" {
			if name := d.clash(n); name != "" {
				c.held = &use{n.pos, "its struct, or one that embeds it, has another " + name}
				return true
			}
		}
		for _, in := range n.in {
			if why := d.refuses(c, n, &in); why != "" {
				c.held = &use{in.pos, why}
				return true
			}
		}
	}
	return false
}

// severalCatalogs returns the first call that uses another catalog than the first call does.
func (d *decision) severalCatalogs(c *class) *use {
	var names []string
	for _, p := range d.catalogs[c] {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	why := "several catalogs record on it: " + strings.Join(names, ", ")
	var typed []typedUse
	for _, n := range c.nodes {
		typed = append(typed, n.typed...)
	}
	slices.SortFunc(typed, func(a, b typedUse) int { return comparePositions(a.pos, b.pos) })
	for _, u := range typed {
		if u.pkg != typed[0].pkg {
			return &use{u.pos, why}
		}
	}
	return &use{c.nodes[0].pos, why}
}

// comparedWithNil reports whether a class, or a class that it is handed to, is compared with nil.
func (d *decision) comparedWithNil(c *class) bool {
	return c.downstream(func(n *node) bool { return len(n.nils) > 0 })
}

// downstream reports whether a condition holds for a node of a class, or of a moving class that it
// is handed to.
func (c *class) downstream(is func(*node) bool) bool {
	seen := map[*class]bool{}
	var visit func(c *class) bool
	visit = func(c *class) bool {
		if seen[c] {
			return false
		}
		seen[c] = true
		if slices.ContainsFunc(c.nodes, is) {
			return true
		}
		for to := range c.next() {
			if to.moves() && visit(to) {
				return true
			}
		}
		return false
	}
	return visit(c)
}

// refuses returns why a value stored in a node can't become a generated recorder; empty if it can.
func (d *decision) refuses(c *class, n *node, in *inflow) string {
	p := d.catalogs[c][0]
	why := d.unreachable(scan.RealPath(in.pkg.PkgPath), p)
	switch {
	case in.from != nil && in.from.class.moves():
		return ""
	case in.kind == oneOfMany:
		return "it is one of several values of " + in.text
	case in.kind == fromNode:
		return d.refusesNode(c, n, in, why)
	case why != "", in.kind == isNil, in.kind == isFake:
		return why
	case in.kind == fromManager:
		return d.refusesManager(c, in)
	case in.kind == fromBroadcaster:
		return d.refusesBroadcaster(in)
	case in.api == "":
		return in.text + " is no recorder that is known"
	case d.comparedWithNil(c) && !in.isAddress():
		return fmt.Sprintf("%s may be nil, and the %s %s is compared with nil", in.text, n.kind, n.name)
	}
	return d.wrongAPI(in, in.api, in.isAddress())
}

// refusesNode returns why a node that stays can't be stored in another one; empty if it can. why is
// the cause if the storing package can't import the generated one.
func (d *decision) refusesNode(c *class, n *node, in *inflow, why string) string {
	if why == "" && d.comparedWithNil(c) && !d.neverNil(in.from, map[*node]bool{}) {
		return fmt.Sprintf("it may be nil, stays a recorder of client-go, and the %s %s is compared with nil", n.kind, n.name)
	}
	why = cmp.Or(why, d.wrongAPI(in, in.from.api, in.from.fake))
	if held := in.from.class.held; why != "" && held != nil {
		return fmt.Sprintf("%s stays a recorder of client-go: %s: %s", in.text, d.at(held.pos), held.why)
	}
	return why
}

// neverNil reports whether every value stored in a node is made there.
func (d *decision) neverNil(n *node, seen map[*node]bool) bool {
	if seen[n] {
		return true
	}
	seen[n] = true
	for _, in := range n.in {
		switch in.kind {
		case isFake, fromManager, fromBroadcaster:
		case fromNode:
			if !d.neverNil(in.from, seen) {
				return false
			}
		default:
			return false
		}
	}
	return len(n.in) > 0 && n.kind == "variable"
}

// wrongAPI returns why generated code can't record on a recorder that stays.
func (d *decision) wrongAPI(in *inflow, api scan.API, fake bool) string {
	if fake || isTest(in.file) {
		return ""
	}
	switch {
	case d.opts.Onto == Record && api == scan.Events:
		return in.text + " is a recorder of tools/events; on one of tools/record its actions would be lost"
	case d.opts.Onto == Events && api == scan.Record:
		return in.text + " stays a recorder of tools/record: it is not known where it is made"
	case d.opts.Onto == EventGen:
		return in.text + " stays a recorder of client-go: it is not known where it is made"
	}
	return ""
}

func (d *decision) refusesManager(c *class, in *inflow) string {
	switch d.opts.Onto {
	case Record:
		return d.wrongAPI(in, in.api, false)
	case Events:
		if in.api == scan.Record {
			return d.refusesEvents(c, in)
		}
	case EventGen:
		if isTest(in.file) {
			return ""
		}
		if !in.made.ours && !d.managed() {
			return "no call of ctrl.NewManager was read, which would have to make the manager"
		}
		if in.api == scan.Record && !in.made.ours {
			return d.refusesEvents(c, in)
		}
	}
	return ""
}

// managed reports whether the program makes a manager that can be one of this project's.
func (d *decision) managed() bool {
	return slices.ContainsFunc(d.managers, func(m *managerCall) bool { return !m.test })
}

// refusesEvents returns why a manager's recorder of tools/record can't become one of tools/events.
func (d *decision) refusesEvents(c *class, in *inflow) string {
	m := in.made
	switch {
	case !m.hasEvents && isTest(in.file):
		return ""
	case !m.hasEvents:
		return "its manager has no GetEventRecorder, which controller-runtime has since v0.23"
	}
	return d.refusesName(c, m.name, m.known)
}

// refusesName returns what events.k8s.io does not accept: a name that is not qualified, or
// annotations.
func (d *decision) refusesName(c *class, name string, known bool) string {
	if !known {
		return "the name of its recorder is computed, and events.k8s.io refuses every event of a name that is no qualified one"
	}
	if errs := validation.IsQualifiedName(name); len(errs) > 0 {
		why, _, _ := strings.Cut(errs[0], " (")
		return fmt.Sprintf("events.k8s.io refuses the reporting controller %q: %s", name, why)
	}
	if d.opts.Onto == Events && !d.annotated && d.annotates(c) {
		return "its events have annotations, and client-go's recorders of tools/events take them since v0.37"
	}
	return ""
}

// annotates reports whether events recorded on a class have annotations.
func (d *decision) annotates(c *class) bool {
	for _, e := range d.catalogs[c][0].Events {
		for _, m := range e.Methods {
			if slices.ContainsFunc(m.Definitions, func(def *model.Definition) bool { return len(def.Runtime.Annotations) > 0 }) {
				return true
			}
		}
	}
	return c.downstream(func(n *node) bool {
		return slices.ContainsFunc(n.typed, func(u typedUse) bool { return u.annotated })
	})
}

// unreachable returns why a package can't import a generated one; empty if it can.
func (d *decision) unreachable(from string, p *model.Package) string {
	if from == p.Path {
		return ""
	}
	from = strings.TrimSuffix(from, "_test")
	if parent, _, internal := strings.Cut("/"+p.Path+"/", "/internal/"); internal && !strings.HasPrefix("/"+from+"/", parent+"/") {
		return p.Path + " is internal to another module"
	}
	leads := func(l *packages.Package) bool { return scan.RealPath(l.PkgPath) == p.Path && migrate.Leads(l, from) }
	if slices.ContainsFunc(d.loaded, leads) {
		return fmt.Sprintf("import cycle: %s imports %s", p.Path, from)
	}
	return ""
}
