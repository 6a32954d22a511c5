package breaking

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// objects reports objects that callers must pass differently, or that the run time now rejects.
func (c *comparison) objects(e eventPair) {
	for _, m := range e.was.Methods {
		if is := methodNamed(e.is, m.Name); is != nil {
			c.regarding(e, m, is)
		}
	}
	c.alsoOn(e)
	was, is := e.was.Related, e.is.Related
	if before, now := relatedType(e.was, e.old), relatedType(e.is, e.now); before != now {
		c.add(e.related("BG03", fmt.Sprintf("the related object was %s and is %s", before, now), before, now))
	} else if was != nil && was.Optional && !is.Optional {
		c.add(e.related("BG03", "the related object was optional, and without it the event is rejected now", "optional", "required"))
	}
}

func (c *comparison) regarding(e eventPair, m, is *model.Method) {
	pos, cause := e.objectPos(m.Regarding, is.Regarding)
	if was, now := objectType(m, e.old), objectType(is, e.now); was != now {
		c.add(e.breaks("BG03", pos, fmt.Sprintf("%s took %s and takes %s", is.Name, was, now)).by(cause, was, now))
		return
	}
	if is.KindFunc == nil {
		return
	}
	accepted := strings.Join(kindsOf(is.KindFunc.Objects), ", ")
	for _, o := range acceptedBy(m) {
		if !slices.ContainsFunc(is.KindFunc.Objects, func(other *model.Object) bool { return sameKind(o, other) }) {
			kind := kindName(o)
			c.add(e.breaks("BG03", pos, fmt.Sprintf("%s is rejected from now on; accepted are %s", kind, accepted)).by(cause, kind, accepted))
		}
	}
}

// alsoOn reports further objects that callers must pass differently. Several kinds may share a Go type, so callers may compile although two
// objects changed places.
func (c *comparison) alsoOn(e eventPair) {
	before, now := alsoTypes(e.was, e.old), alsoTypes(e.is, e.now)
	what := fmt.Sprintf("the further objects were %s and are %s", before, now)
	if before == now {
		was, is := placesOf(e.was), placesOf(e.is)
		before, now = strings.Join(was, ", "), strings.Join(is, ", ")
		if before == now || !slices.Equal(slices.Sorted(slices.Values(was)), slices.Sorted(slices.Values(is))) {
			return
		}
		what = fmt.Sprintf("objects changed places: callers that compile give (%s) for (%s)", before, now)
	}
	c.add(e.breaks("BG03", e.alsoPos(), what).by("alsoOn", before, now))
}

// alsoPos returns the position of the event's further objects on the newer side.
func (e eventPair) alsoPos() diag.Pos {
	if also := e.is.Source.AlsoOn; len(also) > 0 {
		return also[0].Pos
	}
	return e.is.Source.Pos
}

// placesOf returns the kinds of a call's objects, by position.
func placesOf(e *model.Event) []string {
	if len(e.Regarding.Objects) > 1 {
		return kindsOf(e.Objects()[len(e.Regarding.Objects):])
	}
	return kindsOf(e.Objects())
}

// alsoTypes returns the Go types of the further objects.
func alsoTypes(e *model.Event, p *model.Package) string {
	return cmp.Or(joined(e.Also, func(a *model.Also) string { return typeName(a.Object.GoType, p) }), "none")
}

// acceptedBy returns the objects that a method takes.
func acceptedBy(m *model.Method) []*model.Object {
	if m.KindFunc != nil {
		return m.KindFunc.Objects
	}
	return []*model.Object{m.Regarding}
}

// sameKind reports whether the run time takes two objects for one kind. It ignores versions.
func sameKind(a, b *model.Object) bool {
	return a.Any == b.Any && a.Kind.Kind == b.Kind.Kind && a.Kind.GroupVersionKind().Group == b.Kind.GroupVersionKind().Group
}

// objectPos returns the position of an event's object on the newer side: the object's entry if that changed, else the event.
func (e eventPair) objectPos(was, is *model.Object) (diag.Pos, string) {
	if was != nil && is != nil && was.Alias == is.Alias {
		return is.Pos, "object " + is.Alias
	}
	return e.aboutPos(), "regarding"
}

// related returns a break by a change of the related object.
func (e eventPair) related(rule, what, before, after string) broken {
	b := e.breaks(rule, e.is.Source.Pos, what).by("related", before, after)
	if e.is.Source.Related != nil {
		b.pos = e.is.Source.Related.Pos
	}
	if e.was.Related != nil && e.is.Related != nil {
		was, is := *e.was.Related.Object, e.is.Related.Object
		if was.Pos = is.Pos; was.Alias == is.Alias && was != *is {
			b.pos, b.cause = is.Pos, "object "+is.Alias
		}
	}
	return b
}

func objectType(m *model.Method, p *model.Package) string {
	if m.Regarding == nil {
		return "k8s.io/apimachinery/pkg/runtime.Object"
	}
	return typeName(m.Regarding.GoType, p)
}

func relatedType(e *model.Event, p *model.Package) string {
	if e.Related == nil {
		return "none"
	}
	return typeName(e.Related.Object.GoType, p)
}

// kinds reports kinds that events are no longer about or related to.
func (c *comparison) kinds(e eventPair) {
	was, is := e.was.Objects(), e.is.Objects()
	now := kindsOf(is)
	for i, kind := range kindsOf(was) {
		if slices.Contains(now, kind) || slices.ContainsFunc(e.inPlaceOf(i), func(o *model.Object) bool { return o.Any }) {
			continue
		}
		pos, cause := e.aboutPos(), "regarding"
		if i >= len(e.was.Regarding.Objects) {
			pos, cause = e.alsoPos(), "alsoOn"
		}
		if j := slices.IndexFunc(is, func(o *model.Object) bool { return o.Alias == was[i].Alias }); j >= 0 {
			pos, cause = is[j].Pos, "object "+is[j].Alias
		}
		b := e.breaks("BW03", pos, fmt.Sprintf("it is no longer about %s, but about %s", kind, strings.Join(now, ", ")))
		c.add(b.by(cause, kind, strings.Join(now, ", ")).found(definitionsAbout(e.was, i), definitionsOf(e.is)))
	}
	c.relatedKind(e)
}

func (c *comparison) relatedKind(e eventPair) {
	if e.was.Related == nil {
		return
	}
	before, now := kindName(e.was.Related.Object), "nothing"
	if e.is.Related != nil {
		now = kindName(e.is.Related.Object)
	}
	if before != now && now != anyKind {
		c.add(e.foundAll(e.related("BW03", fmt.Sprintf("it was related to %s and is to %s", before, now), before, now)))
	}
}

// inPlaceOf returns the objects that callers pass now in place of the object that was at an index of Objects.
func (e eventPair) inPlaceOf(i int) []*model.Object {
	further := i - len(e.was.Regarding.Objects)
	switch {
	case further < 0:
		return e.is.Regarding.Objects
	case further < len(e.is.Also):
		return []*model.Object{e.is.Also[further].Object}
	}
	return e.is.Objects()
}

// definitionsAbout returns an event's definitions for the object at an index of Objects.
func definitionsAbout(e *model.Event, i int) []*model.Definition {
	if further := i - len(e.Regarding.Objects); further >= 0 {
		return e.Also[further].Definitions
	}
	return e.Methods[min(i, len(e.Methods)-1)].Definitions
}

func kindsOf(objects []*model.Object) []string {
	var kinds []string
	for _, o := range objects {
		kinds = append(kinds, kindName(o))
	}
	return kinds
}

const anyKind = "any kind"

func kindName(o *model.Object) string {
	if o.Any {
		return anyKind
	}
	return o.Kind.APIVersion + " " + o.Kind.Kind
}
