package catalog

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// scalar reads text. It reports text that YAML would turn into something else, and keeps it as it was written.
func (w *walker) scalar(what string, n *yaml.Node) (Scalar, bool) {
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

// yaml11Booleans are booleans to readers of YAML 1.1, Kubernetes' own among them, and text to others.
var yaml11Booleans = strings.Fields("y Y yes Yes YES on On ON n N no No NO off Off OFF")

// turnsInto names the type that some YAML reader gives to an unquoted scalar; empty if the scalar stays text.
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

// text reads a key whose value is text.
func (w *walker) text(into *Scalar) reader {
	return func(key string, n *yaml.Node) { *into, _ = w.scalar(key, n) }
}

// texts reads a list of text.
func (w *walker) texts(into *[]Scalar) reader {
	return w.list(func(what string, n *yaml.Node) {
		if s, ok := w.scalar(what, n); ok {
			*into = append(*into, s)
		}
	})
}

// prefix reads text that is shown in a message and may begin or end in a space, which only quotes keep.
func (w *walker) prefix(into *Scalar) reader {
	return func(key string, n *yaml.Node) { *into, _ = w.quoted(key, n) }
}

// oneOf reads a key that takes one of a few words.
func (w *walker) oneOf(into *Scalar, words ...string) reader {
	return func(key string, n *yaml.Node) {
		s, ok := w.scalar(key, n)
		if !ok {
			return
		}
		if !slices.Contains(words, s.Value) {
			w.reject(n, "%s: expected %s, found %s%s", key, strings.Join(words, " or "), clip(s.Value), spell.DidYouMean(s.Value, words))
			return
		}
		*into = s
	}
}

// boolean reads true or false.
func (w *walker) boolean(into *Scalar) reader {
	return w.literal(into, "true or false", func(n *yaml.Node) bool {
		return n.Value == "true" || n.Value == "false"
	})
}

// number reads a whole number from 0 to the largest int32.
func (w *walker) number(into *Scalar) reader {
	return w.literal(into, "a whole number", func(n *yaml.Node) bool {
		v, err := strconv.ParseInt(n.Value, 10, 32)
		return err == nil && v >= 0 && strconv.FormatInt(v, 10) == n.Value
	})
}

// literal reads an unquoted boolean or number.
func (w *walker) literal(into *Scalar, expected string, fits func(*yaml.Node) bool) reader {
	return func(key string, n *yaml.Node) {
		if !w.isKind(n, yaml.ScalarNode, key) {
			return
		}
		if !isPlain(n) || !fits(n) {
			w.reject(n, "%s: expected %s, found %s", key, expected, describe(n))
			return
		}
		*into = Scalar{Value: n.Value, Pos: w.pos(n)}
	}
}

// duration reads a Go duration that is not negative.
func (w *walker) duration(into *Scalar) reader {
	return func(key string, n *yaml.Node) {
		if !w.isKind(n, yaml.ScalarNode, key) {
			return
		}
		if d, err := time.ParseDuration(n.Value); err != nil || d < 0 || turnsInto(n) != "" {
			w.reject(n, "%s: expected a duration such as 30s or 10m, found %s", key, describe(n))
			return
		}
		*into = Scalar{Value: n.Value, Pos: w.pos(n)}
	}
}
