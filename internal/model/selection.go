package model

import (
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/spell"
	"github.com/event-gen/event-gen/internal/diag"
)

// selection finds the param that picks among the variants, if the event has any. The reader has checked that select, variants and
// other go together. It reports whether the event can be generated.
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
	if s.e.Select = p; p.Definition.Sensitive || p.Convert != "String" {
		s.Errorf(src.Select.Pos, diag.Syntax, "select needs an enum, or a param of a string type that is not sensitive; %s is %s", p.Name, p.Type)
		return false
	}
	known := p.Values()
	for i := range src.Variants {
		name := src.Variants[i].Name
		if len(known) > 0 && !slices.Contains(known, name.Value) {
			s.Errorf(name.Pos, diag.UnknownType, "%s has no value %q%s", p.Name, name.Value, spell.Suggest(name.Value, known))
		}
	}
	return true
}

// Values are the known values of a param: the values of its enum, or else the values that the catalog lists and the constants of its
// type. They are empty if none are known.
func (p *Param) Values() []string {
	var names []string
	if p.Enum != nil {
		for _, c := range p.Enum.Values {
			names = append(names, c.Value)
		}
		return names
	}
	for _, v := range p.literal.Values {
		names = append(names, v.Value)
	}
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
	variant *Constant
	doc     catalog.Doc // the variant's own
}

// identities are the wire identities of an event: one, or one for each variant and, last, other.
func (s *eventStep) identities() []identity {
	var out []identity
	for i, id := range s.cat.Identities(s.e.Source) {
		own := identity{Identity: id}
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

// constant is the Go constant of a value; its name is empty if the type is not generated.
func (p *Param) constant(value string) *Constant {
	if p.Enum != nil {
		for i := range p.Enum.Values {
			if p.Enum.Values[i].Value == value {
				return &p.Enum.Values[i]
			}
		}
	}
	return &Constant{Value: value}
}
