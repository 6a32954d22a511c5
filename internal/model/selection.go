package model

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
)

// selection checks select, variants and other, which go together. It reports whether the event can be generated.
func (b *builder) selection(e *Event) bool {
	src := e.Source
	if !src.Select.Set() {
		return b.nothingSelected(e)
	}
	if len(src.Variants) == 0 || src.Other == nil { // mutate: the reader has rejected it already
		if !b.incomplete(e) {
			b.fs.Errorf(src.Select.Pos, "EV001", "select needs variants, and other for all remaining values")
		}
		return false
	}
	i, ok := b.paramNamed(e, src.Select, "select")
	if !ok {
		return false
	}
	e.Select = e.Params[i]
	if e.Select.Definition.Sensitive || !e.Select.text || e.Select.Convert != "String" {
		b.fs.Errorf(src.Select.Pos, "EV001", "select needs an enum, or a param of a string type that is not sensitive; %s is %s", e.Select.Name, e.Select.Type)
		return false
	}
	b.distinctVariants(e)
	return true
}

func (b *builder) nothingSelected(e *Event) bool {
	src := e.Source
	var pos diag.Pos
	switch {
	case len(src.Variants) > 0:
		pos = src.Variants[0].Pos
	case src.Other != nil:
		pos = src.Other.Pos
	default:
		return true
	}
	if !b.incomplete(e) {
		b.fs.Errorf(pos, "EV001", "variants and other have no effect without select: the enum param that picks among them")
	}
	return false
}

// distinctVariants reports variants that stand twice, or that the param never has.
func (b *builder) distinctVariants(e *Event) {
	seen := map[string]diag.Pos{}
	known := e.Select.Values()
	for i := range e.Source.Variants {
		name := e.Source.Variants[i].Name
		if first, twice := seen[name.Value]; twice {
			b.fs.Errorf(name.Pos, "EV001", "variant %s is given twice; first at %s", name.Value, first)
		}
		seen[name.Value] = name.Pos
		if len(known) > 0 && !contains(known, name.Value) {
			b.fs.Errorf(name.Pos, "EV108", "%s has no value %q%s", e.Select.Name, name.Value, didYouMean(name.Value, known))
		}
	}
}

// Values are the values that a param is known to have: those of its enum; else those that the catalog lists, and the
// constants of its type. They are empty if nothing says.
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
		if !contains(names, value) {
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
func (b *builder) identities(e *Event) []identity {
	var out []identity
	for i, id := range b.cat.Identities(e.Source) {
		own := identity{Identity: id}
		switch variants := e.Source.Variants; {
		case e.Select == nil:
		case i < len(variants):
			own.variant, own.doc = e.Select.constant(variants[i].Name.Value), variants[i].Doc
		default:
			own.doc = e.Source.Other.Doc
		}
		out = append(out, own)
	}
	return out
}

// constant is the Go constant of a value; its name is empty where the type is not generated.
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
