package fix

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/catalog"
)

// The canonical order of keys.
var (
	specOrder  = catalog.Keys[catalog.Spec]()
	eventOrder = catalog.Keys[catalog.Event]()
)

// Ordered returns the file with the keys of spec and of events in canonical order. If it is not
// sure which key a comment belongs to, the order stays.
func Ordered(data []byte) []byte {
	for _, level := range []func(*File) []Edit{(*File).orderSpecs, (*File).orderEvents} {
		f, ok := Parse(data)
		if !ok {
			return data
		}
		if ordered := Apply(data, level(f)); same(data, ordered) {
			data = ordered
		}
	}
	return data
}

func (f *File) orderSpecs() []Edit {
	var edits []Edit
	for _, spec := range f.specs {
		edits = append(edits, f.order(spec, specOrder)...)
	}
	return edits
}

func (f *File) orderEvents() []Edit {
	var edits []Edit
	for _, e := range f.events {
		edits = append(edits, f.order(e.Node, eventOrder)...)
	}
	return edits
}

// entry is an entry of a mapping, and its place in the canonical order.
type entry struct {
	key, value *yaml.Node
	rank       int
}

func (f *File) order(n *yaml.Node, keys []string) []Edit {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	var entries []entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		rank := slices.Index(keys, n.Content[i].Value)
		if rank < 0 {
			return nil
		}
		entries = append(entries, entry{n.Content[i], n.Content[i+1], rank})
	}
	sorted := slices.Clone(entries)
	slices.SortStableFunc(sorted, func(a, b entry) int { return cmp.Compare(a.rank, b.rank) })
	if slices.Equal(sorted, entries) {
		return nil
	}
	if n.Style&yaml.FlowStyle != 0 {
		return f.orderFlow(entries, sorted)
	}
	return f.orderBlock(entries, sorted)
}

// orderFlow writes the entries of a flow mapping in order. Each goes to the place of the entry that
// had its rank.
func (f *File) orderFlow(entries, sorted []entry) []Edit {
	var edits []Edit
	for i := range entries {
		start, end, ok := f.entrySpan(entries[i].key, entries[i].value)
		from, to, movable := f.entrySpan(sorted[i].key, sorted[i].value)
		if !ok || !movable {
			return nil
		}
		edits = append(edits, Edit{Start: start, End: end, Text: string(f.data[from:to])})
	}
	return edits
}

// orderBlock orders the entries of a block mapping by moving whole lines. Comments above a key move
// with the key.
func (f *File) orderBlock(entries, sorted []entry) []Edit {
	first, last := f.lines[entries[0].key.Line-1], f.blockEnd(entries[len(entries)-1].key)
	at, _ := f.offset(entries[0].key.Line, entries[0].key.Column)
	lead := string(f.data[first:at])
	indent := strings.Repeat(" ", len(lead))
	if lead == indent {
		first = f.chunkStart(entries[0].key)
		at = first
	}
	chunks := map[*yaml.Node]string{}
	var between []string // line ends and empty lines, which stay where they are
	for i, e := range entries {
		start, end := at, last
		if i > 0 {
			start = f.chunkStart(e.key)
		}
		if i+1 < len(entries) {
			end = f.chunkStart(entries[i+1].key)
		}
		text := strings.TrimPrefix(string(f.data[start:end]), indent)
		chunks[e.key] = strings.TrimRight(text, "\r\n")
		between = append(between, text[len(chunks[e.key]):])
	}
	if strings.HasPrefix(chunks[sorted[0].key], "#") && strings.TrimSpace(lead) != "" {
		return nil // the comment would stand between the dash and the key
	}
	text := lead
	for i, e := range sorted {
		if i > 0 {
			text += between[i-1] + indent
		}
		text += chunks[e.key]
	}
	return []Edit{{Start: first, End: first + len(bytes.TrimRight(f.data[first:last], "\r\n")), Text: text}}
}

// chunkStart returns the beginning of a key's line, or of the comments right above it.
func (f *File) chunkStart(key *yaml.Node) int {
	line := key.Line
	for line > 1 && bytes.HasPrefix(bytes.TrimSpace(f.lineText(line-1)), []byte("#")) {
		line--
	}
	return f.lines[line-1]
}

// blockEnd returns the end of the last entry of a block mapping: the beginning of the next line
// that is indented no further than the key. An item of the key's own list does not count as such a
// line.
func (f *File) blockEnd(key *yaml.Node) int {
	indent := key.Column - 1
	line := key.Line
	end := f.lineEnd(line)
	for line++; line <= len(f.lines); line++ {
		text := f.lineText(line)
		trimmed := bytes.TrimLeft(text, " ")
		depth := len(text) - len(trimmed)
		switch {
		case len(bytes.TrimSpace(trimmed)) == 0:
			continue
		case depth > indent, depth == indent && bytes.HasPrefix(trimmed, []byte("- ")) && f.isItem(line, key):
			end = f.lineEnd(line)
		default:
			return end
		}
	}
	return end
}

// isItem reports whether a line, indented like the key, begins an item of the key's own list.
func (f *File) isItem(line int, key *yaml.Node) bool {
	at := f.lines[key.Line-1]
	lead, _ := f.offset(key.Line, key.Column)
	return line > key.Line && len(bytes.TrimSpace(f.data[at:lead])) == 0
}

func (f *File) lineEnd(line int) int {
	if line < len(f.lines) {
		return f.lines[line]
	}
	return len(f.data)
}

func (f *File) lineText(line int) []byte { return f.data[f.lines[line-1]:f.lineEnd(line)] }

// same reports whether two texts have the same YAML content and the same comments.
func same(a, b []byte) bool {
	if bytes.Count(a, []byte("#")) != bytes.Count(b, []byte("#")) {
		return false
	}
	before, ok := decode(a)
	after, valid := decode(b)
	return ok && valid && reflect.DeepEqual(before, after)
}

func decode(data []byte) (documents []any, ok bool) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var document any
		if err := decoder.Decode(&document); err != nil {
			return documents, err.Error() == "EOF"
		}
		documents = append(documents, document)
	}
}
