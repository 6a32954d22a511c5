package model

import (
	"cmp"
	"go/token"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model/wellknown"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// params resolves the params of an event. It reports too many params, and names that occur twice.
func (s *eventStep) params() {
	e := s.e
	first := map[string]*Param{}
	for i := range e.Source.Params {
		src := &e.Source.Params[i]
		p := s.param(src)
		if p == nil {
			e.unresolved = append(e.unresolved, src.Name.Value)
			if swapped(*src) {
				e.unresolved = append(e.unresolved, src.Type.Value)
			}
			continue
		}
		if other := first[p.Name]; other != nil {
			s.Errorf(p.Pos, diag.GoName, "param %s is declared twice; first at %s", p.Name, other.Pos)
			e.unresolved = append(e.unresolved, p.Name)
			continue
		}
		first[p.Name] = p
		e.Params = append(e.Params, p)
	}
	if len(e.Params) > eventrt.MaxParams {
		s.Errorf(e.Params[eventrt.MaxParams].Pos, diag.TooManyParams, "event %s has %d params; at most %d are kept, as the run time holds them inline",
			e.Name, len(e.Params), eventrt.MaxParams)
		for _, p := range e.Params[eventrt.MaxParams:] {
			e.unresolved = append(e.unresolved, p.Name)
		}
		e.Params = e.Params[:eventrt.MaxParams]
	}
}

// param resolves one param; nil after a finding.
func (s *eventStep) param(src *catalog.Param) *Param {
	if !validParamName(&s.Findings, src.Name) {
		return nil
	}
	full := s.cat.Declaration(*src)
	if !full.Type.Set() {
		known := each(s.cat.Params, func(p catalog.Param) string { return p.Name.Value })
		slices.Sort(known)
		s.Errorf(src.Name.Pos, diag.UnknownType, "param %s has no type, and spec.params does not declare it%s; write \"%s string\", say",
			src.Name.Value, spell.Suggest(src.Name.Value, known), src.Name.Value)
		return nil
	}
	p := &Param{Name: src.Name.Value, GoName: src.Name.Value, Pos: src.Pos, Type: full.Type.Value, Field: fieldName(src.Name.Value), literal: full}
	if p.Pos.Line == 0 {
		p.Pos = src.Name.Pos
	}
	t, ok := s.paramType(full)
	if !ok {
		return nil
	}
	p.GoType, p.Convert, p.ByAddress, p.MaxBytes = t.goType, t.convert, t.byAddress, t.maxBytes
	p.constants, p.boundable = t.constants, t.has("maxBytes")
	checkOptions(&s.Findings, &full, t)
	if full.Type.Value == enumType && !s.enum(p, !src.Type.Set()) {
		return nil
	}
	p.options(&s.Findings)
	return p
}

// Declaration returns the param as the catalog declares it, completed from the entry in
// spec.params.
func (p *Param) Declaration() catalog.Param { return p.literal }

// Text reports whether the run time keeps the argument as text. It cuts such text at the param's
// bound.
func (p *Param) Text() bool { return renderings[p.Convert].text }

// Shape returns a regular expression for all texts of the param. It holds for a param that is
// neither sensitive nor quoted.
func (p *Param) Shape() string { return cmp.Or(renderings[p.Convert].shape, ".*?") }

func validParamName(findings *diag.Findings, name catalog.Scalar) bool {
	switch {
	case token.IsKeyword(name.Value):
		findings.Errorf(name.Pos, diag.GoName, "a param becomes a Go parameter, but %q is a keyword of Go; choose another name", name.Value)
	case !token.IsIdentifier(name.Value) || name.Value == "_":
		findings.Errorf(name.Pos, diag.GoName, "a param becomes a Go parameter, but %q is no Go name; choose another name", name.Value)
	case name.Value == "regarding", name.Value == "related":
		findings.Errorf(name.Pos, diag.GoName, "{%s.…} is the event's object; choose another name for the param", name.Value)
	default:
		return true
	}
	return false
}

// swapped reports whether the name of a param is a type, and its type none.
func swapped(p catalog.Param) bool {
	_, isType := basicTypes[p.Type.Value]
	return typeWord(p.Name.Value) && !typeWord(p.Type.Value) && !isType && token.IsIdentifier(p.Type.Value) && !isNamedType(p.Type.Value)
}

// typeWord reports whether a word is a type of params, or stands for one in Go.
func typeWord(word string) bool {
	_, known := paramTypes[word]
	return known || catalogTypes[word] != ""
}

// paramType finds the type of a param: a type of the table, or a Go type.
func (s *eventStep) paramType(p catalog.Param) (paramType, bool) {
	if t, ok := paramTypes[p.Type.Value]; ok {
		return t, true
	}
	alias, _, _ := strings.Cut(p.Type.Value, ".")
	if word, ok := catalogTypes[p.Type.Value]; ok && s.types.imports.paths[alias] == "" {
		s.Errorf(p.Type.Pos, diag.UnknownType, "param %s: the type %s is written %s in a catalog", p.Name.Value, p.Type.Value, word)
		return paramType{}, false
	}
	if swapped(p) {
		s.Errorf(p.Name.Pos, diag.UnknownType, "the name of a param comes before its type: write %s %s", p.Type.Value,
			cmp.Or(catalogTypes[p.Name.Value], p.Name.Value))
		return paramType{}, false
	}
	if !isNamedType(p.Type.Value) {
		s.Errorf(p.Type.Pos, diag.UnknownType, "param %s has the unknown type %q%s; a Go type is written alias.Type", p.Name.Value, p.Type.Value,
			spell.Suggest(p.Type.Value, sortedKeys(paramTypes)))
		return paramType{}, false
	}
	goType, wrong := s.types.resolve(p.Type)
	if len(wrong) > 0 {
		s.Findings = append(s.Findings, wrong...)
		return paramType{}, false
	}
	return s.goParamType(p, goType)
}

// goParamType returns the param type for a Go type with an underlying basic type, or for a
// fmt.Stringer.
func (s *eventStep) goParamType(p catalog.Param, goType GoType) (paramType, bool) {
	f, looked := s.facts[s.types.pkg.wanted(goType)]
	if !looked && (wellknown.IsString(goType.Path, goType.Name) || len(p.Values) > 0) {
		known := wellknown.Constants(goType.Path, goType.Name)
		f, looked = typeFacts{Basic: "string", Constants: each(known, func(value string) Constant { return Constant{Value: value} })}, true
	}
	t, ok := f.paramType()
	switch {
	case f.Unasked:
	case !looked:
		s.Errorf(p.Type.Pos, diag.UnknownType, "the type %s is unknown unless its package is loaded (--resolve=%s); if it is a string type, give its values",
			p.Type.Value, ResolveNever)
	case f.problem() != "":
		s.types.unusable(&s.Findings, p.Type, goType, &f)
	case !ok:
		s.Errorf(p.Type.Pos, diag.UnknownType, "%s can't be a param: it is neither of a basic type nor a fmt.Stringer", p.Type.Value)
	default:
		t.goType = goType
		for _, c := range f.Constants {
			t.constants = append(t.constants, c.Value)
			t.maxBytes = max(t.maxBytes, len(c.Value))
		}
		for _, v := range p.Values { // further values can raise the bound of the type
			if slip := misspelt(v.Value, t.constants); slip != "" {
				s.Errorf(v.Pos, diag.UnknownType, "%s has no constant of value %q; did you mean %s?", p.Type.Value, v.Value, slip)
			}
		}
		return t, true
	}
	return paramType{}, false
}

// paramType returns the param type that shows values of the type. A string type is shown as text,
// another type by its String method if it has one, else by its basic type.
func (f *typeFacts) paramType() (paramType, bool) {
	if f.Stringer != noStringer && f.Basic != "string" {
		return paramType{
			convert:     "Stringer",
			byAddress:   f.Stringer == pointerStringer,
			options:     "maxBytes",
			alwaysShown: f.Stringer != interfaceStringer,
		}, true
	}
	t, ok := basicTypes[f.Basic]
	return t, ok
}

// shortestWord is the least length of a value that can count as misspelt.
const shortestWord = 5

// misspelt returns the word that differs from value by one letter; empty if there is none. It is
// also empty if value is one of the words, is short, or has digits.
func misspelt(value string, words []string) string {
	if slices.Contains(words, value) || len(value) < shortestWord || strings.ContainsAny(value, "0123456789") {
		return ""
	}
	for _, word := range words {
		if spell.Distance(value, word) == 1 || strings.EqualFold(value, word) {
			return word
		}
	}
	return ""
}
