package catalog

import (
	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// read reads text with placeholders. It must be quoted: unquoted text ends at " #", and text that
// begins with a brace is a mapping.
func (m *Message) read(w *walker, what string, n *yaml.Node) bool {
	if n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode {
		w.lost = true
		w.findings.Errorf(w.pos(n), diag.YAMLTrap, "%s: YAML reads this as %s; quote the text", what, kindNames[n.Kind])
		return false
	}
	s, ok := w.quoted(what, n)
	if ok {
		*m = w.parse(what, s, n)
	}
	return ok
}

func (*Message) schema(definitions) schema { return text(messagePattern) }

// quoted reads text that must be quoted or a block. It reports other text, but returns it unless
// YAML has cut it.
func (w *walker) quoted(key string, n *yaml.Node) (Scalar, bool) {
	if !w.isKind(n, yaml.ScalarNode, key) {
		return Scalar{}, false
	}
	s := Scalar{Value: n.Value, Pos: w.pos(n)}
	switch {
	case !isPlain(n):
	case isNull(n):
		w.reject(n, "%s has no value", key)
		return Scalar{}, false
	case n.LineComment != "":
		w.lost = true
		w.findings.Errorf(s.Pos, diag.YAMLTrap, `%s: the text must be quoted; unquoted, it ends at " #"`, key)
		return Scalar{}, false
	default:
		w.findings.Errorf(s.Pos, diag.YAMLTrap, "%s: the text must be quoted: write %q", key, n.Value)
	}
	return s, true
}

func (w *walker) parse(key string, s Scalar, n *yaml.Node) Message {
	pieces, problems := parseMessage(s.Value)
	at := w.locate(n)
	for _, p := range problems {
		w.lost = true
		w.findings.Errorf(at(p.at), diag.Syntax, "%s: %s", key, p.text)
	}
	return Message{Pos: s.Pos, Text: s.Value, Segments: place(pieces, at)}
}

func place(pieces []piece, at func(int) diag.Pos) []Segment {
	segments := make([]Segment, len(pieces))
	for i, p := range pieces {
		segments[i] = p.Segment
		segments[i].Pos = at(p.at)
	}
	return segments
}
