package catalog

import (
	"reflect"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// The short forms: "from int32", "schedule string(200)" or a name alone in an event; "int32" or
// "string(200)" in the vocabulary.
var (
	shortParam = regexp.MustCompile(`^([A-Za-z_]\w*)(?: +([A-Za-z_][\w.]*(?:\[[^()]*\])?)(?:\(([0-9]+)\))?)?$`)
	shortType  = regexp.MustCompile(`^([A-Za-z_][\w.]*(?:\[[^()]*\])?)(?:\(([0-9]+)\))?$`)
)

// MaxParams is the number of params that the run time keeps of an event. The model reports further
// ones.
const MaxParams = 8

// mostParams is the number of params of an event that are read. It bounds the work for an absurd
// catalog.
const mostParams = 64

// read reads the params of an event.
func (p *Params) read(w *walker, what string, n *yaml.Node) bool {
	if n.Kind == yaml.SequenceNode && len(n.Content) > mostParams {
		w.lost = true
		w.findings.Errorf(w.pos(n.Content[MaxParams]), diag.TooManyParams,
			"the event has %d params; at most %d are kept, as the run time holds them inline", len(n.Content), MaxParams)
		return true
	}
	return w.list(reflect.ValueOf(p).Elem(), nil, what, n)
}

func (*Params) schema(d definitions) schema {
	return schema{"type": "array", "items": d.of(reflect.TypeFor[Param](), nil), "maxItems": MaxParams}
}

// read reads a param of an event: its short form, or all of it.
func (p *Param) read(w *walker, what string, n *yaml.Node) bool {
	p.Pos = w.pos(n)
	if meant := withoutColon(n); meant != "" {
		w.reject(n, "%s: the name and the type have no colon between them: write %s", what, meant)
		return false
	}
	if n.Kind != yaml.ScalarNode {
		w.structure(reflect.ValueOf(p).Elem(), what, n, keysOf(reflect.TypeFor[Param]()))
		return p.Name.Set()
	}
	parts, ok := w.short(what, n, shortParam, `"from int32", "text string(200)" or a name of spec.params`)
	if ok {
		p.Name, p.Type, p.MaxBytes = parts[0], parts[1], parts[2]
	}
	return ok
}

// colon matches a name and a type with a colon between them.
var colon = regexp.MustCompile(`^([A-Za-z_]\w*) *: *(\S+)$`)

// withoutColon returns the short form of a param that is written as "from: int32" or as a mapping
// of its name to its type; empty for anything else.
func withoutColon(n *yaml.Node) string {
	text := ""
	switch {
	case n.Kind == yaml.ScalarNode:
		text = colon.ReplaceAllString(n.Value, "$1 $2")
	case n.Kind == yaml.MappingNode && len(n.Content) == 2 && !slices.Contains(Keys[Param](), n.Content[0].Value):
		text = n.Content[0].Value + " " + n.Content[1].Value
	}
	if match := shortParam.FindStringSubmatch(text); match == nil || match[2] == "" || text == n.Value {
		return ""
	}
	return text
}

func (*Param) schema(d definitions) schema {
	return d.define(reflect.TypeFor[Param](), func(s schema) schema { return oneOf(text(shortPattern), s) })
}

// read reads spec.params.
func (v *Vocabulary) read(w *walker, what string, n *yaml.Node) bool {
	return w.entries(what, n, func(name Scalar, n *yaml.Node) {
		what := "param " + name.Value
		p := Param{Pos: name.Pos, Name: name}
		if n.Kind != yaml.ScalarNode {
			w.structure(reflect.ValueOf(&p).Elem(), what, n, vocabularyKeys())
		} else if parts, ok := w.short(what, n, shortType, `a type such as "error" or "string(200)"`); ok {
			p.Type, p.MaxBytes = parts[0], parts[1]
		}
		*v = append(*v, p)
	})
}

func (*Vocabulary) schema(d definitions) schema {
	return entries(oneOf(text("^"+typePattern+"$"), d.structure(reflect.TypeFor[Param](), vocabularyKeys())))
}

// short reads a short form. It returns the parts, each with its own position. An absent part is not
// set.
func (w *walker) short(what string, n *yaml.Node, form *regexp.Regexp, expected string) ([]Scalar, bool) {
	match := form.FindStringSubmatchIndex(n.Value)
	if match == nil && w.isKind(n, yaml.ScalarNode, what) {
		w.reject(n, "%s: expected %s, found %s", what, expected, describe(n))
	}
	if match == nil {
		return nil, false
	}
	s, ok := w.text(what, n)
	if !ok {
		return nil, false // null, which the pattern matches as a name
	}
	return parts(s.Value, match, w.locate(n)), true
}

// parts returns the groups of a match as scalars. text is ASCII.
func parts(text string, match []int, at func(int) diag.Pos) []Scalar {
	var parts []Scalar
	for i := 2; i < len(match); i += 2 {
		var part Scalar
		if match[i] >= 0 {
			part = Scalar{Value: text[match[i]:match[i+1]], Pos: at(match[i])}
		}
		parts = append(parts, part)
	}
	return parts
}
