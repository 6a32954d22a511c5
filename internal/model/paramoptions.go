package model

import (
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// nilable are the functions of eventrt whose argument may be nil, and is shown as <nil> then.
var nilable = []string{"Error", "ObjectName", "Stringer"}

// floatConvert is the function of eventrt for floats.
const floatConvert = "Float"

const (
	maxPrecision     = 64
	defaultSeparator = ", "
)

// checkOptions reports keys that have no effect on the param's type.
func (b *builder) checkOptions(p catalog.Param, t paramType) {
	var effective []string
	keys := optionKeys(&p)
	for _, k := range keys {
		if t.options&k.option != 0 {
			effective = append(effective, k.key)
		}
	}
	for _, k := range keys {
		if k.pos.Line == 0 || t.options&k.option != 0 {
			continue
		}
		hint := "it has no options of its own"
		if len(effective) > 0 {
			hint = "it has " + strings.Join(effective, ", ")
		}
		b.fs.Errorf(k.pos, "EV001", "%s has no effect on a param of type %s; %s", k.key, p.Type.Value, hint)
	}
	if p.Optional.Value == "true" && t.alwaysShown {
		b.fs.Errorf(p.Optional.Pos, "EV001", "optional has no effect on a param of type %s: its text does not show which value is empty",
			p.Type.Value)
	}
	if p.Prefix.Set() && p.Optional.Value != "true" {
		b.fs.Errorf(p.Prefix.Pos, "EV001", "a prefix belongs to an optional param; %s is always shown, so write the text into the message", p.Name.Value)
	}
}

// options applies the keys of a param, which have an effect on its type.
func (b *builder) options(p *Param) {
	src := &p.literal
	p.Definition = eventrt.Param{
		Name:      p.Name,
		Optional:  readBool(b.fs, src.Optional, "optional"),
		Prefix:    src.Prefix.Value,
		Sensitive: readBool(b.fs, src.Sensitive, "sensitive"),
		Quote:     readBool(b.fs, src.Quote, "quote"),
		Round:     readDuration(b.fs, src.Round, "EV001", "round"),
	}
	b.layout(p)
	b.unit(p)
	b.precision(p)
	b.maxBytes(p)
	b.separator(p)
	b.values(p)
	if p.Definition.Sensitive {
		p.MaxBytes = maxRedacted
	}
}

func (b *builder) layout(p *Param) {
	s := p.literal.Layout
	if !s.Set() {
		return
	}
	layout, ok := layouts[s.Value]
	if !ok {
		b.fs.Errorf(s.Pos, "EV001", "layout is the name of a layout constant of package time, not %q%s", s.Value, didYouMean(s.Value, sortedKeys(layouts)))
		return
	}
	p.Layout, p.Definition.Layout, p.MaxBytes = s.Value, layout, layoutBytes(layout)
}

func (b *builder) unit(p *Param) {
	s := p.literal.Unit
	if !s.Set() {
		return
	}
	unit, ok := units[s.Value]
	if !ok {
		b.fs.Errorf(s.Pos, "EV001", "unit is one of ns, us, ms, s, m, h, not %q", s.Value)
		return
	}
	p.Definition.Unit, p.MaxBytes = unit, unitBytes(unit)
}

func (b *builder) precision(p *Param) {
	s := p.literal.Precision
	if !s.Set() {
		return
	}
	digits := readInt(b.fs, s, "EV001", "precision", 0, maxPrecision, 0)
	p.Definition.Precision, p.MaxBytes = digits+1, maxFloatWhole+digits
}

func (b *builder) maxBytes(p *Param) {
	s := p.literal.MaxBytes
	if !s.Set() {
		return
	}
	least, most := 1, maxMessage
	if contains(nilable, p.Convert) {
		least = minNilBytes
	}
	if p.Convert == floatConvert {
		least = minFloatBytes
	}
	if p.MaxBytes > 0 && len(p.constants) == 0 {
		most = p.MaxBytes
	}
	p.MaxBytes = readInt(b.fs, s, "EV001", "maxBytes of a param of type "+p.Type, least, most, least)
}

func (b *builder) separator(p *Param) {
	if p.Convert != "Strings" {
		return
	}
	separator := defaultSeparator
	if p.literal.Separator.Set() {
		separator = p.literal.Separator.Value
	}
	p.Extra = &separator
}

// values bounds a param of a named string type by its longest value, listed or a constant. Enums have done so already, and
// maxBytes goes before.
func (b *builder) values(p *Param) {
	if p.Enum != nil || p.literal.MaxBytes.Set() {
		return
	}
	for _, v := range p.literal.Values {
		p.MaxBytes = max(p.MaxBytes, len(v.Value))
	}
}

func contains(list []string, s string) bool { return slices.Contains(list, s) }

func chain(path []string) string { return strings.Join(path, " → ") }
