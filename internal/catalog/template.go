package catalog

import (
	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// message reads a message of an event or a variant.
func (w *walker) message(into **Message) reader {
	return func(key string, n *yaml.Node) {
		if m, ok := w.template(key, n); ok {
			*into = &m
		}
	}
}

// template reads text with placeholders. It must be quoted: unquoted text ends at " #", and text that begins with a brace is
// a mapping.
func (w *walker) template(key string, n *yaml.Node) (Message, bool) {
	if n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode {
		w.lost = true
		w.findings.Errorf(w.pos(n), diag.YAMLTrap, "%s: YAML reads this as %s; quote the text", key, kindNames[n.Kind])
		return Message{}, false
	}
	s, ok := w.quoted(key, n)
	if !ok {
		return Message{}, false
	}
	return w.parse(key, s, n), true
}

// quoted reads text that must be quoted, or be a block. If it is not, quoted reports that, and keeps the text unless
// it was cut.
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
