// Package fix fixes findings in catalogs that have one sure fix. It edits text, so comments and
// layout stay.
package fix

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Edit replaces bytes of a file, and Fix holds the edits for one finding.
type (
	Edit = diag.Edit
	Fix  = diag.Fix
)

// File is a file of catalogs, with the positions of its YAML nodes.
type File struct {
	data   []byte
	lines  []int // where each line begins
	places map[place]node
	nodes  map[*yaml.Node]node
	events []*event
	specs  []*yaml.Node
	// claims maps the CamelCase form of names and reasons to events. messages maps the lines of
	// messages to their events.
	claims   map[string][]claim
	messages map[int][]*event
}

// claim is a name or reason of an event.
type claim struct {
	event      *event
	key, value string
}

// place is a line and a column in runes, both from 1.
type place struct{ line, column int }

// node is a YAML node and its place in the tree.
type node struct {
	*yaml.Node
	parent *yaml.Node
	index  int    // in the parent's content
	event  *event // the event that holds the node; nil outside of events
	key    string // of the entry whose value it is
}

// event is an entry of spec.events.
type event struct {
	*yaml.Node
	spec *yaml.Node
}

// oddBreak matches characters that end a line in YAML but not in editors. The reader of catalogs
// refuses them too.
var oddBreak = regexp.MustCompile("\r(?:[^\n]|$)|[\u0085\u2028\u2029]")

// Parse reads a file. It returns false if the file is not YAML or has odd line breaks, so that
// nothing in it can be fixed.
func Parse(data []byte) (*File, bool) {
	if oddBreak.Match(data) {
		return nil, false
	}
	f := &File{
		data: data, places: map[place]node{}, nodes: map[*yaml.Node]node{},
		claims: map[string][]claim{}, messages: map[int][]*event{},
	}
	f.lines = append(f.lines, 0)
	for i, b := range data {
		if b == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return f, true
		}
		if err != nil {
			return nil, false
		}
		f.document(document.Content[0])
	}
}

func (f *File) document(root *yaml.Node) {
	spec := value(root, "spec")
	if spec == nil {
		return
	}
	f.specs = append(f.specs, spec)
	owners := map[*yaml.Node]*event{}
	if events := value(spec, "events"); events != nil && events.Kind == yaml.SequenceNode {
		for _, item := range events.Content {
			e := &event{Node: item, spec: spec}
			owners[item] = e
			f.events = append(f.events, e)
			f.index(e)
		}
	}
	f.walk(node{Node: spec, key: "spec"}, owners)
}

// index adds an event to claims and messages.
func (f *File) index(e *event) {
	for _, key := range []string{"name", "reason"} {
		if v := value(e.Node, key); v != nil {
			f.claims[camel(v.Value)] = append(f.claims[camel(v.Value)], claim{e, key, v.Value})
		}
	}
	if message := value(e.Node, "message"); message != nil {
		f.messages[message.Line] = append(f.messages[message.Line], e)
	}
}

// walk records the place of every node.
func (f *File) walk(n node, owners map[*yaml.Node]*event) {
	if own := owners[n.Node]; own != nil {
		n.event = own
	}
	f.nodes[n.Node] = n
	if p := (place{n.Line, n.Column}); n.Kind == yaml.ScalarNode || f.places[p].Node == nil {
		f.places[p] = n
	}
	for i, child := range n.Content {
		key := n.key
		if n.Kind == yaml.MappingNode && i%2 == 1 {
			key = n.Content[i-1].Value
		}
		f.walk(node{Node: child, parent: n.Node, index: i, event: n.event, key: key}, owners)
	}
}

// value returns the value of a key; nil if there is none.
func value(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// offset returns the byte at a line and column.
func (f *File) offset(line, column int) (int, bool) {
	if line < 1 || line > len(f.lines) {
		return 0, false
	}
	at := f.lines[line-1]
	if line == 1 {
		at = len(f.data) - len(diag.WithoutMark(f.data))
	}
	for range column - 1 {
		_, size := utf8.DecodeRune(f.data[at:])
		at += size
	}
	return at, at <= len(f.data)
}
