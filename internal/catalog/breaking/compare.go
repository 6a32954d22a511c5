package breaking

import (
	"reflect"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Baseline is the older side of a comparison.
type Baseline struct {
	Set *model.Set
	// Label names the origin, such as a tag; it may be empty.
	Label string
	// Elsewhere is true if the files are in other folders than the newer side's. Import paths can't
	// be compared then.
	Elsewhere bool
}

// Options narrow a comparison.
type Options struct {
	// Categories are the prefixes of the rules to apply, such as BG. If empty, all rules apply.
	Categories []string
	// Acknowledged lists the intended breaks.
	Acknowledged []Acknowledgement
}

// Acknowledgement permits the break of one rule by one event. Event is the event's name on either
// side; it is empty for a break of a whole package.
type Acknowledgement struct{ Rule, Event string }

// Compare returns the changes that break users of the older set: one finding for each change,
// sorted. Positions are in the newer catalogs, or in an older one if its file is gone.
func Compare(old Baseline, now *model.Set, opts Options) diag.Findings {
	c := &comparison{label: old.Label, elsewhere: old.Elsewhere}
	p := pairSets(old.Set, now)
	for _, pkg := range p.packages {
		c.packageNames(pkg)
	}
	alerts := alertsOn(now)
	for _, e := range p.events {
		if e.is == nil {
			c.removed(e, alerts)
		} else {
			c.event(e)
		}
		c.reused(e)
	}
	c.added(p)
	c.outranked(p)
	c.breaks = slices.DeleteFunc(c.breaks, func(b broken) bool { return !opts.counts(b) })
	return c.findings()
}

func (o Options) counts(b broken) bool {
	wanted := len(o.Categories) == 0 || slices.Contains(o.Categories, b.rule[:2])
	return wanted && !slices.ContainsFunc(o.Acknowledged, func(a Acknowledgement) bool {
		return a.Rule == b.rule && (a.Event == b.event || a.Event != "" && a.Event == b.formerly)
	})
}

type comparison struct {
	label     string
	elsewhere bool
	breaks    []broken
}

func (c *comparison) add(breaks ...broken) { c.breaks = append(c.breaks, breaks...) }

// before returns the text of a position in the older catalogs.
func (c *comparison) before(pos diag.Pos) string {
	if c.label == "" {
		return pos.String()
	}
	return c.label + ":" + pos.String()
}

// event compares an event with its newer version.
func (c *comparison) event(e *eventPair) {
	if e.moved || e.was.Name != e.is.Name && !keepsCallers(e.is, e.was.Name) {
		c.renamed(e)
	}
	s := site{c: c, old: side{pkg: e.old, event: e.was}, now: side{pkg: e.now, event: e.is}, at: e.is.Source.Pos}
	s.walk(reflect.ValueOf(e.was).Elem(), reflect.ValueOf(e.is).Elem())
}
