package catalog

import (
	"reflect"

	"go.yaml.in/yaml/v3"
)

// read reads one event. A mistake in it affects only this event.
func (e *Event) read(w *walker, what string, n *yaml.Node) bool {
	outer := w.lost
	w.lost = false
	w.structure(reflect.ValueOf(e).Elem(), what, n, keysOf(reflect.TypeFor[Event]()))
	w.checkVariants(e, n)
	e.Incomplete, w.lost = w.lost, outer
	return true
}

// checkVariants reports keys that exclude or need each other: reason, name, select, variants and
// other. It does not judge an event that could not be read completely.
func (w *walker) checkVariants(e *Event, n *yaml.Node) {
	if w.lost {
		return
	}
	selects, varies := e.Select.Set(), len(e.Variants) > 0
	switch {
	case selects && !varies:
		w.reject(n, "an event with select needs the key %q", "variants")
	case varies && !selects:
		w.reject(n, "an event with variants needs the key %q", "select")
	case !varies && e.Other != nil:
		w.reject(n, "other needs variants")
	case !varies && !e.Reason.Set():
		w.reject(n, "an event needs the key %q", "reason")
	case varies && e.Reason.Set():
		w.reject(n, "an event with variants has no reason of its own; give each variant a reason")
	case varies && !e.Name.Set():
		w.reject(n, "an event with variants needs the key %q", "name")
	}
}

// schema allows an event either one reason, or variants with a reason each.
func (*Event) schema(d definitions) schema {
	return d.define(reflect.TypeFor[Event](), func(s schema) schema {
		s["oneOf"] = []schema{
			{"required": []string{"reason"}, "not": anyOf(needs("select"), needs("variants"), needs("other"))},
			{"required": []string{"name", "select", "variants"}, "not": needs("reason")},
		}
		return s
	})
}

// read reads an entry, which may be empty, or other.
func (v *Variant) read(w *walker, what string, n *yaml.Node) bool {
	named := v.Name.Set()
	if named && isNull(n) {
		return true
	}
	fields := keysOf(reflect.TypeFor[Variant]())
	if !named {
		fields = keysOf(reflect.TypeFor[Variant](), "reason")
	}
	return w.structure(reflect.ValueOf(v).Elem(), what, n, fields)
}

func (*Variant) schema(d definitions) schema {
	return d.define(reflect.TypeFor[Variant](), func(s schema) schema { return oneOf(schema{"type": "null"}, s) })
}

// read reads an alias, a list of aliases, or the long form.
func (r *Regarding) read(w *walker, what string, n *yaml.Node) bool {
	r.Pos = w.pos(n)
	switch n.Kind {
	case yaml.ScalarNode:
		r.Objects = w.appended(nil, what, n)
	case yaml.SequenceNode:
		w.value(reflect.ValueOf(&r.Objects).Elem(), nil, what, n)
	default:
		r.mapping(w, what, n)
	}
	return true
}

// regardingKeys is the long form of Regarding.
type regardingKeys struct {
	AnyOf     []Scalar `key:"anyOf" schema:"some"`
	Object    Scalar   `key:"object"`
	Container Scalar   `key:"container"`
}

func (r *Regarding) mapping(w *walker, what string, n *yaml.Node) {
	var long regardingKeys
	w.structure(reflect.ValueOf(&long).Elem(), what, n, keysOf(reflect.TypeFor[regardingKeys]()))
	if n.Kind != yaml.MappingNode {
		return
	}
	anyOf, object := len(long.AnyOf) > 0, long.Object.Set()
	if anyOf == object || anyOf && long.Container.Set() {
		w.reject(n, "%s: expected either anyOf, or object with container", what)
	}
	if object {
		r.Objects = append(r.Objects, long.Object)
	}
	r.Objects, r.AnyOf, r.Container = append(r.Objects, long.AnyOf...), anyOf, long.Container
}

func (w *walker) appended(list []Scalar, what string, n *yaml.Node) []Scalar {
	if s, ok := w.text(what, n); ok {
		return append(list, s)
	}
	return list
}

func (*Regarding) schema(d definitions) schema {
	return d.define(reflect.TypeFor[Regarding](), func(schema) schema {
		long := d.structure(reflect.TypeFor[regardingKeys](), keysOf(reflect.TypeFor[regardingKeys]()))
		long["oneOf"] = []schema{
			{"required": []string{"anyOf"}, "not": anyOf(needs("object"), needs("container"))},
			{"required": []string{"object"}, "not": needs("anyOf")},
		}
		return oneOf(text(""), schema{"type": "array", "items": text("")}, long)
	})
}
