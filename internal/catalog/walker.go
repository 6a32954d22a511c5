package catalog

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// walker turns the YAML nodes of one document into a tree, and reports everything that does not
// fit.
type walker struct {
	file     string
	line     int      // lines of the file before the document
	lines    [][]byte // of the document
	findings diag.Findings
	lost     bool // an error left something out of the tree

	lastLine  int // see runes
	lastRunes []rune
}

// form is a part of the tree that tags can't describe.
type form interface {
	// read reads a node into the part. what names the node in findings. It returns false if the
	// part must be left out.
	read(w *walker, what string, n *yaml.Node) bool
	schema(d definitions) schema
}

var scalarType = reflect.TypeFor[Scalar]()

// value reads a node into a part of the tree, by the part's type and the tags of its field. It
// returns false if the part must be left out.
func (w *walker) value(into reflect.Value, f *field, what string, n *yaml.Node) bool {
	if part, ok := into.Addr().Interface().(form); ok {
		return part.read(w, what, n)
	}
	switch t := into.Type(); {
	case t == scalarType:
		s, ok := w.scalar(f.tag("form"), what, n)
		if !ok {
			w.findings[len(w.findings)-1].Message += f.tag("hint")
		}
		into.Set(reflect.ValueOf(s))
		return ok
	case t.Kind() == reflect.Pointer:
		part := reflect.New(t.Elem())
		if !w.value(part.Elem(), f, what, n) {
			return false
		}
		into.Set(part)
		return true
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct && shapeOf(t.Elem()).name != nil:
		return w.entries(what, n, func(name Scalar, n *yaml.Node) { w.entry(into, f, name, n) })
	case t.Kind() == reflect.Slice:
		return w.list(into, f, what, n)
	}
	return w.structure(into, what, n, keysOf(into.Type()))
}

// structure reads a mapping, or its short form.
func (w *walker) structure(into reflect.Value, what string, n *yaml.Node, fields []field) bool {
	s := shapeOf(into.Type())
	if s.pos != nil && into.Field(s.pos.index).IsZero() {
		into.Field(s.pos.index).Set(reflect.ValueOf(w.pos(n)))
	}
	if s.short != nil && (n.Kind == yaml.ScalarNode || len(fields) == 0) {
		return w.value(into.Field(s.short.index), s.short, what, n) || len(fields) > 0
	}
	w.mapping(n, what, fields, func(f *field, n *yaml.Node) {
		if f.pos != nil {
			into.Field(f.pos.index).Set(reflect.ValueOf(w.pos(n)))
		}
		w.value(into.Field(f.index), f, f.key, n)
	})
	return true
}

// list reads each item of a sequence.
func (w *walker) list(into reflect.Value, f *field, what string, n *yaml.Node) bool {
	if !w.isKind(n, yaml.SequenceNode, what) {
		return false
	}
	if some := f.tag("some"); some != "" && len(n.Content) == 0 {
		w.reject(n, "%s: expected %s, found an empty list", what, some)
	}
	each := f.tag("each")
	if each == "" {
		each = "an item of " + what
	}
	for _, item := range n.Content {
		if part := reflect.New(into.Type().Elem()).Elem(); w.value(part, f, each, item) {
			into.Set(reflect.Append(into, part))
		}
	}
	return true
}

// entry reads an entry of a mapping whose keys are names that the author chose.
func (w *walker) entry(into reflect.Value, f *field, name Scalar, n *yaml.Node) {
	part := reflect.New(into.Type().Elem()).Elem()
	s := shapeOf(part.Type())
	part.Field(s.name.index).Set(reflect.ValueOf(name))
	if s.pos != nil {
		part.Field(s.pos.index).Set(reflect.ValueOf(name.Pos))
	}
	if w.value(part, nil, f.tag("each")+" "+name.Value, n) {
		into.Set(reflect.Append(into, part))
	}
}

func (w *walker) pos(n *yaml.Node) diag.Pos {
	return diag.Pos{File: w.file, Line: w.line + n.Line, Column: n.Column}
}

// reject reports a value that is left out of the tree.
func (w *walker) reject(n *yaml.Node, format string, args ...any) {
	w.lost = true
	w.findings.Errorf(w.pos(n), diag.Syntax, format, args...)
}

// mapping reads a mapping with a closed set of keys. what names it in findings.
func (w *walker) mapping(n *yaml.Node, what string, fields []field, read func(*field, *yaml.Node)) {
	var meant []string
	elsewhere := false // a key that belongs elsewhere: the place is wrong, not a key missing
	ok := w.entries(what, n, func(key Scalar, value *yaml.Node) {
		i := slices.IndexFunc(fields, func(f field) bool { return f.key == key.Value })
		if i < 0 {
			meant = append(meant, w.unknownKey(key, what, fields))
			elsewhere = elsewhere || len(placesOf(key.Value)) > 0
			return
		}
		meant = append(meant, key.Value)
		read(&fields[i], value)
	})
	for _, f := range fields {
		switch {
		case !ok || !f.required || slices.Contains(meant, f.key):
		case elsewhere:
			w.lost = true
		default:
			w.reject(n, "%s needs the key %q", what, f.key)
		}
	}
}

// unknownKey reports a key and returns the one that was probably meant.
func (w *walker) unknownKey(key Scalar, what string, fields []field) string {
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.key
	}
	meant := spell.Nearest(key.Value, known)
	if meant == "" {
		w.findings.Errorf(key.Pos, diag.Syntax, "unknown key %q in %s; %s", key.Value, what, hint(key.Value, known))
		return ""
	}
	w.lost = true
	w.findings.Errorf(key.Pos, diag.Syntax, "unknown key %q in %s; did you mean %s?", key.Value, what, meant)
	return meant
}

// hint returns the places where a key belongs or, for an unknown key, the known keys.
func hint(key string, known []string) string {
	if slices.Contains(objectKeys, key) {
		return "a catalog is a file for event-gen, not an object in a cluster, so it has no " + key + "; the key go.package names the package"
	}
	if places := placesOf(key); len(places) > 0 {
		return "it belongs to " + strings.Join(places, ", or to ")
	}
	return "it can have " + strings.Join(known, ", ")
}

// objectKeys are keys of objects in a cluster that catalogs do not have.
var objectKeys = []string{"metadata", "status", "labels", "namespace"}

// entries reads the entries of a mapping, the first one for each key. It returns false if the node
// is not a mapping.
func (w *walker) entries(what string, n *yaml.Node, read func(key Scalar, value *yaml.Node)) bool {
	if !w.isKind(n, yaml.MappingNode, what) {
		return false
	}
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
	return true
}

func (w *walker) key(n *yaml.Node, what string) (Scalar, bool) {
	if n.Tag == "!!merge" {
		w.reject(n, "merge keys (<<) are not supported; use spec.defaults and spec.params instead")
		return Scalar{}, false
	}
	// on is a boolean in YAML 1.1, but only event-gen reads catalogs
	if n.Value == "on" && what == "an event" {
		return Scalar{Value: n.Value, Pos: w.pos(n)}, true
	}
	return w.scalar("", "a key of "+what, n)
}

// isKind reports whether a node is of a kind, and adds a finding if it is not.
func (w *walker) isKind(n *yaml.Node, kind yaml.Kind, what string) bool {
	switch {
	case n.Kind == yaml.AliasNode:
		w.reject(n, "%s: aliases (*%s) are not supported; write out the value%s", what, n.Value, once(what))
	case n.Style&yaml.TaggedStyle != 0:
		w.reject(n, "%s: tags (%s) are not supported; quote the value to make it text", what, n.Tag)
	case n.Kind != kind:
		w.reject(n, "%s: expected %s, found %s", what, kindNames[kind], describe(n))
	default:
		return true
	}
	return false
}

// once returns a hint about the place where a value of several events can be given once.
func once(what string) string {
	switch {
	case slices.Contains(Keys[Defaults](), what):
		return ", or give it once as defaults: {" + what + ": …}"
	case strings.Contains(what, "param"):
		return ", or name it once in spec.params"
	}
	return ""
}

var kindNames = map[yaml.Kind]string{
	yaml.MappingNode:  "a mapping",
	yaml.SequenceNode: "a list",
	yaml.ScalarNode:   "text",
}

// describe returns the type that YAML gave a value.
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
