package fix

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// removal returns the edits that remove an item of a list or an entry of a mapping. If the list has
// no other item, they remove the list.
func (f *File) removal(n node) ([]Edit, bool) {
	switch {
	case n.parent.Kind == yaml.SequenceNode && len(n.parent.Content) == 1:
		return f.removeEntry(f.nodes[n.parent])
	case n.parent.Kind == yaml.MappingNode:
		return f.removeEntry(n)
	case n.parent.Style&yaml.FlowStyle != 0:
		start, end, ok := f.span(n.Node)
		return f.cut(start, end), ok
	}
	return f.cutLines(n.Node, n.Node)
}

// removeEntry returns the edits that remove the entry of a key or value.
func (f *File) removeEntry(n node) ([]Edit, bool) {
	if n.parent == nil || n.parent.Kind != yaml.MappingNode {
		return nil, false
	}
	i := n.index - n.index%2
	key, value := n.parent.Content[i], n.parent.Content[i+1]
	if n.parent.Style&yaml.FlowStyle != 0 {
		start, end, ok := f.entrySpan(key, value)
		return f.cut(start, end), ok
	}
	if len(n.parent.Content) == 2 {
		return nil, false // an empty mapping would mean something else
	}
	return f.cutLines(key, value)
}

// cut returns the edits that remove a part of a flow collection, with one of the commas around it.
func (f *File) cut(start, end int) []Edit {
	rest := f.data[end:]
	if trimmed := bytes.TrimLeft(rest, " "); bytes.HasPrefix(trimmed, []byte(",")) {
		end += len(rest) - len(trimmed) + 1
		end += len(f.data[end:]) - len(bytes.TrimLeft(f.data[end:], " "))
	} else if before := bytes.TrimRight(f.data[:start], " "); bytes.HasSuffix(before, []byte(",")) {
		start = len(before) - 1
	}
	return []Edit{{Start: start, End: end}}
}

// cutLines returns the edits that remove the lines from the first node to the last one. The first
// node must begin its line.
func (f *File) cutLines(first, last *yaml.Node) ([]Edit, bool) {
	start := f.lines[first.Line-1]
	at, _ := f.offset(first.Line, first.Column)
	indent := bytes.TrimLeft(f.data[start:at], " ")
	isItem := first == last
	if isItem && !bytes.Equal(bytes.TrimRight(indent, " "), []byte("-")) || !isItem && len(indent) > 0 {
		return nil, false
	}
	line, ok := f.lastLine(last)
	if !ok {
		return nil, false
	}
	end := f.lineEnd(line)
	if bytes.Contains(f.data[start:end], []byte("#")) {
		return nil, false // a comment may give the reason for the entry
	}
	return []Edit{{Start: start, End: end}}, true
}

// lastLine returns the last line of a node. It returns false if a scalar of the node has several
// lines.
func (f *File) lastLine(n *yaml.Node) (int, bool) {
	line := n.Line
	if start, end, ok := f.span(n); ok {
		return line + bytes.Count(f.data[start:end], []byte("\n")), true
	}
	if n.Kind == yaml.ScalarNode || len(n.Content) == 0 || n.Style&yaml.FlowStyle != 0 {
		return line, false
	}
	return f.lastLine(n.Content[len(n.Content)-1])
}
