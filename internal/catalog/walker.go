package catalog

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// walker turns the nodes of one document into a tree and reports everything that does not fit.
type walker struct {
	file     string
	line     int      // lines of the file before the document
	lines    [][]byte // of the document
	findings diag.Findings
	lost     bool // an error left something out of the tree

	lastLine  int // see runes
	lastRunes []rune
}

// field is a key that a mapping may have.
type field struct {
	key      string
	required bool
	read     reader
}

// reader takes the value of a key into the tree.
type reader func(key string, n *yaml.Node)

func (w *walker) pos(n *yaml.Node) diag.Pos {
	return diag.Pos{File: w.file, Line: w.line + n.Line, Column: n.Column}
}

// reject reports a value that is left out.
func (w *walker) reject(n *yaml.Node, format string, args ...any) {
	w.lost = true
	w.findings.Errorf(w.pos(n), diag.Syntax, format, args...)
}

// mapping reads a mapping with a closed set of keys. what names it in findings.
func (w *walker) mapping(n *yaml.Node, what string, fields []field) {
	if !w.isKind(n, yaml.MappingNode, what) {
		return
	}
	var meant []string
	w.eachPair(n, what, func(key Scalar, value *yaml.Node) {
		i := slices.IndexFunc(fields, func(f field) bool { return f.key == key.Value })
		if i < 0 {
			meant = append(meant, w.unknownKey(key, what, fields))
			return
		}
		meant = append(meant, key.Value)
		fields[i].read(key.Value, value)
	})
	for _, f := range fields {
		if f.required && !slices.Contains(meant, f.key) {
			w.reject(n, "%s needs the key %q", what, f.key)
		}
	}
}

// keys reads a mapping with a closed set of keys.
func (w *walker) keys(fields ...field) reader {
	return func(key string, n *yaml.Node) { w.mapping(n, key, fields) }
}

// unknownKey reports a key and returns the one that was probably meant.
func (w *walker) unknownKey(key Scalar, what string, fields []field) string {
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.key
	}
	meant := spell.Nearest(key.Value, known)
	if meant == "" {
		w.findings.Errorf(key.Pos, diag.Syntax, "unknown key %q in %s; it can have %s", key.Value, what, strings.Join(known, ", "))
		return ""
	}
	w.lost = true
	w.findings.Errorf(key.Pos, diag.Syntax, "unknown key %q in %s; did you mean %s?", key.Value, what, meant)
	return meant
}

// entries reads a mapping whose keys are names that the catalog's author chose.
func (w *walker) entries(read func(name Scalar, n *yaml.Node)) reader {
	return func(key string, n *yaml.Node) {
		if w.isKind(n, yaml.MappingNode, key) {
			w.eachPair(n, key, read)
		}
	}
}

func (w *walker) eachPair(n *yaml.Node, what string, read func(key Scalar, value *yaml.Node)) {
	seen := make(map[string]diag.Pos, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, ok := w.key(n.Content[i], what)
		if !ok {
			continue
		}
		if before, found := seen[key.Value]; found {
			w.findings.Errorf(key.Pos, diag.Syntax, "duplicate key %q in %s; the first is at %s", key.Value, what, before)
			continue
		}
		seen[key.Value] = key.Pos
		read(key, n.Content[i+1])
	}
}

func (w *walker) key(n *yaml.Node, what string) (Scalar, bool) {
	if n.Tag == "!!merge" {
		w.reject(n, "merge keys (<<) are not read; use spec.defaults and spec.params instead")
		return Scalar{}, false
	}
	return w.scalar("a key of "+what, n)
}

// list reads each item of a sequence.
func (w *walker) list(read reader) reader {
	return func(key string, n *yaml.Node) {
		if !w.isKind(n, yaml.SequenceNode, key) {
			return
		}
		for _, item := range n.Content {
			read("an item of "+key, item)
		}
	}
}

// isKind reports whether a node is of a kind, and adds a finding if it is not.
func (w *walker) isKind(n *yaml.Node, kind yaml.Kind, what string) bool {
	switch {
	case n.Kind == yaml.AliasNode:
		w.reject(n, "%s: aliases (*%s) are not read; write the value out, or name it once in spec.params", what, n.Value)
	case n.Style&yaml.TaggedStyle != 0:
		w.reject(n, "%s: tags (%s) are not read; quote the value to make it text", what, n.Tag)
	case n.Kind != kind:
		w.reject(n, "%s: expected %s, found %s", what, kindNames[kind], describe(n))
	default:
		return true
	}
	return false
}

var kindNames = map[yaml.Kind]string{
	yaml.MappingNode:  "a mapping",
	yaml.SequenceNode: "a list",
	yaml.ScalarNode:   "text",
}

// describe names the type that YAML gave a value.
func describe(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		return kindNames[n.Kind]
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!str":
		return fmt.Sprintf("text (%s)", clip(n.Value))
	}
	return n.Value
}

// clip shortens text that a finding quotes.
func clip(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return fmt.Sprintf("%q", text)
}
