package fix

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// span returns the bytes of a node. It returns false for blocks and for folded text, whose end is
// not easy to find.
func (f *File) span(n *yaml.Node) (start, end int, ok bool) {
	start, ok = f.offset(n.Line, n.Column)
	if !ok {
		return 0, 0, false
	}
	rest := f.data[start:]
	length := -1
	switch {
	case n.Kind == yaml.MappingNode && bytes.HasPrefix(rest, []byte("{")), n.Kind == yaml.SequenceNode && bytes.HasPrefix(rest, []byte("[")):
		length = flowLength(rest)
	case n.Kind != yaml.ScalarNode:
	case n.Style&yaml.DoubleQuotedStyle != 0, n.Style&yaml.SingleQuotedStyle != 0:
		length = quotedLength(rest)
	case n.Style == 0 && bytes.HasPrefix(rest, []byte(n.Value)):
		length = len(n.Value)
	}
	return start, start + length, length >= 0
}

// quotedLength returns the length of quoted text, its quotes included; -1 if it ends on another
// line.
func quotedLength(text []byte) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\n':
			return -1
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return -1
}

// flowLength returns the length of a flow collection, its brackets included; -1 if it has comments
// or no end.
func flowLength(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case (c == '"' || c == '\'') && startsToken(text, i):
			length := quotedLength(text[i:])
			if length < 0 {
				return -1
			}
			i += length - 1
		case c == '#' && bytes.ContainsRune([]byte(" \t\n"), rune(text[i-1])):
			return -1
		}
	}
	return -1
}

// startsToken reports whether a quote opens quoted text. A quote inside of a word does not.
func startsToken(text []byte, i int) bool {
	before := bytes.TrimRight(text[:i], " \t\n\r")
	return len(before) == 0 || bytes.ContainsRune([]byte("{[,:?-"), rune(before[len(before)-1]))
}

// entrySpan returns the bytes of an entry of a flow mapping.
func (f *File) entrySpan(key, value *yaml.Node) (start, end int, ok bool) {
	start, end, ok = f.span(key)
	if !ok || value.Kind == yaml.ScalarNode && value.Value == "" && value.Style == 0 {
		return start, end, ok
	}
	_, end, ok = f.span(value)
	return start, end, ok
}
