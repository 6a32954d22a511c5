package model

import (
	"maps"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// objectValues maps placeholders of objects to their values.
var objectValues = func() map[string]eventrt.Value {
	values := map[string]eventrt.Value{}
	for value, p := range Placeholders {
		values[p.Name] = value
	}
	return values
}()

// template returns a message or annotation as the segments that the run time renders: literal text
// followed by a value.
func (s *eventStep) template(m *catalog.Message) []eventrt.Segment {
	var out []eventrt.Segment
	text := ""
	for i := range m.Segments {
		segment := &m.Segments[i]
		if segment.Placeholder == "" {
			text += segment.Text
			continue
		}
		if value, param, ok := s.placeholder(segment); ok {
			out = append(out, eventrt.Segment{Text: text, Value: value, Param: param})
			text = ""
		}
	}
	if text != "" {
		out = append(out, eventrt.Segment{Text: text})
	}
	return out
}

func (s *eventStep) placeholder(segment *catalog.Segment) (value eventrt.Value, param int, ok bool) {
	name := segment.Placeholder
	if i := s.e.paramIndex(name); i >= 0 {
		return eventrt.ParamValue, i, true
	}
	value, known := objectValues[name]
	switch {
	case conditionParams[name] != nil:
		s.Errorf(segment.Pos, diag.UndeclaredPlaceholder, "{%s} needs the condition of a transition, and the event has none; give on: {condition: Ready, status: \"False\"}, say", name)
	case known && value == eventrt.RelatedUID && s.e.Related != nil && s.e.Related.ByName:
		s.Errorf(segment.Pos, diag.UndeclaredPlaceholder, "{%s} is not known for an object that is given by its name", name)
	case known && (value < eventrt.RelatedName || s.e.Related != nil):
		return value, 0, true
	case slices.Contains(s.e.unresolved, name):
	case known:
		s.Errorf(segment.Pos, diag.UndeclaredPlaceholder, "{%s} needs a related object, and the event has none; give related", name)
	default:
		s.Errorf(segment.Pos, diag.UndeclaredPlaceholder, "no param or object declares {%s}%s", name, spell.Suggest(name, s.e.placeholders()))
	}
	return 0, 0, false
}

// placeholders returns the placeholders that the event's messages may use.
func (e *Event) placeholders() []string {
	names := e.paramNames()
	if e.On != nil {
		names = sortedKeys(conditionParams)
	}
	for _, name := range sortedKeys(objectValues) {
		if e.Related != nil || objectValues[name] < eventrt.RelatedName {
			names = append(names, name)
		}
	}
	return names
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// each returns what f makes of the elements of a list; nil for an empty list.
func each[T, R any](list []T, f func(T) R) (made []R) {
	for _, element := range list {
		made = append(made, f(element))
	}
	return made
}

func (e *Event) paramNames() []string {
	return each(e.Params, func(p *Param) string { return p.Name })
}

func (e *Event) paramIndex(name string) int {
	if p := conditionParams[name]; p != nil {
		name = p.Name
	}
	return slices.IndexFunc(e.Params, func(p *Param) bool { return p.Name == name })
}

// knows reports whether a placeholder is empty, or names a value of an object or a param that
// resolved.
func (e *Event) knows(placeholder string) bool {
	_, object := objectValues[placeholder]
	return placeholder == "" || object || e.paramIndex(placeholder) >= 0
}

// paramNamed finds the param that a key such as select names. If there is none, it reports that.
func (s *eventStep) paramNamed(name catalog.Scalar, key string) (int, bool) {
	i := s.e.paramIndex(name.Value)
	if i < 0 && !slices.Contains(s.e.unresolved, name.Value) {
		s.Errorf(name.Pos, diag.UndeclaredPlaceholder, "%s names a param, and event %s declares no %q%s", key, s.e.Name, name.Value,
			spell.Suggest(name.Value, s.e.paramNames()))
	}
	return i, i >= 0
}
