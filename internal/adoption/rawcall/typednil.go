package rawcall

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// typedNil is EV522 for calls of generated functions.
func (c *checker) typedNil() {
	for _, t := range c.Typed {
		if t.Call == nil || t.Function.Transitions || !records(t) {
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

// records reports whether a call surely records its event. A constructor's event may be made for
// its texts only, unless the call is an argument of Emit.
func records(t *scan.TypedCall) bool {
	made := t.Package.Info.TypeOf(t.Call)
	if tuple, ok := made.(*types.Tuple); made == nil || ok && tuple.Len() == 0 {
		return true
	}
	path, _ := astutil.PathEnclosingInterval(t.File, t.Call.Pos(), t.Call.End())
	for _, n := range path[1:] {
		if emit, ok := n.(*ast.CallExpr); ok {
			fn := scan.Callee(t.Package.Info, emit)
			return fn != nil && fn.Name() == "Emit"
		} else if _, ok := n.(*ast.ParenExpr); !ok {
			break
		}
	}
	return false
}

// regarding returns the objects of a call's events.
func (c *checker) regarding(t *scan.TypedCall) (objects []objectAt) {
	for _, i := range t.Function.Regarding {
		if at := c.typedObject(t, i); at != nil {
			objects = append(objects, *at)
		}
	}
	return objects
}

// allNil reports whether all objects are nil. An event about several objects leaves out the nil
// ones, unless all are nil.
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

// fromCallers adds the objects that callers pass, if a call's object is a parameter of the function
// around it.
func (c *checker) fromCallers(objects []objectAt) (all []objectAt) {
	for _, at := range objects {
		all = append(all, c.objects(at.in, at.call, at.object, true)...)
	}
	return all
}
