package catalog

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// scalar reads a scalar of a form. shape describes the forms.
func (w *walker) scalar(form, what string, n *yaml.Node) (Scalar, bool) {
	switch form {
	case "":
		return w.text(what, n)
	case "quoted":
		return w.quoted(what, n)
	case "boolean", "number", "duration", "path":
		return w.literal(literals[form], what, n)
	}
	return w.oneOf(strings.Split(form, "|"), what, n)
}

// text reads text. It reports text that YAML would turn into something else, but returns it as it
// was written.
func (w *walker) text(what string, n *yaml.Node) (Scalar, bool) {
	if !w.isKind(n, yaml.ScalarNode, what) {
		return Scalar{}, false
	}
	if isNull(n) {
		w.reject(n, "%s has no value", what)
		return Scalar{}, false
	}
	if kind := turnsInto(n); kind != "" {
		w.findings.Errorf(w.pos(n), diag.YAMLTrap, "%s: YAML reads %s as %s; write %q", what, n.Value, kind, n.Value)
	}
	return Scalar{Value: n.Value, Pos: w.pos(n)}, true
}

func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

func isPlain(n *yaml.Node) bool { return n.Style == 0 || n.Style == yaml.FlowStyle }

// yaml11Booleans are booleans to readers of YAML 1.1, such as Kubernetes, and text to others.
var yaml11Booleans = strings.Fields("y Y yes Yes YES on On ON n N no No NO off Off OFF")

// turnsInto returns the type that a YAML reader may give to an unquoted scalar; empty if the scalar
// stays text.
func turnsInto(n *yaml.Node) string {
	if !isPlain(n) {
		return ""
	}
	switch n.ShortTag() {
	case "!!bool":
		return "a boolean"
	case "!!int", "!!float":
		return "a number"
	case "!!timestamp":
		return "a date"
	}
	if len(n.Value) <= 3 && slices.Contains(yaml11Booleans, n.Value) {
		return "a boolean"
	}
	return ""
}

// oneOf reads a scalar that must be one of some words.
func (w *walker) oneOf(words []string, what string, n *yaml.Node) (Scalar, bool) {
	if n.Kind == yaml.ScalarNode && !isNull(n) && !slices.Contains(words, n.Value) {
		w.reject(n, "%s: expected %s, found %s%s", what, spell.Alternatives(words), clip(n.Value), spell.DidYouMean(n.Value, words))
		return Scalar{}, false
	}
	return w.text(what, n)
}

// literal is a form of scalars that are not text.
type literal struct {
	expected string
	fits     func(n *yaml.Node) bool
}

var literals = map[string]literal{
	"boolean": {"true or false", func(n *yaml.Node) bool { return isPlain(n) && (n.Value == "true" || n.Value == "false") }},
	// A number is whole, and at most the largest int32.
	"number": {"a whole number from 0 to 2147483647", func(n *yaml.Node) bool {
		v, err := strconv.ParseInt(n.Value, 10, 32)
		return isPlain(n) && err == nil && v >= 0 && strconv.FormatInt(v, 10) == n.Value
	}},
	"duration": {"a duration such as 30s or 10m", func(n *yaml.Node) bool {
		d, err := time.ParseDuration(n.Value)
		return err == nil && d >= 0 && turnsInto(n) == ""
	}},
	"path": {"the slash-separated path of a file or folder, relative to this file", func(n *yaml.Node) bool {
		return turnsInto(n) == "" && !isNull(n) && n.Value != "" && !path.IsAbs(n.Value) && !strings.ContainsFunc(n.Value, func(r rune) bool { return r == '\\' || unicode.IsControl(r) })
	}},
}

func (w *walker) literal(form literal, what string, n *yaml.Node) (Scalar, bool) {
	if !w.isKind(n, yaml.ScalarNode, what) {
		return Scalar{}, false
	}
	if !form.fits(n) {
		w.reject(n, "%s: expected %s, found %s", what, form.expected, describe(n))
		return Scalar{}, false
	}
	return Scalar{Value: n.Value, Pos: w.pos(n)}, true
}
