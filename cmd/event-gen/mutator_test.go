package main

import (
	"bytes"
	"math/rand/v2"
	"strings"

	"go.yaml.in/yaml/v3"
)

// mutator changes real catalogs into ones that nobody would write. It changes nodes, not bytes, so
// that the YAML reader accepts most results.
type mutator struct {
	*rand.Rand
	keys []string // of all seeds
}

// oddScalars are values at the edge of what a key takes.
var oddScalars = []string{
	"null", "~", `""`, "0", "-1", "2147483647", "2147483648", "99999999999999999999", "1.5", "1e9", ".nan", ".inf", "true", "no", "Off",
	"string", "error", "enum", "int32", "float64", "duration", "time", "strings", "object", "any", "string(0)", "string(5)", "string(99999)",
	"Pod", "v1", "batch/v1", "Warning", "Normal", "Deleted", "{cause}", "{regarding.name}", "{related.name}", "{", "}}", "%s %d %!",
	"2006-01-02", "5s", "-5s", "10m", "9999999h", "0s", "https://example.com", "a b", " ", "a\tb", "é", "日本語", "\u200b", "\U0001F600",
	"x.Y", ".X", "X.", "..", "a/b", "../x", "/", "*", "&a b", "!!str x", "<<", "type", "func", "_", "regarding", "related", "Recorder",
	"NewRecorder", "example.com/m/v2", "C", "unsafe", "x\x07", strings.Repeat("x", 300), "RFC3339", "2006", "ns", "struct", "positional",
}

// mutate changes 1 to 4 nodes of a document.
func (m *mutator) mutate(text []byte) []byte {
	var document yaml.Node
	if yaml.Unmarshal(text, &document) != nil || len(document.Content) == 0 {
		return text
	}
	for range 1 + m.IntN(4) {
		nodes := nodesOf(document.Content[0])
		m.change(nodes[m.IntN(len(nodes))], nodes)
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	if encode(encoder, &document) != nil {
		return text
	}
	return b.Bytes()
}

// encode writes a document. The library panics on some nodes that have no text form.
func encode(e *yaml.Encoder, document *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errUnwritable
		}
	}()
	return e.Encode(document)
}

var errUnwritable = &yaml.TypeError{Errors: []string{"no text stands for these nodes"}}

func nodesOf(n *yaml.Node) []*yaml.Node {
	nodes := []*yaml.Node{n}
	for _, child := range n.Content {
		nodes = append(nodes, nodesOf(child)...)
	}
	return nodes
}

// change makes one change.
func (m *mutator) change(n *yaml.Node, all []*yaml.Node) {
	switch m.IntN(9) {
	case 0:
		*n = *m.scalar()
	case 1:
		*n = *clone(all[m.IntN(len(all))])
	case 2:
		*n = yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{clone(n)}}
	case 3:
		*n = yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{m.key(), clone(n)}}
	case 4:
		m.remove(n)
	case 5:
		m.insert(n, all)
	case 6:
		m.text(n)
	case 7:
		n.Style = []yaml.Style{0, yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle, yaml.LiteralStyle, yaml.FoldedStyle, yaml.FlowStyle}[m.IntN(6)]
	case 8:
		n.LineComment = "# why"
	}
}

func (m *mutator) scalar() *yaml.Node {
	text := oddScalars[m.IntN(len(oddScalars))]
	var document yaml.Node
	if m.IntN(2) == 0 && yaml.Unmarshal([]byte(text), &document) == nil && len(document.Content) > 0 && document.Content[0].Kind == yaml.ScalarNode {
		return document.Content[0]
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Style: yaml.DoubleQuotedStyle}
}

func (m *mutator) key() *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: m.keys[m.IntN(len(m.keys))]}
}

// remove removes an entry or item.
func (m *mutator) remove(n *yaml.Node) {
	if len(n.Content) == 0 {
		return
	}
	width := 1
	if n.Kind == yaml.MappingNode {
		width = 2
	}
	i := m.IntN(len(n.Content)/width) * width
	n.Content = append(n.Content[:i:i], n.Content[i+width:]...)
}

// insert adds an entry or item, often a duplicate.
func (m *mutator) insert(n *yaml.Node, all []*yaml.Node) {
	value := m.scalar()
	if m.IntN(2) == 0 {
		value = clone(all[m.IntN(len(all))])
	}
	switch n.Kind {
	case yaml.MappingNode:
		n.Content = append(n.Content, m.key(), value)
	case yaml.SequenceNode:
		for range 1 + m.IntN(20) {
			n.Content = append(n.Content, clone(value))
		}
	}
}

// text changes a few characters of a scalar.
func (m *mutator) text(n *yaml.Node) {
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		return
	}
	i := m.IntN(len(n.Value))
	n.Value = strings.ToValidUTF8(n.Value[:i]+oddScalars[m.IntN(len(oddScalars))]+n.Value[i+m.IntN(len(n.Value)-i):], "?")
	n.Tag = ""
}

func clone(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = nil
	for _, child := range n.Content {
		c.Content = append(c.Content, clone(child))
	}
	return &c
}
