package breaking

import (
	"cmp"
	"fmt"
	"path"
	"reflect"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// packageNames compares the names that callers use in every call.
func (c *comparison) packageNames(p packagePair) {
	report := func(pos diag.Pos, what, was, is string) {
		c.add(broken{
			rule: "BG04", pos: pos, what: fmt.Sprintf("%s %s is now %s", what, was, is), at: p.old.Catalog.Go.Package.Pos,
			before: was, after: is,
		})
	}
	g := p.now.Catalog.Go
	if p.old.Name != p.now.Name {
		report(g.Package.Pos, "package", p.old.Name, p.now.Name)
	} else if was, is := c.importPaths(p); was != is {
		report(cmp.Or(g.Output.Pos, g.Package.Pos), "the import path", was, is)
	}
	site{c: c, old: side{pkg: p.old}, now: side{pkg: p.now}, at: g.Package.Pos}.walk(reflect.ValueOf(p.old).Elem(), reflect.ValueOf(p.now).Elem())
}

// importPaths returns a package's import path before and now, if both are known. For files elsewhere it returns the output's folders, relative
// to the catalog.
func (c *comparison) importPaths(p packagePair) (was, is string) {
	if !c.elsewhere {
		if p.old.Path == "" || p.now.Path == "" {
			return "", ""
		}
		return p.old.Path, p.now.Path
	}
	was, is = folderOf(p.old), folderOf(p.now)
	if was == "" && (is == "." || is == p.now.Name) || is == "" && (was == "." || was == p.old.Name) {
		return "", "" // the default, which depends on what the folder holds
	}
	return cmp.Or(was, p.old.Name), cmp.Or(is, p.now.Name)
}

// folderOf returns the catalog's folder for the output; empty if it sets none.
func folderOf(p *model.Package) string {
	if !p.Catalog.Go.Output.Set() {
		return ""
	}
	return path.Dir(path.Clean(p.Catalog.Go.Output.Value))
}

// renamed reports methods under another name or in another package. Other changes are reported beside it.
func (c *comparison) renamed(e eventPair) {
	what := "its name was " + e.was.Name
	if e.moved {
		what = fmt.Sprintf("it was %s of package %s, and is in package %s", e.was.Name, e.old.Name, e.now.Name)
	}
	c.add(broken{
		rule: "BG01", pos: namePos(e.is), event: e.is.Name, formerly: e.was.Name, what: what, at: e.was.Source.Pos,
		before: methodNames(e.was), after: methodNames(e.is),
	})
}

func namePos(e *model.Event) diag.Pos {
	return cmp.Or(e.Source.Name.Pos, e.Source.Reason.Pos, e.Source.Pos)
}

// removed reports an event that was removed without having been deprecated.
func (c *comparison) removed(r removal) {
	if r.event.Deprecated != nil {
		return
	}
	b := broken{
		rule: "BG01", pos: r.position(), cause: "removed " + r.event.Name, event: r.event.Name, formerly: r.event.Name,
		what: fmt.Sprintf("it was removed without having been deprecated; it was at %s", c.before(r.event.Source.Pos)),
		at:   r.event.Source.Pos, before: methodNames(r.event),
	}
	if r.now == nil {
		b.cause = "removed package"
		b.what = fmt.Sprintf("package %s was removed, and they had not been deprecated", r.old.Name)
	}
	c.add(b)
	b.rule, b.before, b.was = "BW02", "", nil
	for _, s := range definitionsOf(r.event) {
		if !c.hasIdentity(s) {
			b.was = append(b.was, s)
		}
	}
	if len(b.was) > 0 {
		c.add(b)
	}
}

// hasIdentity reports whether the newer side has a definition that the same alerts match.
func (c *comparison) hasIdentity(d *model.Definition) bool {
	matchers := func(d *model.Definition) string { return fieldSelector(d) + "\x00" + d.Runtime.Action }
	if c.matched == nil {
		c.matched = map[string]bool{}
		for _, p := range c.now.Packages {
			for _, e := range p.Events {
				for _, d := range e.Definitions() {
					c.matched[matchers(d)] = true
				}
			}
		}
	}
	return c.matched[matchers(d)]
}

func methodNames(e *model.Event) string {
	return joined(e.Methods, func(m *model.Method) string { return m.Name })
}
