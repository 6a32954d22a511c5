package model

import (
	"go/token"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model/wellknown"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// containersPath is the fieldPath of a container, without its name (kubernetes
// pkg/kubelet/container/ref.go).
const containersPath = "spec.containers"

// regarding resolves the event's object or its alternatives. It reports whether there is one.
func (s *eventStep) regarding() bool {
	e, src := s.e, s.cat.About(s.e.Source)
	if src == nil {
		s.Errorf(e.Source.Pos, diag.Syntax, "event %s names no regarding object, and spec.defaults has none; give regarding", e.Name)
		return false
	}
	e.Regarding.AnyOf = src.AnyOf
	for _, alias := range src.Objects {
		if o := s.objectNamed(alias); o != nil {
			e.Regarding.add(&s.Findings, o, alias.Pos)
		}
	}
	if src.Container.Set() {
		s.container(src.Container)
	}
	return len(e.Regarding.Objects) > 0
}

// add adds an object. It reports an object that is in the list already, or that a closed set can't
// have.
func (r *Regarding) add(findings *diag.Findings, o *Object, pos diag.Pos) {
	switch {
	case slices.Contains(r.Objects, o):
		findings.Errorf(pos, diag.GoName, "object %s is twice in regarding", o.Alias)
	case r.AnyOf && slices.ContainsFunc(r.Objects, func(other *Object) bool { return other.GoType == o.GoType }):
		findings.Errorf(pos, diag.GoName, "object %s has the Go type of another one in anyOf, so that they can't be told apart", o.Alias)
	case r.AnyOf && o.Any:
		findings.Errorf(pos, diag.UnknownType, "anyOf closes the set of kinds, and %s has every kind; write regarding: %s", o.Alias, o.Alias)
	default:
		r.Objects = append(r.Objects, o)
	}
}

// alsoOn resolves the further objects. It reports whether all of them are known.
func (s *eventStep) alsoOn() bool {
	e, ok := s.e, true
	for _, alias := range e.Source.AlsoOn {
		o := s.objectNamed(alias)
		switch {
		case o == nil:
			ok = false
		case slices.Contains(e.Objects(), o):
			s.Errorf(alias.Pos, diag.GoName, "object %s is twice among the objects of event %s; a second object of its kind needs an alias of its own in spec.objects",
				o.Alias, e.Name)
			ok = false
		default:
			e.Also = append(e.Also, &Also{Object: o})
		}
	}
	return ok
}

// objectNamed returns the object with an alias; nil after a finding, here or in its declaration. An
// alias may be what a misnamed declaration should have. Then the finding there is enough.
func (s *eventStep) objectNamed(alias catalog.Scalar) *Object {
	o, declared := s.objects[alias.Value]
	if declared {
		return o
	}
	known := sortedKeys(s.objects)
	right := slices.DeleteFunc(slices.Clone(known), s.misnamed)
	meant := spell.Nearest(alias.Value, right)
	if meant == "" && slices.ContainsFunc(known, func(key string) bool { return s.misnamed(key) && spell.Alike(alias.Value, key) }) {
		return nil
	}
	s.Errorf(alias.Pos, diag.UnknownType, "object %s is not in spec.objects%s", alias.Value, spell.Suggest(alias.Value, right))
	return nil
}

// misnamed reports whether the key of a declaration with a finding has to change: it is no Go name,
// or it is like a kind of k8s.io/api, but none.
func (s *eventStep) misnamed(key string) bool {
	return s.objects[key] == nil && slices.ContainsFunc(s.cat.Objects, func(d catalog.ObjectDecl) bool {
		return d.Alias.Value == key && (!token.IsIdentifier(key) || d.Version.Set() && likeKind(key))
	})
}

func likeKind(key string) bool {
	kinds := wellknown.EveryKind()
	return !slices.Contains(kinds, key) && slices.ContainsFunc(kinds, func(kind string) bool { return spell.Alike(key, kind) })
}

func (s *eventStep) container(name catalog.Scalar) {
	i, ok := s.paramNamed(name, "container")
	if !ok {
		return
	}
	p := s.e.Params[i]
	if !p.Text() || p.Definition.Sensitive {
		s.Errorf(name.Pos, diag.Syntax, "container needs a param of text that is not sensitive, such as a name; %s is %s", p.Name, p.Type)
		return
	}
	s.e.Regarding.Container = p
}

// related resolves the related object. It reports whether the object is known, or the event has
// none.
func (s *eventStep) related() bool {
	src := s.e.Source.Related
	if src == nil {
		return true
	}
	if src.Prefix.Set() && !src.Optional.True() {
		s.Errorf(src.Prefix.Pos, diag.Syntax, "a prefix belongs to an optional related object; this one is always shown, so write the text into the message")
	}
	o := s.objectNamed(src.Object)
	if o == nil {
		return false
	}
	if src.ByName.True() && o.Any {
		s.Errorf(src.ByName.Pos, diag.UnknownType, "an object that is given by its name needs a kind, and %s has any", o.Alias)
	}
	s.e.Related = &Related{Object: o, Optional: src.Optional.True(), Prefix: src.Prefix.Value, ByName: src.ByName.True()}
	return true
}
