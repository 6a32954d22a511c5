package breaking

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// link is an event pair with its arguments paired.
type link struct {
	eventPair
	// to has the new index of each older param; -1: the param is gone.
	to []int
	// same: every call of the older event is also a call of the newer one.
	same bool
}

// link pairs the arguments, and reports params that callers must pass differently.
func (c *comparison) link(e eventPair) link {
	l := link{eventPair: e, to: make([]int, len(e.was.Params))}
	report := func(b broken) {
		if !e.renamed() { // else callers have to look at every call anyway
			c.add(b)
		}
	}
	switch {
	case e.was.ArgsType != "" && e.is.ArgsType != "":
		l.fields(report)
	case e.was.ArgsType != "" || e.is.ArgsType != "":
		l.byName()
		was, is := form(e.was), form(e.is)
		b := e.breaks("BG02", cmp.Or(e.now.Catalog.Go.Args.Pos, e.is.Source.Pos), fmt.Sprintf("the params were %s and are %s", was, is)).by("form", was, is)
		if len(e.was.Params) == 0 || len(e.is.Params) == 0 {
			b.pos = cmp.Or(e.is.Source.ParamsPos, e.is.Source.Pos)
		}
		report(b)
	default:
		c.positions(&l, report)
	}
	return l
}

func form(e *model.Event) string {
	switch {
	case len(e.Params) == 0:
		return "none"
	case e.ArgsType == "":
		return "positional"
	}
	return "fields of a struct"
}

// fields links params by field. A new field is no break.
func (l *link) fields(report func(broken)) {
	l.same = true
	for i, p := range l.was.Params {
		l.to[i] = slices.IndexFunc(l.is.Params, func(other *model.Param) bool { return other.Field == p.Field })
		if l.to[i] < 0 {
			l.same = false
			b := l.breaks("BG02", cmp.Or(l.is.Source.ParamsPos, l.is.Source.Pos), fmt.Sprintf("field %s of %s was removed", p.Field, l.is.ArgsType))
			report(b.by("", p.Field, ""))
		} else {
			l.typed(i, report)
		}
	}
	if comparable(l.was) && !comparable(l.is) {
		i := slices.IndexFunc(l.is.Params, func(p *model.Param) bool { return p.GoType.Slice })
		report(l.breaks("BG02", l.is.Params[i].Pos, fmt.Sprintf("values of %s can't be compared any more, because of field %s",
			l.is.ArgsType, l.is.Params[i].Field)))
	}
}

func comparable(e *model.Event) bool {
	return !slices.ContainsFunc(e.Params, func(p *model.Param) bool { return p.GoType.Slice })
}

// typed compares the Go types of a param.
func (l *link) typed(i int, report func(broken)) {
	p, q := l.was.Params[i], l.is.Params[l.to[i]]
	was, is := typeName(p.GoType, l.old), typeName(q.GoType, l.now)
	if was == is {
		return
	}
	l.same = false
	b := l.breaks("BG02", q.Pos, fmt.Sprintf("param %s was of type %s and is of %s", q.Name, was, is)).by("", was, is)
	if p.Enum != nil && q.Enum != nil {
		b.pos = cmp.Or(q.Declaration().GoName.Pos, q.Declaration().Type.Pos)
		b.what = fmt.Sprintf("enum %s is now %s", was, is)
		b.cause = "enum " + was
	} else if typed := q.Declaration().Type.Pos; typed.Line > 0 {
		b.pos = typed
	}
	report(b)
}

// positions links params by position.
func (c *comparison) positions(l *link, report func(broken)) {
	if len(l.was.Params) != len(l.is.Params) {
		l.byName()
		report(l.moved("the params were (%s) and are (%s)"))
		return
	}
	for i := range l.to {
		l.to[i] = i
	}
	l.same = true
	var retyped []broken
	for i := range l.to {
		l.typed(i, func(b broken) { retyped = append(retyped, b) })
	}
	switch {
	case l.same:
		c.meanings(l, report)
	case l.reordered():
		l.byName()
		report(l.moved("the params were (%s) and are (%s)"))
	default:
		for _, b := range retyped {
			report(b)
		}
	}
}

// meanings distinguishes params that changed places from renamed ones, by the events that the same calls store.
func (c *comparison) meanings(l *link, report func(broken)) {
	named := link{eventPair: l.eventPair, to: slices.Clone(l.to), same: true}
	if !l.reordered() || !named.places() {
		return
	}
	if len(c.stored(named)) < len(c.stored(*l)) {
		report(l.moved("params changed places: callers that compile give (%s) for (%s)"))
		*l = named
	}
}

func (l *link) moved(format string) broken {
	was, is := list(l.was, l.old), list(l.is, l.now)
	return l.breaks("BG02", cmp.Or(l.is.Source.ParamsPos, l.is.Source.Pos), fmt.Sprintf(format, was, is)).by("", was, is)
}

// reordered reports whether a param has the name of one from another position.
func (l *link) reordered() bool {
	for i, p := range l.was.Params {
		if j := paramNamed(l.is, p.Name); j >= 0 && j != i {
			return true
		}
	}
	return false
}

// places links params by name, and the others in order. It reports whether all types fit.
func (l *link) places() bool {
	taken := map[int]bool{}
	for i, p := range l.was.Params {
		if l.to[i] = paramNamed(l.is, p.Name); l.to[i] >= 0 {
			taken[l.to[i]] = true
		}
	}
	next := 0
	for i := range l.to {
		if l.to[i] >= 0 {
			continue
		}
		for taken[next] {
			next++
		}
		l.to[i] = next
		taken[next] = true
	}
	for i, j := range l.to {
		if typeName(l.was.Params[i].GoType, l.old) != typeName(l.is.Params[j].GoType, l.now) {
			return false
		}
	}
	return true
}

func (l *link) byName() {
	l.same = false
	for i, p := range l.was.Params {
		l.to[i] = paramNamed(l.is, p.Name)
	}
}

func paramNamed(e *model.Event, name string) int {
	return slices.IndexFunc(e.Params, func(p *model.Param) bool { return p.Name == name })
}

// typeName returns a Go type with the path of its package. Types of the generated package have no path.
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

func list(e *model.Event, p *model.Package) string {
	return joined(e.Params, func(param *model.Param) string { return param.Name + " " + typeName(param.GoType, p) })
}
