package model

import (
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
)

// containersPath is the fieldPath of a container, without its name (kubernetes pkg/kubelet/container/ref.go).
const containersPath = "spec.containers"

// regarding resolves what the event is about. It reports whether there is anything.
func (b *builder) regarding(e *Event) bool {
	src := b.cat.About(e.Source)
	if src == nil {
		if !b.incomplete(e) {
			b.fs.Errorf(e.Source.Pos, "EV001", "event %s names no regarding object, and spec.defaults has none; give regarding", e.Name)
		}
		return false
	}
	e.Regarding.AnyOf = src.AnyOf
	for _, alias := range src.Objects {
		if o := b.objectNamed(alias); o != nil && b.fitsRegarding(e, o, alias.Pos) {
			e.Regarding.Objects = append(e.Regarding.Objects, o)
		}
	}
	b.container(e, src)
	return len(e.Regarding.Objects) > 0
}

// fitsRegarding reports an object that stands twice in a list, and one of any kind in a closed set.
func (b *builder) fitsRegarding(e *Event, o *Object, pos diag.Pos) bool {
	for _, other := range e.Regarding.Objects {
		if other == o {
			b.fs.Errorf(pos, "EV105", "object %s is twice in regarding", o.Alias)
			return false
		}
	}
	if e.Regarding.AnyOf && slices.ContainsFunc(e.Regarding.Objects, func(other *Object) bool { return other.GoType == o.GoType }) {
		b.fs.Errorf(pos, "EV105", "object %s has the Go type of another one in anyOf, so that they can't be told apart", o.Alias)
		return false
	}
	if e.Regarding.AnyOf && o.Any {
		b.fs.Errorf(pos, "EV108", "anyOf closes the set of kinds, and %s has every kind; write regarding: %s", o.Alias, o.Alias)
		return false
	}
	return true
}

// alsoOn resolves the further objects. It reports whether all of them are there.
func (b *builder) alsoOn(e *Event) bool {
	ok := true
	for _, alias := range e.Source.AlsoOn {
		o := b.objectNamed(alias)
		switch {
		case o == nil:
			ok = false
		case slices.Contains(e.Objects(), o):
			b.fs.Errorf(alias.Pos, "EV105", "object %s is twice among the objects of event %s; a second object of its kind needs an alias of its own in spec.objects",
				o.Alias, e.Name)
			ok = false
		default:
			e.Also = append(e.Also, &Also{Object: o})
		}
	}
	return ok
}

func (b *builder) objectNamed(alias catalog.Scalar) *Object {
	o, declared := b.objects[alias.Value]
	if !declared {
		b.missing(alias.Pos, "EV108", "object %s is not in spec.objects%s", alias.Value, didYouMean(alias.Value, sortedKeys(b.objects)))
	}
	return o // nil, too, where its own declaration is at fault
}

func (b *builder) container(e *Event, src *catalog.Regarding) {
	if !src.Container.Set() {
		return
	}
	i, ok := b.paramNamed(e, src.Container, "container")
	if !ok {
		return
	}
	p := e.Params[i]
	if !p.text || p.Definition.Sensitive {
		b.fs.Errorf(src.Container.Pos, "EV001", "container needs a param of text that is not sensitive, such as a name; %s is %s", p.Name, p.Type)
		return
	}
	e.Regarding.Container = p
}

// related resolves the related object; an event without one has none.
func (b *builder) related(e *Event) {
	src := e.Source.Related
	if src == nil {
		return
	}
	o := b.objectNamed(src.Object)
	optional := readBool(b.fs, src.Optional, "optional")
	if src.Prefix.Set() && !optional {
		b.fs.Errorf(src.Prefix.Pos, "EV001", "a prefix belongs to an optional related object; this one is always shown, so write the text into the message")
	}
	if o != nil {
		e.Related = &Related{Object: o, Optional: optional, Prefix: src.Prefix.Value}
	}
}
