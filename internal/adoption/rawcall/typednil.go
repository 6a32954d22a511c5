package rawcall

import (
	"slices"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// typedNil is EV522 for calls of generated functions.
func (c *checker) typedNil() {
	for _, t := range c.Typed {
		if t.Call == nil || t.Function.Transitions {
			continue
		}
		if objects := c.regarding(t); len(objects) == 1 || c.allNil(objects) {
			for _, at := range c.fromCallers(objects) {
				c.regarded(at, "the event is rejected")
			}
		}
		if related := c.typedObject(t, t.Function.Related); related != nil && !t.Function.RelatedOptional {
			for _, at := range c.fromCallers([]objectAt{*related}) {
				leftNil(c, at, "the catalog does not make the related object optional, so the event is rejected")
			}
		}
	}
}

// regarding returns the objects that a call records events about.
func (c *checker) regarding(t *scan.TypedCall) (objects []objectAt) {
	for _, i := range t.Function.Regarding {
		if at := c.typedObject(t, i); at != nil {
			objects = append(objects, *at)
		}
	}
	return objects
}

// allNil reports whether all objects are nil. An event about several objects leaves out those that
// are nil, unless all are.
func (c *checker) allNil(objects []objectAt) bool {
	return len(objects) > 0 && !slices.ContainsFunc(objects, func(at objectAt) bool { return c.surelyNil(at) == "" })
}

// typedObject returns an argument of a generated function; nil if the call has no such argument of
// its own.
func (c *checker) typedObject(t *scan.TypedCall, index int) *objectAt {
	if index < 0 || index >= len(t.Call.Args) {
		return nil
	}
	return &objectAt{declaration{t.Func, t.Package.Info}, t.Call, t.Call.Args[index]}
}

// fromCallers adds what the callers of the functions around calls pass, where the object is a
// parameter.
func (c *checker) fromCallers(objects []objectAt) (all []objectAt) {
	for _, at := range objects {
		all = append(all, c.objects(at.in, at.call, at.object, true)...)
	}
	return all
}
