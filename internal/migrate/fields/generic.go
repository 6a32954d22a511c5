package fields

import (
	"go/ast"
	"go/types"
)

// instances reads the instances of generic functions and types of a file. Methods that a generic interface has with a recorder as its type
// argument stay, as the interface's parameter is none that can move.
func (r *reader) instances() {
	ast.Inspect(r.file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if instance, ok := r.info().Instances[id]; ok {
			r.typeArguments(id, instance)
			r.noteGeneric(instance.Type, map[types.Type]bool{})
		}
		return true
	})
}

// typeArguments reads what the constraints of an instance ask of its type arguments.
func (r *reader) typeArguments(id *ast.Ident, instance types.Instance) {
	params := typeParams(r.info().Uses[id])
	for i := range instance.TypeArgs.Len() {
		if i >= params.Len() {
			break
		}
		arg, constraint := instance.TypeArgs.At(i), params.At(i).Constraint()
		r.typeAssigned(id, arg, constraint)
		if c, ok := constraint.Underlying().(*types.Interface); ok {
			if c.IsComparable() {
				r.compared(id, arg)
			}
			if c.NumMethods() > 0 {
				r.noteConstraint(c, params, instance.TypeArgs)
			}
		}
	}
}

func typeParams(obj types.Object) *types.TypeParamList {
	switch t := obj.(type) {
	case *types.Func:
		return t.Signature().TypeParams()
	case *types.TypeName:
		switch t := t.Type().(type) {
		case *types.Named:
			return t.TypeParams()
		case *types.Alias:
			return t.TypeParams()
		}
	}
	return nil
}

// noteConstraint notes the methods of a constraint that has other type parameters in them.
func (r *reader) noteConstraint(c *types.Interface, params *types.TypeParamList, args *types.TypeList) {
	for i := range args.Len() {
		if _, _, ok := recorderType(args.At(i)); !ok || i >= params.Len() {
			continue
		}
		for m := range c.Methods() {
			r.generic[m.Name()] = true
		}
	}
}

// noteGeneric notes the methods of the interfaces in a type that have a recorder as a type argument.
func (r *reader) noteGeneric(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				r.noteGeneric(v.Type(), seen)
			}
		}
	case *types.Pointer:
		r.noteGeneric(t.Elem(), seen)
	case *types.Slice:
		r.noteGeneric(t.Elem(), seen)
	case *types.Named:
		i, ok := t.Underlying().(*types.Interface)
		if !ok {
			return
		}
		for arg := range t.TypeArgs().Types() {
			if _, _, is := recorderType(arg); is {
				for m := range i.Methods() {
					r.generic[m.Name()] = true
				}
			}
		}
	}
}
