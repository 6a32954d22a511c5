package model

import (
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
)

// enum gives a param of type enum its generated Go type: goName, the name in spec.params, or <Event><Param>. It reports
// whether there is one.
func (b *builder) enum(e *Event, p *Param, fromVocabulary bool) bool {
	name := eventEnumType(e.Name, p.Name)
	switch {
	case p.literal.GoName.Set():
		name = p.literal.GoName.Value
	case fromVocabulary:
		name = vocabularyEnumType(p.Name)
	}
	if !exported(name) {
		pos := p.Pos
		if p.literal.GoName.Set() {
			pos = p.literal.GoName.Pos
		}
		b.fs.Errorf(pos, "EV105", "the enum needs an exported Go name, and %q is none; give goName", name)
		return false
	}
	values := b.enumValues(e, p)
	if len(values) == 0 {
		b.missing(p.Pos, "EV001", "enum %s has no values; give values: [A, B], or select it and give variants", p.Name)
		return false
	}
	p.GoType = GoType{Path: b.pkg.Path, Name: name}
	p.Enum = b.declareEnum(name, p, values)
	for _, v := range p.Enum.Values {
		p.MaxBytes = max(p.MaxBytes, len(v.Value))
	}
	return true
}

// enumValues are the values that the param lists, or the variants that it selects.
func (b *builder) enumValues(e *Event, p *Param) []catalog.Scalar {
	if len(p.literal.Values) > 0 || e.Source.Select.Value != p.Name {
		return p.literal.Values
	}
	values := make([]catalog.Scalar, len(e.Source.Variants))
	for i := range e.Source.Variants {
		values[i] = e.Source.Variants[i].Name
	}
	return values
}

func (b *builder) declareEnum(name string, p *Param, values []catalog.Scalar) *Enum {
	if known := b.enums[name]; known != nil {
		b.sameValues(known, p, values)
		return known
	}
	enum := &Enum{Type: name, Pos: p.Pos, Param: p.Name}
	b.enums[name] = enum
	b.scope.declare(b.fs, name, "enum "+p.Name, p.Pos)
	for _, v := range values {
		b.enumValue(enum, v)
	}
	b.pkg.Enums = append(b.pkg.Enums, enum)
	return enum
}

func (b *builder) enumValue(enum *Enum, v catalog.Scalar) {
	name := enumConst(enum.Type, v.Value)
	switch {
	case slices.ContainsFunc(enum.Values, func(c Constant) bool { return c.Value == v.Value }):
		b.fs.Errorf(v.Pos, "EV105", "value %q is listed twice", v.Value)
		return
	case name == enum.Type:
		b.fs.Errorf(v.Pos, "EV105", "value %q has no letter or digit to make a Go name of", v.Value)
		return
	}
	if b.scope.declare(b.fs, name, "value "+v.Value+" of enum "+enum.Type, v.Pos) {
		enum.Values = append(enum.Values, Constant{Name: name, Value: v.Value})
	}
}

func (b *builder) sameValues(known *Enum, p *Param, values []catalog.Scalar) {
	same := slices.EqualFunc(known.Values, values, func(c Constant, s catalog.Scalar) bool { return c.Value == s.Value })
	if !same {
		b.fs.Errorf(valuesPos(p, values), "EV105", "enum %s has other values at %s; give it another goName, or both the same values",
			known.Type, known.Pos)
	}
}

func valuesPos(p *Param, values []catalog.Scalar) diag.Pos {
	if len(values) > 0 && values[0].Pos.Line > 0 {
		return values[0].Pos
	}
	return p.Pos
}
