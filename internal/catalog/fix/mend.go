package fix

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// For returns the fix of a finding; false if there is no sure fix.
func (f *File) For(finding diag.Finding) (Fix, bool) {
	n, found := f.places[place{finding.Pos.Line, finding.Pos.Column}]
	if finding.Rule == diag.LeftoverVerb {
		return f.verbs(finding.Pos)
	}
	if !found {
		return Fix{}, false
	}
	switch finding.Rule {
	case diag.YAMLTrap:
		return f.quote(n)
	case diag.CamelCase, diag.GoName:
		return f.camelCase(n)
	case diag.UnusedParam:
		return f.unused(n)
	}
	return Fix{}, false
}

// quote puts quotes around text. It does not change text before a comment, because the author may
// have meant the # as text.
func (f *File) quote(n node) (Fix, bool) {
	start, end, ok := f.span(n.Node)
	if !ok || n.Kind != yaml.ScalarNode || n.Style != 0 || n.LineComment != "" && messageKeys[n.key] {
		return Fix{}, false
	}
	return Fix{Description: "quote the text", Edits: []Edit{{Start: start, End: end, Text: quoted(n.Value)}}}, true
}

var messageKeys = map[string]bool{"message": true, "prefix": true, "separator": true, "annotations": true}

func quoted(text string) string {
	if strings.ContainsAny(text, `"\`) {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return `"` + text + `"`
}

var upperCamelCase = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// camelCase rewrites the reason or action of an event that is not released yet, unless another
// event has that name.
func (f *File) camelCase(n node) (Fix, bool) {
	if n.event == nil || n.key != "reason" && n.key != "action" || value(value(n.event.Node, "lifecycle"), "since") != nil {
		return Fix{}, false
	}
	start, end, ok := f.span(n.Node)
	name := camel(n.Value)
	if !ok || name == n.Value || !upperCamelCase.MatchString(name) || f.taken(name, n) {
		return Fix{}, false
	}
	return Fix{Description: "write " + name, Edits: []Edit{{Start: start, End: end, Text: name}}}, true
}

func camel(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// taken reports whether another event has the name as its name or reason, or would get it from a
// fix.
func (f *File) taken(name string, from node) bool {
	return slices.ContainsFunc(f.claims[name], func(c claim) bool {
		own := c.key == "name" && c.event == from.event
		return !own && c.value != from.Value
	})
}

// unused removes an unused param or other declaration. It keeps a param that a verb of the message
// may stand for.
func (f *File) unused(n node) (Fix, bool) {
	if n.event != nil && len(f.verbsOf(n.event)) > 0 {
		return Fix{}, false
	}
	for n.parent != nil && n.event != nil && n.parent.Kind != yaml.SequenceNode {
		n = f.nodes[n.parent] // from the name to the item
	}
	if n.parent == nil {
		return Fix{}, false
	}
	edits, ok := f.removal(n)
	return Fix{Description: "remove it", Edits: edits}, ok
}

var (
	anyVerb   = regexp.MustCompile(`%[-+#0]*[0-9]*(?:\.[0-9]+)?[vTtbcdoOqxXUeEfFgGspw](?:[^A-Za-z0-9]|$)`)
	plainVerb = regexp.MustCompile(`%[vdstw]`)
)

func (f *File) verbsOf(e *event) []string {
	message := value(e.Node, "message")
	if message == nil {
		return nil
	}
	return anyVerb.FindAllString(message.Value, -1)
}

// verbs replaces the verbs of a message by the params of its event, in order. The event must have
// as many params, all of them unused.
func (f *File) verbs(pos diag.Pos) (Fix, bool) {
	events := f.messages[pos.Line]
	i := slices.IndexFunc(events, func(e *event) bool { return f.covers(value(e.Node, "message"), pos) })
	if i < 0 {
		return Fix{}, false
	}
	e := events[i]
	message, names := value(e.Node, "message"), paramNames(e)
	start, end, ok := f.span(message)
	verbs := plainVerb.FindAllStringIndex(string(f.data[start:end]), -1)
	if !ok || len(verbs) != len(names) || len(f.verbsOf(e)) != len(names) || strings.ContainsAny(message.Value, "{}") ||
		value(e.Node, "variants") != nil {
		return Fix{}, false
	}
	fix := Fix{Description: "write placeholders"}
	for i, verb := range verbs {
		fix.Edits = append(fix.Edits, Edit{Start: start + verb[0], End: start + verb[1], Text: "{" + names[i] + "}"})
	}
	return fix, true
}

// covers reports whether a position is inside of a node.
func (f *File) covers(n *yaml.Node, pos diag.Pos) bool {
	start, end, ok := f.span(n)
	at, valid := f.offset(pos.Line, pos.Column)
	return ok && valid && start <= at && at < end
}

// paramNames returns the names of an event's params.
func paramNames(e *event) []string {
	params := value(e.Node, "params")
	if params == nil {
		return nil
	}
	var names []string
	for _, item := range params.Content {
		if name := value(item, "name"); name != nil {
			names = append(names, name.Value)
		} else {
			name, _, _ := strings.Cut(item.Value, " ")
			names = append(names, name)
		}
	}
	return names
}

// Apply applies edits to data. If edits overlap, it leaves out the later ones.
func Apply(data []byte, edits []Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	var out []byte
	at := 0
	for _, e := range edits {
		if e.Start < at {
			continue
		}
		out = append(append(out, data[at:e.Start]...), e.Text...)
		at = e.End
	}
	return append(out, data[at:]...)
}

// All applies the fixes of all findings that have a sure one.
func All(data []byte, findings diag.Findings) []byte {
	f, ok := Parse(data)
	if !ok {
		return data
	}
	var edits []Edit
	for _, finding := range findings {
		fix, ok := f.For(finding)
		if ok && !overlaps(edits, fix.Edits) {
			edits = append(edits, fix.Edits...)
		}
	}
	mended := Apply(data, edits)
	if _, ok := Parse(mended); !ok {
		return data
	}
	return mended
}

// overlaps reports whether edits touch. A fix is applied with all of its edits or not at all.
func overlaps(edits, more []Edit) bool {
	return slices.ContainsFunc(edits, func(a Edit) bool {
		return slices.ContainsFunc(more, func(b Edit) bool { return a.Start < b.End && b.Start < a.End })
	})
}
