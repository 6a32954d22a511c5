package fields

import (
	"go/ast"
	"go/types"
	"slices"
)

// instances reads the instances of generic functions and types of a file. Methods that a generic interface has with a recorder as its type
// argument stay, as the interface's parameter is none that can move.
func (r *reader) instances() {
	for n := range ast.Preorder(r.file) {
		id, _ := n.(*ast.Ident)
		if instance, ok := r.info().Instances[id]; ok {
			r.typeArguments(id, instance)
			r.noteGeneric(instance.Type, map[types.Type]bool{})
		}
	}
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
			r.noteMethods(c, instance.TypeArgs)
		}
	}
}

func typeParams(obj types.Object) *types.TypeParamList {
	if obj == nil {
		return nil
	}
	if t, ok := obj.Type().(interface{ TypeParams() *types.TypeParamList }); ok {
		return t.TypeParams()
	}
	return nil
}

// noteMethods notes the methods of an interface, or of a constraint with other type parameters in it, if one of the type arguments is a
// recorder.
func (r *reader) noteMethods(i *types.Interface, args *types.TypeList) {
	if slices.ContainsFunc(slices.Collect(args.Types()), isRecorder) {
		for m := range i.Methods() {
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
		for _, v := range variables(t) {
			r.noteGeneric(v.Type(), seen)
		}
	case *types.Pointer:
		r.noteGeneric(t.Elem(), seen)
	case *types.Slice:
		r.noteGeneric(t.Elem(), seen)
	case *types.Named:
		if i, ok := t.Underlying().(*types.Interface); ok {
			r.noteMethods(i, t.TypeArgs())
		}
	}
}
