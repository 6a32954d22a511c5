package model

import (
	"go/token"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/spell"
	"github.com/event-gen/event-gen/internal/model/wellknown"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// params resolves the params of an event, and reports those that are too many or named twice.
func (b *builder) params(src *catalog.Event, e *Event) {
	first := map[string]*Param{}
	for i := range src.Params {
		p := b.param(e, &src.Params[i])
		if p == nil {
			e.unresolved = append(e.unresolved, src.Params[i].Name.Value)
			continue
		}
		if other := first[p.Name]; other != nil {
			b.fs.Errorf(p.Pos, "EV105", "param %s is declared twice; first at %s", p.Name, other.Pos)
			continue
		}
		first[p.Name] = p
		e.Params = append(e.Params, p)
	}
	if len(e.Params) > eventrt.MaxParams {
		b.fs.Errorf(e.Params[eventrt.MaxParams].Pos, "EV211", "event %s has %d params; at most %d are kept, as the run time holds them inline",
			e.Name, len(e.Params), eventrt.MaxParams)
		for _, p := range e.Params[eventrt.MaxParams:] {
			e.unresolved = append(e.unresolved, p.Name)
		}
		e.Params = e.Params[:eventrt.MaxParams]
	}
}

// param resolves one param; nil after a finding.
func (b *builder) param(e *Event, src *catalog.Param) *Param {
	if !b.validParamName(src.Name) {
		return nil
	}
	if !src.Type.Set() && !b.inVocabulary(src.Name) {
		return nil
	}
	full := b.cat.Declaration(*src)
	p := &Param{Name: src.Name.Value, Pos: src.Pos, Type: full.Type.Value, Field: fieldName(src.Name.Value), literal: full}
	p.GoName = p.Name
	if p.Pos.Line == 0 {
		p.Pos = src.Name.Pos
	}
	t, ok := b.paramType(full)
	if !ok {
		return nil
	}
	p.use(t)
	b.checkOptions(full, t)
	if full.Type.Value == enumType && !b.enum(e, p, !src.Type.Set()) {
		return nil
	}
	b.options(p)
	return p
}

// Declaration is the param as the catalog declares it: with what spec.params says of its name.
func (p *Param) Declaration() catalog.Param { return p.literal }

// Text reports whether the run time keeps the argument as text, which it cuts at the param's bound.
func (p *Param) Text() bool { return p.text }

func (p *Param) use(t paramType) {
	p.GoType, p.Convert, p.ByAddress, p.MaxBytes = t.goType, t.convert, t.byAddress, t.maxBytes
	p.text, p.constants, p.boundable = t.text, t.constants, t.options&optMaxBytes != 0
}

func (b *builder) validParamName(name catalog.Scalar) bool {
	switch {
	case !token.IsIdentifier(name.Value) || name.Value == "_":
		why := "is no Go name"
		if token.IsKeyword(name.Value) {
			why = "is a keyword of Go"
		}
		b.fs.Errorf(name.Pos, "EV105", "a param becomes a Go parameter, but %q %s; choose another name", name.Value, why)
	case name.Value == "regarding", name.Value == "related":
		b.fs.Errorf(name.Pos, "EV105", "{%s.…} is the event's object; choose another name for the param", name.Value)
	default:
		return true
	}
	return false
}

// inVocabulary reports whether spec.params declares a param that gives no type.
func (b *builder) inVocabulary(name catalog.Scalar) bool {
	if b.vocabulary[name.Value] {
		return true
	}
	b.missing(name.Pos, "EV108", "param %s has no type, and spec.params does not declare it%s; write \"%s string\", say",
		name.Value, didYouMean(name.Value, sortedKeys(b.vocabulary)), name.Value)
	return false
}

// paramType finds the type of a param: of the table, or a Go type.
func (b *builder) paramType(p catalog.Param) (paramType, bool) {
	if t, ok := paramTypes[p.Type.Value]; ok {
		return t, true
	}
	if !isNamedType(p.Type.Value) {
		b.fs.Errorf(p.Type.Pos, "EV108", "param %s has the unknown type %q%s; a Go type is written alias.Type", p.Name.Value, p.Type.Value,
			didYouMean(p.Type.Value, sortedKeys(paramTypes)))
		return paramType{}, false
	}
	goType, ok := b.namedType(p.Type)
	if !ok {
		return paramType{}, false
	}
	return b.goParamType(p, goType)
}

// goParamType is the type of a param of a Go type: as its basic type, or as a fmt.Stringer.
func (b *builder) goParamType(p catalog.Param, goType GoType) (paramType, bool) {
	f, looked := b.fact(goType)
	switch {
	case !looked && (wellknown.IsString(goType.Path, goType.Name) || len(p.Values) > 0):
		f = typeFacts{Basic: "string", Constants: knownConstants(goType)}
	case !looked:
		b.fs.Errorf(p.Type.Pos, "EV108", "what %s is can't be known without loading its package (--resolve=%s); give its values, if it is a string type",
			p.Type.Value, ResolveNever)
		return paramType{}, false
	case f.Unasked:
		return paramType{}, false
	case f.Problem != "":
		b.fs.Errorf(p.Type.Pos, "EV108", "%s was not found: %s", p.Type.Value, f.Problem)
		return paramType{}, false
	case f.Misuse != "":
		b.fs.Errorf(p.Type.Pos, "EV108", "%s can't be used: %s", p.Type.Value, f.Misuse)
		return paramType{}, false
	case len(f.Cycle) > 0:
		b.fs.Errorf(p.Type.Pos, "EV108", "%s can't be used here, because its package imports the generated one: %s", p.Type.Value, chain(f.Cycle))
		return paramType{}, false
	}
	t, ok := f.paramType()
	if !ok {
		b.fs.Errorf(p.Type.Pos, "EV108", "%s can't be a param: it is neither of a basic type nor a fmt.Stringer", p.Type.Value)
		return paramType{}, false
	}
	t.goType = goType
	for _, c := range f.Constants {
		t.constants = append(t.constants, c.Value)
	}
	b.checkConstants(p, t.constants)
	for _, value := range t.constants {
		t.maxBytes = max(t.maxBytes, len(value))
	}
	return t, true
}

// knownConstants are the constants of a type of k8s.io/api, which is not loaded.
func knownConstants(t GoType) []Constant {
	var constants []Constant
	for _, value := range wellknown.Constants(t.Path, t.Name) {
		constants = append(constants, Constant{Value: value})
	}
	return constants
}

// paramType is how a value of the type is shown: string types as text, others by their String method where they have
// one, basic types as such.
func (f *typeFacts) paramType() (paramType, bool) {
	if f.Stringer != noStringer && f.Basic != "string" {
		return paramType{
			convert:     "Stringer",
			byAddress:   f.Stringer == pointerStringer,
			options:     optMaxBytes,
			text:        true,
			alwaysShown: f.Stringer != interfaceStringer,
		}, true
	}
	t, ok := basicTypes[f.Basic]
	return t, ok
}

// checkConstants reports values that are misspelt constants. Others widen what the type is bounded by.
func (b *builder) checkConstants(p catalog.Param, known []string) {
	for _, v := range p.Values {
		if slip := misspelt(v.Value, known); slip != "" {
			b.fs.Errorf(v.Pos, "EV108", "%s has no constant of value %q; did you mean %s?", p.Type.Value, v.Value, slip)
		}
	}
}

// shortestWord is how long a value must be to be a misspelt one.
const shortestWord = 5

// misspelt is the word of some that a value is a slip of one letter away from; empty if it is one of them, or a word of its
// own: short, or with digits.
func misspelt(value string, words []string) string {
	if contains(words, value) || len(value) < shortestWord || strings.ContainsAny(value, "0123456789") {
		return ""
	}
	for _, word := range words {
		if spell.Distance(value, word) == 1 || strings.EqualFold(value, word) {
			return word
		}
	}
	return ""
}
