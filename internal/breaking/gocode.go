package breaking

import (
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/model"
)

// packageNames reports what callers name at every call.
func (c *comparison) packageNames(p packagePair) {
	pos := p.now.Catalog.Go.Package.Pos
	if p.old.Name != p.now.Name {
		c.report(pos, "BG04", "package %s is now %s", p.old.Name, p.now.Name)
	} else if !c.elsewhere && p.old.Path != p.now.Path && p.old.Path != "" && p.now.Path != "" {
		c.report(pos, "BG04", "package %s is now imported as %s", p.old.Path, p.now.Path)
	}
	if p.old.Recorder != p.now.Recorder {
		c.report(pos, "BG04", "recorder %s.%s is now %s", p.old.Name, p.old.Recorder, p.now.Recorder)
	}
}

// reasons reports constants that are gone, but for those of deprecated events.
func (c *comparison) reasons(p packagePair) {
	kept := map[string]bool{}
	for _, r := range p.now.Reasons {
		kept[r.Name] = true
	}
	for _, e := range p.old.Events {
		for _, s := range definitionsOf(e) {
			if e.Deprecated == nil && s.ReasonConst != "" && !kept[s.ReasonConst] {
				kept[s.ReasonConst] = true
				c.report(p.now.Catalog.Go.Package.Pos, "BG01", "constant %s of event %s was removed; it was at %s", s.ReasonConst, e.Name,
					c.before(e.Source.Pos))
			}
		}
	}
}

// enums reports values that are gone from enums that are still there.
func (c *comparison) enums(p packagePair) {
	now := map[string]*model.Enum{}
	for _, e := range p.now.Enums {
		now[e.Type] = e
	}
	for _, e := range p.old.Enums {
		is := now[e.Type]
		if is == nil {
			continue // its param was removed or retyped
		}
		for _, v := range e.Values {
			if !slices.ContainsFunc(is.Values, func(other model.Constant) bool { return other.Name == v.Name }) {
				c.report(is.Pos, "BG02", "constant %s of enum %s was removed", v.Name, e.Type)
			}
		}
	}
}

// renamed reports methods under another name or in another package, unless the old ones were deprecated.
func (c *comparison) renamed(e eventPair) {
	if e.was.Deprecated != nil {
		return
	}
	if e.moved {
		c.report(e.is.Source.Pos, "BG01", "event %s moved from package %s to %s as %s", e.was.Name, e.old.Name, e.now.Name, e.is.Name)
		return
	}
	c.report(e.is.Source.Pos, "BG01", "event %s, at %s, was renamed to %s; what is on the wire has not changed by that", e.was.Name,
		c.before(e.was.Source.Pos), e.is.Name)
}

// methods reports methods that a shorter or other list of kinds does not make any more.
func (c *comparison) methods(e eventPair) {
	for _, m := range e.was.Methods {
		if methodNamed(e.is, m.Name) == nil {
			c.report(e.is.Source.Pos, "BG01", "method %s was removed; event %s has %s", m.Name, e.is.Name, methodNames(e.is))
		}
	}
}

func methodNamed(e *model.Event, name string) *model.Method {
	for _, m := range e.Methods {
		if m.Name == name {
			return m
		}
	}
	return nil
}

func methodNames(e *model.Event) string {
	var names []string
	for _, m := range e.Methods {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

// signature reports params that callers have to pass otherwise.
func (c *comparison) signature(e eventPair) {
	was, is := e.typesOf(e.was, e.old), e.typesOf(e.is, e.now)
	switch {
	case (e.was.ArgsType == "") != (e.is.ArgsType == "") && len(e.was.Params)+len(e.is.Params) > 0:
		c.report(e.is.Source.Pos, "BG02", "the params of %s were %s and are %s", e.is.Name, form(e.was), form(e.is))
	case e.was.ArgsType == "" && !slices.Equal(was, is):
		c.report(e.is.Source.Pos, "BG02", "the params of %s were (%s) and are (%s)", e.is.Name, list(e.was, was), list(e.is, is))
	case e.was.ArgsType != "":
		c.fields(e, was, is)
	}
}

func form(e *model.Event) string {
	if e.ArgsType == "" {
		return "positional"
	}
	return "fields of " + e.ArgsType
}

// fields reports fields that are gone or have another type; callers that name fields do not mind new ones.
func (c *comparison) fields(e eventPair, was, is []string) {
	for i, p := range e.was.Params {
		j := slices.IndexFunc(e.is.Params, func(other *model.Param) bool { return other.Field == p.Field })
		switch {
		case j < 0:
			c.report(e.is.Source.Pos, "BG02", "field %s of %s was removed", p.Field, e.is.ArgsType)
		case was[i] != is[j]:
			c.report(e.is.Params[j].Pos, "BG02", "field %s of %s was %s and is %s", p.Field, e.is.ArgsType, was[i], is[j])
		}
	}
}

// typesOf are the Go types of an event's params.
func (eventPair) typesOf(e *model.Event, p *model.Package) []string {
	var types []string
	for _, param := range e.Params {
		types = append(types, typeName(param.GoType, p))
	}
	return types
}

// typeName is a Go type as a caller writes it, with the path of its package; those of the generated package have none.
func typeName(t model.GoType, p *model.Package) string {
	name := t.Instance()
	if t.Path != "" && t.Path != p.Path {
		name = t.Path + "." + name
	}
	if t.Pointer {
		name = "*" + name
	}
	if t.Slice {
		name = "[]" + name
	}
	return name
}

func list(e *model.Event, types []string) string {
	var parts []string
	for i, p := range e.Params {
		parts = append(parts, p.Name+" "+types[i])
	}
	return strings.Join(parts, ", ")
}

// objects reports objects that callers have to pass otherwise.
func (c *comparison) objects(e eventPair) {
	for i, m := range e.was.Methods {
		is := methodNamed(e.is, m.Name)
		if is == nil && e.renamed() && i < len(e.is.Methods) {
			is = e.is.Methods[i]
		}
		if is == nil {
			continue
		}
		if was, now := objectOf(m, e.old), objectOf(is, e.now); was != now {
			c.report(e.is.Source.Pos, "BG03", "%s took %s and takes %s", is.Name, was, now)
		} else if m.KindFunc != nil {
			c.closedSet(e, m, is)
		}
	}
	if was, now := relatedOf(e.was, e.old), relatedOf(e.is, e.now); was != now {
		c.report(e.is.Source.Pos, "BG03", "the related object of %s was %s and is %s", e.is.Name, was, now)
	}
}

func objectOf(m *model.Method, p *model.Package) string {
	if m.Regarding == nil {
		return "an object of a set of kinds"
	}
	return typeName(m.Regarding.GoType, p)
}

func relatedOf(e *model.Event, p *model.Package) string {
	if e.Related == nil {
		return "none"
	}
	return typeName(e.Related.Object.GoType, p)
}

// closedSet reports kinds that are rejected at run time from now on.
func (c *comparison) closedSet(e eventPair, was, is *model.Method) {
	for _, o := range was.KindFunc.Objects {
		if !slices.ContainsFunc(is.KindFunc.Objects, func(other *model.Object) bool { return other.GoType == o.GoType }) {
			c.report(e.is.Source.Pos, "BG03", "%s no longer accepts %s", is.Name, typeName(o.GoType, e.old))
		}
	}
}
