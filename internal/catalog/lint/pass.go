package lint

import (
	"fmt"
	"iter"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// Pass is one run of a rule.
type Pass struct {
	// Catalogs is the whole set, including entries that the reader could not read completely.
	Catalogs []*catalog.Catalog
	// Set is the model of the catalogs, or nil. It lacks events with errors.
	Set *model.Set
	// Release is the version that is about to be made; empty if it is not given.
	Release string
	// Some is true if the module has other catalogs than these.
	Some bool

	// broken are the catalogs with an error. Rules may not have seen all of such a catalog.
	broken map[*catalog.Catalog]bool
	// unplaced are the catalogs without a Go package of their own, copies of others for the most
	// part.
	unplaced map[*catalog.Catalog]bool
	// reported are the findings of the reader and the model.
	reported map[report]bool

	rule     *Rule
	ignores  *ignores
	findings diag.Findings
}

// report is a finding without its message.
type report struct {
	rule string
	pos  diag.Pos
}

// Events returns every event that was read completely, with its catalog.
func (p *Pass) Events() iter.Seq2[*catalog.Catalog, *catalog.Event] {
	return func(yield func(*catalog.Catalog, *catalog.Event) bool) {
		for c, e := range p.readable() {
			if !c.Incomplete && !e.Incomplete && !yield(c, e) {
				return
			}
		}
	}
}

// readable returns every event, also those that were not read completely. It is for rules that
// judge each existing text, and conclude nothing from a missing one.
func (p *Pass) readable() iter.Seq2[*catalog.Catalog, *catalog.Event] {
	return func(yield func(*catalog.Catalog, *catalog.Event) bool) {
		for _, c := range p.Catalogs {
			for i := range c.Events {
				if !yield(c, &c.Events[i]) {
					return
				}
			}
		}
	}
}

// Identities returns every wire identity of the events that were read completely.
func (p *Pass) Identities() iter.Seq2[*catalog.Catalog, catalog.Identity] {
	return identities(p.Events())
}

func identities(events iter.Seq2[*catalog.Catalog, *catalog.Event]) iter.Seq2[*catalog.Catalog, catalog.Identity] {
	return func(yield func(*catalog.Catalog, catalog.Identity) bool) {
		for c, e := range events {
			for _, id := range c.Identities(e) {
				if !yield(c, id) {
					return
				}
			}
		}
	}
}

// Reportf reports a finding in an event of a catalog or, if the event is nil, in the catalog.
func (p *Pass) Reportf(c *catalog.Catalog, e *catalog.Event, pos diag.Pos, format string, args ...any) {
	if p.rule.Severity < diag.Error && p.ignores.cover(c, e, p.rule.ID) {
		return
	}
	p.findings = append(p.findings, diag.Finding{
		Pos:      pos,
		Rule:     p.rule.ID,
		Severity: p.rule.Severity,
		Message:  eventrt.Clean(fmt.Sprintf(format, args...), 0),
	})
}

// whole reports whether the reader left nothing out of a catalog. Only then is a declaration
// without a use really unused.
func whole(c *catalog.Catalog) bool {
	return !c.Incomplete && !slices.ContainsFunc(c.Events, func(e catalog.Event) bool { return e.Incomplete })
}

// reporter identifies who reports an event: a controller or, if the program sets the controller at
// run time, the users of a catalog.
type reporter struct {
	controller string
	catalog    *catalog.Catalog
}

func reporterOf(c *catalog.Catalog, id catalog.Identity) reporter {
	if id.Controller.Value != "" {
		return reporter{controller: id.Controller.Value}
	}
	return reporter{catalog: c}
}

// keyOf returns the correlation key of an event, and whether the catalog gives one. A given key can
// be empty. Without one, all params are the key.
func keyOf(c *catalog.Catalog, e *catalog.Event) (key []catalog.Scalar, explicit bool) {
	policy := c.Policy(e)
	return policy.Key, policy.KeyPos.Line > 0
}

// paramOf returns the declaration of the event's param with a name.
func paramOf(c *catalog.Catalog, e *catalog.Event, name string) (param catalog.Param, declared bool) {
	i := slices.IndexFunc(e.Params, func(p catalog.Param) bool { return p.Name.Value == name })
	if i < 0 {
		return param, false
	}
	return c.Declaration(e.Params[i]), true
}

// objectOf returns the declaration of an alias in spec.objects.
func objectOf(c *catalog.Catalog, alias string) (declared catalog.ObjectDecl) {
	if i := slices.IndexFunc(c.Objects, func(o catalog.ObjectDecl) bool { return o.Alias.Value == alias }); i >= 0 {
		declared = c.Objects[i]
	}
	return declared
}

// variantsOf returns the variants of an event, other last.
func variantsOf(e *catalog.Event) []catalog.Variant {
	if e.Other == nil {
		return e.Variants
	}
	return append(slices.Clip(e.Variants), *e.Other)
}

// messages returns the event's own message and the messages of its variants.
func messages(e *catalog.Event) []*catalog.Message {
	own := []*catalog.Message{e.Message}
	for _, v := range variantsOf(e) {
		if v.Message != nil {
			own = append(own, v.Message)
		}
	}
	return own
}

// templates returns the messages of an event, and the values of its annotations.
func templates(e *catalog.Event) []*catalog.Message {
	all := messages(e)
	for i := range e.Annotations {
		all = append(all, &e.Annotations[i].Value)
	}
	return all
}

// segments returns the segments of some messages.
func segments(of []*catalog.Message) (all []catalog.Segment) {
	for _, m := range of {
		all = append(all, m.Segments...)
	}
	return all
}
