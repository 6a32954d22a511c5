package model

import (
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// objectValues are the placeholders of objects.
var objectValues = map[string]eventrt.Value{
	"regarding.name":      eventrt.RegardingName,
	"regarding.namespace": eventrt.RegardingNamespace,
	"regarding.kind":      eventrt.RegardingKind,
	"regarding.uid":       eventrt.RegardingUID,
	"related.name":        eventrt.RelatedName,
	"related.namespace":   eventrt.RelatedNamespace,
	"related.kind":        eventrt.RelatedKind,
	"related.uid":         eventrt.RelatedUID,
}

// template turns a message or annotation into what the run time renders: literal text followed by a value.
func (b *builder) template(e *Event, m *catalog.Message) []eventrt.Segment {
	var out []eventrt.Segment
	text := ""
	for i := range m.Segments {
		s := &m.Segments[i]
		if s.Placeholder == "" {
			text += s.Text
			continue
		}
		value, param, ok := b.placeholder(e, s)
		if !ok {
			continue
		}
		out = append(out, eventrt.Segment{Text: text, Value: value, Param: param})
		text = ""
	}
	if text != "" {
		out = append(out, eventrt.Segment{Text: text})
	}
	return out
}

func (b *builder) placeholder(e *Event, s *catalog.Segment) (eventrt.Value, int, bool) {
	name := s.Placeholder
	if i := e.paramIndex(name); i >= 0 {
		return eventrt.ParamValue, i, true
	}
	value, known := objectValues[name]
	if known && (value < eventrt.RelatedName || e.Related != nil) {
		return value, 0, true
	}
	if b.incomplete(e) || contains(e.unresolved, name) {
		return 0, 0, false
	}
	if known {
		b.fs.Errorf(s.Pos, "EV202", "{%s} needs a related object, and the event has none; give related", name)
		return 0, 0, false
	}
	b.fs.Errorf(s.Pos, "EV202", "no param or object declares {%s}%s", name, didYouMean(name, e.placeholders()))
	return 0, 0, false
}

// placeholders are those that the event's messages may use.
func (e *Event) placeholders() []string {
	var names []string
	for _, p := range e.Params {
		names = append(names, p.Name)
	}
	for _, name := range sortedKeys(objectValues) {
		if e.Related != nil || strings.HasPrefix(name, "regarding.") {
			names = append(names, name)
		}
	}
	return names
}

func (e *Event) paramIndex(name string) int {
	for i, p := range e.Params {
		if p.Name == name {
			return i
		}
	}
	return -1
}

// paramNamed finds the param that a key such as select names, or reports that there is none.
func (b *builder) paramNamed(e *Event, s catalog.Scalar, key string) (int, bool) {
	i := e.paramIndex(s.Value)
	if i < 0 && !b.incomplete(e) && !contains(e.unresolved, s.Value) {
		names := make([]string, len(e.Params))
		for j, p := range e.Params {
			names[j] = p.Name
		}
		b.fs.Errorf(s.Pos, "EV202", "%s names a param, and the event declares no %q%s", key, s.Value, didYouMean(s.Value, names))
	}
	return i, i >= 0
}

func (b *builder) incomplete(e *Event) bool { return b.cat.Incomplete || e.Source.Incomplete }

// messagePos is the best position for what concerns a whole message.
func messagePos(m *catalog.Message, e *Event) diag.Pos {
	if m != nil && m.Pos.Line > 0 {
		return m.Pos
	}
	return e.Source.Pos
}
