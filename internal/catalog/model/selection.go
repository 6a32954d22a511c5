package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// selection finds the param that picks among the variants, if the event has any. The reader has
// checked that select, variants and other go together. It reports whether the event can be
// generated.
func (s *eventStep) selection() bool {
	src := s.e.Source
	if !src.Select.Set() {
		return true
	}
	i, ok := s.paramNamed(src.Select, "select")
	if !ok {
		return false
	}
	p := s.e.Params[i]
	if s.e.Select = p; p.Definition.Sensitive || p.Convert != "String" && p.Enum == nil {
		s.Errorf(src.Select.Pos, diag.Syntax, "select needs an enum, or a param of a string type that is not sensitive; %s is %s", p.Name, p.Type)
		return false
	}
	if s.variants(p) { // a variant with another name may be the one that is missing
		s.other(p)
	}
	return true
}

// variants reports variants whose names are no values of the selected param. It returns true if
// there is none.
func (s *eventStep) variants(p *Param) bool {
	known, ok := p.Values(), true
	for _, v := range s.e.Source.Variants {
		if len(known) > 0 && !slices.Contains(known, v.Name.Value) {
			s.Errorf(v.Name.Pos, diag.UnknownType, "%s has no value %q%s", p.Name, v.Name.Value, spell.Suggest(v.Name.Value, known))
			ok = false
		}
	}
	return ok
}

// other checks the key other, which is for values without a variant. An enum has only the listed
// values.
func (s *eventStep) other(p *Param) {
	rest, other := s.e.Others(), s.e.Source.Other
	switch {
	case s.e.Source.Incomplete:
	case other == nil && p.Enum == nil:
		s.Errorf(s.e.Source.Select.Pos, diag.Syntax, `%s is a %s, so an event that selects it needs the key "other", the variant for all other values`,
			p.Name, p.Type)
	case other == nil && len(rest) > 0:
		s.Errorf(s.e.Source.Select.Pos, diag.Syntax, `these values of enum %s have no variant: %s; give them variants, or give the key "other"`,
			p.Name, strings.Join(rest, ", "))
	case other != nil && p.Enum != nil && len(rest) == 0:
		s.Errorf(other.Pos, diag.Syntax, `"other" is for values without a variant, but every value of enum %s has one; remove it, or list further values: %s`,
			p.Name, p.listing("Other"))
	}
}

// listing returns an enum with one more value, as a catalog declares it.
func (p *Param) listing(more string) string {
	return fmt.Sprintf("{name: %s, type: enum, values: [%s]}", p.Name, strings.Join(append(p.Values(), more), ", "))
}

// Others returns the values of a selected enum that have no variant; nil for a string, which can
// have any value.
func (e *Event) Others() []string {
	if e.Select == nil || e.Select.Enum == nil {
		return nil
	}
	return slices.DeleteFunc(e.Select.Values(), func(value string) bool {
		return slices.ContainsFunc(e.Source.Variants, func(v catalog.Variant) bool { return v.Name.Value == value })
	})
}

// Values returns the known values of a param: those of its enum, else those that the catalog lists
// and the constants of its type.
func (p *Param) Values() []string {
	if p.Enum != nil {
		return each(p.Enum.Values, func(c Constant) string { return c.Value })
	}
	names := each(p.literal.Values, func(v catalog.Scalar) string { return v.Value })
	for _, value := range p.constants {
		if !slices.Contains(names, value) {
			names = append(names, value)
		}
	}
	return names
}

// identity is a wire identity, and the variant that it belongs to.
type identity struct {
	catalog.Identity
	variant  *Constant
	doc      catalog.Doc // the variant's own
	template []eventrt.Segment
}

// identities returns the wire identities of an event: one, or one for each variant and, last, one
// for other.
func (s *eventStep) identities() []identity {
	var out []identity
	for i, id := range s.cat.Identities(s.e.Source) {
		own := identity{Identity: id, template: s.template(id.Message)}
		switch variants := s.e.Source.Variants; {
		case s.e.Select == nil:
		case i < len(variants):
			own.variant, own.doc = s.e.Select.constant(variants[i].Name.Value), variants[i].Doc
		default:
			own.doc = s.e.Source.Other.Doc
		}
		out = append(out, own)
	}
	return out
}

// constant returns the Go constant of a value. Its name is empty if the type is not generated.
func (p *Param) constant(value string) *Constant {
	if p.Enum != nil {
		if i := slices.IndexFunc(p.Enum.Values, func(c Constant) bool { return c.Value == value }); i >= 0 {
			return &p.Enum.Values[i]
		}
	}
	return &Constant{Value: value}
}
