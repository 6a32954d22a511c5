package catalog

import (
	"regexp"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// The short forms: "from int32", "schedule string(200)" or a name alone in an event; "int32" or "string(200)" in the
// vocabulary.
var (
	shortParam = regexp.MustCompile(`^([A-Za-z_]\w*)(?: +([A-Za-z_][\w.]*(?:\[[^()]*\])?)(?:\(([0-9]+)\))?)?$`)
	shortType  = regexp.MustCompile(`^([A-Za-z_][\w.]*(?:\[[^()]*\])?)(?:\(([0-9]+)\))?$`)
)

// MaxParams is the number of params that the run time keeps of an event. The model reports the params in excess.
const MaxParams = 8

// mostParams is how many params of an event are looked at. It bounds the work on a catalog that is out of hand.
const mostParams = 64

// params reads the params of an event.
func (w *walker) params(e *Event) reader {
	return func(key string, n *yaml.Node) {
		e.ParamsPos = w.pos(n)
		if n.Kind == yaml.SequenceNode && len(n.Content) > mostParams {
			w.lost = true
			w.findings.Errorf(w.pos(n.Content[MaxParams]), diag.TooManyParams,
				"the event has %d params; at most %d are kept, as the run time holds them inline", len(n.Content), MaxParams)
			return
		}
		w.list(func(what string, item *yaml.Node) {
			if p, ok := w.param(what, item); ok {
				e.Params = append(e.Params, p)
			}
		})(key, n)
	}
}

func (w *walker) param(what string, n *yaml.Node) (Param, bool) {
	p := Param{Pos: w.pos(n)}
	if n.Kind == yaml.ScalarNode {
		parts, ok := w.short(what, n, shortParam, `"from int32", "text string(200)" or a name of spec.params`)
		if ok {
			p.Name, p.Type, p.MaxBytes = parts[0], parts[1], parts[2]
		}
		return p, ok
	}
	w.mapping(n, what, append([]field{{"name", true, w.text(&p.Name)}, {"type", false, w.text(&p.Type)}}, w.paramOptions(&p)...))
	return p, p.Name.Set()
}

// vocabulary reads spec.params.
func (w *walker) vocabulary(into *[]Param) reader {
	return w.entries(func(name Scalar, n *yaml.Node) {
		what := "param " + name.Value
		p := Param{Pos: name.Pos, Name: name}
		if n.Kind != yaml.ScalarNode {
			w.mapping(n, what, append([]field{{"type", true, w.text(&p.Type)}}, w.paramOptions(&p)...))
		} else if parts, ok := w.short(what, n, shortType, `a type such as "error" or "string(200)"`); ok {
			p.Type, p.MaxBytes = parts[0], parts[1]
		}
		*into = append(*into, p)
	})
}

// paramOptions returns the keys besides name and type.
func (w *walker) paramOptions(p *Param) []field {
	return []field{
		{"maxBytes", false, w.number(&p.MaxBytes)},
		{"optional", false, w.boolean(&p.Optional)},
		{"prefix", false, w.prefix(&p.Prefix)},
		{"quote", false, w.boolean(&p.Quote)},
		{"precision", false, w.number(&p.Precision)},
		{"round", false, w.duration(&p.Round)},
		{"unit", false, w.text(&p.Unit)},
		{"layout", false, w.text(&p.Layout)},
		{"values", false, w.texts(&p.Values)},
		{"goName", false, w.text(&p.GoName)},
		{"separator", false, w.prefix(&p.Separator)},
		{"sensitive", false, w.boolean(&p.Sensitive)},
	}
}

// short reads a short form and gives its parts, each with its own position; a part that is absent is not set.
func (w *walker) short(what string, n *yaml.Node, form *regexp.Regexp, expected string) ([]Scalar, bool) {
	match := form.FindStringSubmatchIndex(n.Value)
	if match == nil && w.isKind(n, yaml.ScalarNode, what) {
		w.reject(n, "%s: expected %s, found %s", what, expected, describe(n))
	}
	if match == nil {
		return nil, false
	}
	s, ok := w.scalar(what, n)
	if !ok {
		return nil, false // null, which the pattern takes for a name
	}
	return parts(s.Value, match, w.locate(n)), true
}

// parts cuts text, which is ASCII, at the groups of a match.
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
