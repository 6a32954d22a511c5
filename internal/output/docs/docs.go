// Package docs writes catalogs as documentation: tables in Markdown, and a page of HTML for people
// on call who have just seen a reason in kubectl describe. Templates (templates/docs) have the text
// around a catalog's content.
package docs

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/plain"
)

// written writes a document without hidden characters.
func written(w io.Writer, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	_, err := io.WriteString(w, plain.Text(b.String()))
	return err
}

// page holds all documented events: by catalog and by reason.
type page struct {
	Catalogs []catalog
	Reasons  []reason
	Kinds    []string // sorted
	// Controllers holds the reporting controllers, sorted.
	Controllers []string
	Events      int
	// Deprecated is true if an entry is deprecated.
	Deprecated bool
}

// catalog holds the entries of one catalog, sorted by reason.
type catalog struct {
	// the controller, or the Go package if the program sets the controller at run time
	Name    string
	Package string
	Source  string
	Entries []*entry
	// Runbooks and Params are true if an entry has any.
	Runbooks, Params bool
}

// reason holds the entries of all catalogs that have one reason.
type reason struct {
	Name    string
	ID      string
	Entries []*entry
	// Command is a command that lists the events of the reason; empty if the reason would need
	// quotes.
	Command string
}

func newPage(set *model.Set) *page {
	p := &page{}
	ids := identifiers{}
	for _, pkg := range set.Packages {
		c := newCatalog(pkg, ids)
		p.Catalogs = append(p.Catalogs, c)
		p.Events += len(c.Entries)
	}
	p.group(ids)
	p.collectKinds()
	return p
}

func newCatalog(pkg *model.Package, ids identifiers) catalog {
	c := catalog{Name: cmp.Or(pkg.Controller, pkg.Name), Package: pkg.Name, Source: pkg.Source}
	for _, e := range pkg.Events {
		c.Entries = append(c.Entries, entries(pkg, e, ids)...)
	}
	resolveReplacements(c.Entries)
	slices.SortStableFunc(c.Entries, func(a, b *entry) int { return strings.Compare(a.Reason, b.Reason) })
	c.Params = slices.ContainsFunc(c.Entries, func(e *entry) bool { return len(e.Params)+len(e.Annotations)+len(e.Labels) > 0 || e.Related.Kind != "" })
	c.Runbooks = slices.ContainsFunc(c.Entries, func(e *entry) bool { return e.Runbook != "" })
	return c
}

// group puts the entries of all catalogs under their reasons.
func (p *page) group(ids identifiers) {
	at := map[string]int{}
	for _, c := range p.Catalogs {
		for _, e := range c.Entries {
			i, known := at[e.Reason]
			if !known {
				i = len(p.Reasons)
				at[e.Reason] = i
				p.Reasons = append(p.Reasons, reason{Name: e.Reason, ID: ids.unique(slug(e.Reason)), Command: command(e.Reason)})
			}
			p.Reasons[i].Entries = append(p.Reasons[i].Entries, e)
			p.Deprecated = p.Deprecated || e.Deprecated != nil
		}
	}
	slices.SortStableFunc(p.Reasons, func(a, b reason) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Name, b.Name))
	})
}

func (p *page) collectKinds() {
	for _, r := range p.Reasons {
		for _, e := range r.Entries {
			p.Kinds = append(p.Kinds, e.Kinds...)
			p.Controllers = append(p.Controllers, e.Controller)
		}
	}
	slices.Sort(p.Controllers)
	p.Controllers = slices.DeleteFunc(slices.Compact(p.Controllers), func(name string) bool { return name == "" })
	slices.Sort(p.Kinds)
	p.Kinds = slices.DeleteFunc(slices.Compact(p.Kinds), func(kind string) bool { return kind == anyKind })
}

// command returns the command that lists the events of a reason in a cluster.
func command(reason string) string {
	if slug(reason) != reason || strings.HasPrefix(reason, "-") {
		return ""
	}
	return "kubectl get events -A --field-selector reason=" + reason
}

// Controllers returns the reporting controllers of a set, sorted.
func Controllers(set *model.Set) []string { return newPage(set).Controllers }

// Keep removes events from a set. It keeps the events of the given controllers, and events whose
// controller the program sets at run time.
func Keep(set *model.Set, controllers []string) {
	for _, p := range set.Packages {
		p.Events = slices.DeleteFunc(p.Events, func(e *model.Event) bool {
			controller := e.ReportingController()
			return controller != "" && !slices.Contains(controllers, controller)
		})
	}
	set.Packages = slices.DeleteFunc(set.Packages, func(p *model.Package) bool { return len(p.Events) == 0 })
}
