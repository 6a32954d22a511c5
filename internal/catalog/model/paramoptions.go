package model

import (
	"cmp"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
	eventrt "github.com/event-gen/event-gen/runtime"
)

const (
	maxPrecision     = 64
	defaultSeparator = ", "
)

// checkOptions reports keys that have no effect on the param's type.
func checkOptions(findings *diag.Findings, p *catalog.Param, t paramType) {
	hint := cmp.Or(strings.ReplaceAll(t.options, " ", ", "), "no options of its own")
	for _, k := range optionKeys(p) {
		if k.pos.Line > 0 && !t.has(k.key) {
			findings.Errorf(k.pos, diag.Syntax, "%s has no effect on a param of type %s; it has %s", k.key, p.Type.Value, hint)
		}
	}
	if p.Optional.True() && t.alwaysShown {
		findings.Errorf(p.Optional.Pos, diag.Syntax, "optional has no effect on a param of type %s: its text does not show which value is empty",
			p.Type.Value)
	}
	if p.Prefix.Set() && !p.Optional.True() {
		findings.Errorf(p.Prefix.Pos, diag.Syntax, "a prefix belongs to an optional param; %s is always shown, so write the text into the message", p.Name.Value)
	}
}

// options applies the keys of a param. checkOptions has reported the keys that have no effect.
func (p *Param) options(findings *diag.Findings) {
	src := &p.literal
	p.Definition = eventrt.Param{
		Name:      p.Name,
		Optional:  src.Optional.True(),
		Prefix:    src.Prefix.Value,
		Sensitive: src.Sensitive.True(),
		Quote:     src.Quote.True(),
		Round:     readDuration(findings, src.Round, diag.Syntax, "round"),
	}
	p.layout(findings)
	p.unit(findings)
	if src.Precision.Set() {
		digits := readInt(findings, src.Precision, diag.Syntax, "precision", 0, maxPrecision, 0)
		p.Definition.Precision, p.MaxBytes = digits+1, maxFloatWhole+digits
	}
	p.bound(findings)
	if p.Convert == "Strings" {
		separator := catalog.First(src.Separator, catalog.Scalar{Value: defaultSeparator}).Value
		p.Extra = &separator
	}
	if p.Definition.Sensitive {
		p.MaxBytes = maxRedacted
	}
}

func (p *Param) layout(findings *diag.Findings) {
	s := p.literal.Layout
	layout, ok := layouts[s.Value]
	if ok {
		p.Layout, p.Definition.Layout, p.MaxBytes = s.Value, layout, layoutBytes(layout)
	} else if s.Set() {
		findings.Errorf(s.Pos, diag.Syntax, "layout: expected the name of a layout constant of package time, found %q%s", s.Value, spell.Suggest(s.Value, sortedKeys(layouts)))
	}
}

func (p *Param) unit(findings *diag.Findings) {
	s := p.literal.Unit
	unit, ok := units[s.Value]
	if ok {
		p.Definition.Unit, p.MaxBytes = unit, unitBytes(unit)
	} else if s.Set() {
		findings.Errorf(s.Pos, diag.Syntax, "unit: expected ns, us, ms, s, m or h, found %q", s.Value)
	}
}

// bound applies maxBytes. Without the key, the longest listed value or constant bounds a named
// string type. An enum has its bound already.
func (p *Param) bound(findings *diag.Findings) {
	if s := p.literal.MaxBytes; s.Set() {
		least, most := max(renderings[p.Convert].least, 1), maxMessage
		if p.MaxBytes > 0 && len(p.constants) == 0 {
			most = p.MaxBytes
		}
		p.MaxBytes = readInt(findings, s, diag.Syntax, "maxBytes of a param of type "+p.Type, least, most, least)
	} else if p.Enum == nil {
		for _, v := range p.literal.Values {
			p.MaxBytes = max(p.MaxBytes, len(v.Value))
		}
	}
}

// mostValues bounds the values of an enum.
const mostValues = 1000

// enum gives a param of type enum its generated Go type: goName, the name in spec.params, or
// <Event><Param>. It reports whether there is one.
func (s *eventStep) enum(p *Param, fromVocabulary bool) bool {
	name := eventEnumType(s.e.Name, p.Name)
	if fromVocabulary {
		name = vocabularyEnumType(p.Name)
	}
	given := catalog.First(p.literal.GoName, catalog.Scalar{Value: name, Pos: p.Pos})
	if name = given.Value; !exported(name) {
		s.Errorf(given.Pos, diag.GoName, "the enum needs an exported Go name, and %q is none; give goName", name)
		return false
	}
	values := p.literal.Values
	if len(values) == 0 && s.e.Source.Select.Value == p.Name {
		values = each(s.e.Source.Variants, func(v catalog.Variant) catalog.Scalar { return v.Name })
	}
	if len(values) == 0 {
		s.Errorf(p.Pos, diag.Syntax, "enum %s has no values; give values: [A, B], or select it and give variants", p.Name)
		return false
	}
	if len(values) > mostValues {
		s.Errorf(p.Pos, diag.Syntax, "enum %s has %d values, expected at most %d; make it a string", p.Name, len(values), mostValues)
		return false
	}
	p.GoType = GoType{Path: s.types.pkg.Path, Name: name}
	p.Enum = s.names.enum(name, p, values)
	p.Enum.Vocabulary = p.Enum.Vocabulary || fromVocabulary
	for _, v := range p.Enum.Values {
		p.MaxBytes = max(p.MaxBytes, len(v.Value))
	}
	return true
}
