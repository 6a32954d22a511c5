package breaking

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// side is the older or the newer part of a pair of packages or events.
type side struct {
	pkg        *model.Package
	event      *model.Event // nil for fields of the package
	definition *model.Definition
	param      *model.Param
}

// site is the current place of the walk through the model.
type site struct {
	c        *comparison
	old, now side
	prefix   string // of messages
	at       diag.Pos
}

// walk compares two structs field by field, by the rows of the table.
func (s site) walk(was, is reflect.Value) {
	switch w := was.Addr().Interface().(type) {
	case *model.Definition:
		s.old.definition, s.now.definition = w, is.Addr().Interface().(*model.Definition)
	case *model.Param:
		s.old.param, s.now.param = w, is.Addr().Interface().(*model.Param)
		s.prefix, s.at = "param "+s.now.param.Name+": ", s.now.param.Pos
	case *model.Constant:
		s.prefix += w.Name + ": "
	case *eventrt.AnnotationDefinition:
		s.prefix = "annotation " + w.Key + ": "
	case *model.Object:
		if to := is.Addr().Interface().(*model.Object); to.Alias == w.Alias && !reflect.DeepEqual(withoutPos(*w), withoutPos(*to)) {
			s.at = to.Pos
		}
	}
	for i := range was.NumField() {
		if r, known := table[keyOf(was.Type(), was.Type().Field(i).Name)]; known {
			s.field(r, was.Field(i), is.Field(i))
		}
	}
}

func withoutPos(o model.Object) model.Object {
	o.Pos = diag.Pos{}
	return o
}

// field compares a field.
func (s site) field(r row, was, is reflect.Value) {
	switch {
	case r.pairs != nil:
		for _, p := range r.pairs(&s, was, is) {
			s.entry(r, p)
		}
	case r.parts && (was.IsNil() || is.IsNil()):
		if was.IsNil() != is.IsNil() && r.rule != "" {
			s.report(r, s.old.show(was), s.now.show(is))
		}
	case r.parts:
		s.walk(was.Elem(), is.Elem())
	case r.rule == "":
		s.walk(was, is)
	default:
		show := r.show
		if show == nil {
			show = (*side).show
		}
		if before, after := show(&s.old, was), show(&s.now, is); before != after && (r.unless == nil || !r.unless(&s, was, is)) {
			s.report(r, before, after)
		}
	}
}

// entry compares an entry of a list with its newer version.
func (s site) entry(r row, p pairing) {
	switch {
	case !p.was.IsValid():
		if r.name == table["Event.Also"].name {
			s.report(r, nothing, s.now.show(p.is))
		}
	case !p.is.IsValid():
		show := r.show
		if show == nil {
			show = (*side).show
		}
		s.report(r, show(&s.old, p.was), nothing)
		switch was := p.was.Interface().(type) {
		case *model.Object:
			// a call with an object of this kind is rejected
			if s.old.event.Regarding.AnyOf && s.now.event.Regarding.AnyOf {
				s.report(row{rule: "BG03", name: r.name, key: r.key}, s.old.show(p.was), nothing)
			}
		case *model.Also:
			s.report(row{rule: "BW03", name: "kind of the further object", key: "alsoOn"}, s.old.show(p.was), nothing)
		case model.Constant:
			if !slices.ContainsFunc(s.now.param.Enum.Values, func(c model.Constant) bool { return c.Value == was.Value }) {
				s.report(row{rule: "BW06", name: r.name}, s.old.show(p.was), nothing)
			}
		}
	case r.show != nil:
		if before, after := r.show(&s.old, p.was), r.show(&s.now, p.is); before != after {
			s.report(r, before, after)
		}
	default:
		s.walk(reflect.Indirect(p.was), reflect.Indirect(p.is))
	}
}

// report adds a finding about a change.
func (s *site) report(r row, before, after string) {
	if before == nothing && r.gained != "" {
		r.rule = r.gained
	}
	b := broken{
		rule: r.rule, pos: cmp.Or(s.position(r.key), s.at), what: fmt.Sprintf("%s%s %s is now %s", s.prefix, r.name, before, after), before: before, after: after,
	}
	if after == nothing {
		b.what = fmt.Sprintf("%s%s %s was removed", s.prefix, r.name, before)
	}
	if r.key == "reason" {
		b.cause = "reason"
	}
	if r.with != nil {
		b.what += r.with(s)
	}
	if s.now.event == nil {
		b.at = s.old.pkg.Catalog.Go.Package.Pos
		s.c.add(b)
		return
	}
	b.event, b.formerly, b.at = s.now.event.Name, s.old.event.Name, s.old.event.Source.Pos
	if b.rule[:2] == "BW" {
		b.was, b.is = matched(s.old), matched(s.now)
		part := after == nothing && (b.rule == "BW02" || b.rule == "BW03")
		if lost := without(b.was, b.is); part && len(lost) > 0 {
			b.was, b.is = lost, without(b.is, b.was)
		}
	}
	s.c.add(b)
}

// matched returns the definitions of a side that alerts match, about each object.
func matched(s side) []*model.Definition {
	if s.definition != nil {
		return []*model.Definition{s.definition}
	}
	return s.event.Definitions()
}

// without returns the definitions that alerts on others do not match.
func without(list, others []*model.Definition) []*model.Definition {
	return slices.DeleteFunc(slices.Clone(list), func(d *model.Definition) bool {
		return slices.ContainsFunc(others, func(o *model.Definition) bool { return alertOn(o) == alertOn(d) })
	})
}

// position returns the position of the first of some keys (a|b) that the newer catalog has for the
// event or definition at the site. It is zero if the catalog has none.
func (s *site) position(keys string) diag.Pos {
	c := s.now.pkg.Catalog
	if s.now.event == nil {
		return catalog.PosOf(&c.Go, keys)
	}
	e := s.now.event.Source
	switch {
	case keys == "type" && s.now.param != nil: // an enum is declared once, for all events with it
		if constants(s) == "" {
			return diag.Pos{}
		}
		return s.now.param.Enum.Pos
	case keys == "regarding" && s.at != e.Pos: // a changed declaration of an object
		return diag.Pos{}
	case keys == "params" && s.old.pkg.ArgsStruct != s.now.pkg.ArgsStruct && len(s.old.event.Params) > 0 && len(s.now.event.Params) > 0:
		return c.Go.Args.Pos
	case keys == "key" && c.Policy(e).KeyPos.Line == 0: // a key of all params changes with them
		return e.ParamsPos
	case keys == "limit" && s.now.definition.Runtime.Correlation.Limit != nil:
		for _, l := range s.now.pkg.Limits {
			if l.Runtime.Name == s.now.definition.Runtime.Correlation.Limit.Name {
				return l.Pos
			}
		}
	}
	for key := range strings.SplitSeq(keys, "|") {
		if key == "key" || key == "limit" {
			key = "correlation"
		}
		for _, part := range []any{s.identity(), e, &c.Defaults} {
			if at := catalog.PosOf(part, key); at.Line > 0 {
				return at
			}
		}
	}
	return diag.Pos{}
}

// identity returns the identity of the newer definition as the catalog writes it, with the
// positions of its keys.
func (s *site) identity() *catalog.Identity {
	ids := s.now.pkg.Catalog.Identities(s.now.event.Source)
	for _, w := range s.now.event.Wires() {
		if i := slices.Index(w.Definitions, s.now.definition); i >= 0 && i < len(ids) {
			return &ids[i]
		}
	}
	return &catalog.Identity{}
}
