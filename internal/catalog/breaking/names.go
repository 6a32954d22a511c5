package breaking

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
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
	if p.old.Recorder != p.now.Recorder {
		report(cmp.Or(g.Recorder.Pos, g.Package.Pos), "recorder", p.old.Name+"."+p.old.Recorder, p.now.Name+"."+p.now.Recorder)
	}
}

// find returns the first element of a list with a property; nil if there is none.
func find[T any](list []*T, has func(*T) bool) *T {
	if i := slices.IndexFunc(list, has); i >= 0 {
		return list[i]
	}
	return nil
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

// renamed reports methods under another name or in another package.
func (c *comparison) renamed(e eventPair) {
	what := "its name was " + e.was.Name
	if e.moved {
		what = fmt.Sprintf("it was %s of package %s, and is in package %s", e.was.Name, e.old.Name, e.now.Name)
	}
	c.add(e.breaks("BG01", namePos(e.is), what).by(renaming, methodNames(e.was), methodNames(e.is)))
}

// renaming is the cause of all breaks by a new name.
const renaming = "renamed"

// breaks returns a break of an event.
func (e eventPair) breaks(rule string, pos diag.Pos, what string) broken {
	return broken{rule: rule, pos: pos, event: e.is.Name, formerly: e.was.Name, what: what, at: e.was.Source.Pos}
}

// by sets the cause of a break, and the changed value before and now.
func (b broken) by(cause, before, after string) broken {
	b.cause, b.before, b.after = cause, before, after
	return b
}

// found sets the definitions that alerts found before, and find now.
func (b broken) found(was, is []*model.Definition) broken {
	b.was, b.is = was, is
	return b
}

// foundAll is found for all definitions of an event.
func (e eventPair) foundAll(b broken) broken {
	return b.found(definitionsOf(e.was), definitionsOf(e.is))
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

// methods reports methods that are gone because the list of kinds changed.
func (c *comparison) methods(e eventPair) {
	for _, m := range e.was.Methods {
		if methodNamed(e.is, m.Name) == nil {
			what := fmt.Sprintf("method %s was removed; there is %s", m.Name, methodNames(e.is))
			c.add(e.breaks("BG01", e.aboutPos(), what).by("regarding", m.Name, methodNames(e.is)))
		}
	}
}

func methodNamed(e *model.Event, name string) *model.Method {
	return find(e.Methods, func(m *model.Method) bool { return m.Name == name })
}

func methodNames(e *model.Event) string {
	return joined(e.Methods, func(m *model.Method) string { return m.Name })
}

// joined returns the texts of the elements of a list, with commas between them.
func joined[T any](list []T, text func(T) string) string {
	var texts []string
	for _, element := range list {
		texts = append(texts, text(element))
	}
	return strings.Join(texts, ", ")
}

// enums reports constants that are gone from the enums of an event, and enums that have another name.
func (c *comparison) enums(e eventPair) {
	for _, was := range e.was.Params {
		if was.Enum == nil {
			continue
		}
		is := enumNamed(e.now, was.Enum.Type)
		if is == nil || e.is.Params == nil {
			continue // its param was removed or retyped, or the enum has another name
		}
		for _, v := range was.Enum.Values {
			if !slices.ContainsFunc(is.Values, func(other model.Constant) bool { return other.Name == v.Name }) {
				what := fmt.Sprintf("constant %s of enum %s was removed", v.Name, is.Type)
				c.add(e.breaks("BG02", is.Pos, what).by(valueCause(was.Enum, v.Value), v.Name, ""))
			}
		}
	}
}

func valueCause(e *model.Enum, value string) string { return "value " + e.Type + " " + value }

func enumNamed(p *model.Package, name string) *model.Enum {
	return find(p.Enums, func(e *model.Enum) bool { return e.Type == name })
}

// constants reports the constant of a reason that no event of the package has now.
func (e eventPair) constants(was *model.Definition, pos diag.Pos, cause string) []broken {
	if was.ReasonConst == "" || e.moved || slices.ContainsFunc(e.now.Reasons, func(r model.Constant) bool { return r.Name == was.ReasonConst }) {
		return nil
	}
	return []broken{e.breaks("BG01", pos, fmt.Sprintf("constant %s was removed", was.ReasonConst)).by(cause, was.ReasonConst, "")}
}

// aboutPos returns the position of the event's object on the newer side.
func (e eventPair) aboutPos() diag.Pos {
	if e.is.Source.Regarding != nil {
		return cmp.Or(e.is.Source.Regarding.Pos, e.is.Source.Pos)
	}
	was, is := e.old.Catalog.Defaults.Regarding, e.now.Catalog.Defaults.Regarding
	if is == nil || e.was.Source.Regarding != nil || was != nil && sameRegarding(was, is) {
		return e.is.Source.Pos
	}
	return is.Pos
}

func sameRegarding(a, b *catalog.Regarding) bool {
	return a.AnyOf == b.AnyOf && a.Container.Value == b.Container.Value &&
		slices.EqualFunc(a.Objects, b.Objects, sameValue)
}
