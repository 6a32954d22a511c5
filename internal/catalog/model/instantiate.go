package model

import (
	"fmt"
	gotypes "go/types"
)

// universe holds the loaded packages, by import path.
type universe map[string]*typePackage

// instance returns a named type, or the instance of a generic one. Without an instance, misuse
// gives the reason.
func (u universe) instance(named *gotypes.Named, t GoType) (instance *gotypes.Named, misuse string) {
	count, given := named.TypeParams().Len(), t.TypeArgs()
	switch {
	case count == 0 && len(given) == 0:
		return named, ""
	case count == 0:
		return nil, "it is not generic and takes no type arguments"
	case len(given) == 0:
		return nil, fmt.Sprintf("it is generic; give its type arguments, as in %s[string]", t.Name)
	case len(given) != count:
		return nil, fmt.Sprintf("it has %d type parameters, and %d arguments are given", count, len(given))
	}
	var args []gotypes.Type
	for _, g := range given {
		arg, problem := u.typeOf(g)
		if arg == nil {
			return nil, problem
		}
		args = append(args, arg)
	}
	instantiated, err := gotypes.Instantiate(nil, named, args, true)
	if err != nil {
		return nil, err.Error()
	}
	return instantiated.(*gotypes.Named), ""
}

// typeOf finds a type argument. It returns nil if there is a problem.
func (u universe) typeOf(t GoType) (found gotypes.Type, problem string) {
	if predeclared, ok := gotypes.Universe.Lookup(t.Name).(*gotypes.TypeName); ok && t.Path == "" {
		found = predeclared.Type()
	} else {
		found, problem = u.namedType(t)
	}
	if found != nil && t.Pointer {
		found = gotypes.NewPointer(found)
	}
	if found != nil && t.Slice {
		found = gotypes.NewSlice(found)
	}
	return found, problem
}

func (u universe) namedType(t GoType) (gotypes.Type, string) {
	pkg := u[t.Path]
	if pkg == nil {
		return nil, fmt.Sprintf("package %s could not be loaded", t.Path)
	}
	source, known := pkg.types[t.Name]
	if !known {
		return nil, pkg.lacks(t.Name)
	}
	named, ok := gotypes.Unalias(source.goType).(*gotypes.Named)
	if !ok {
		return source.goType, ""
	}
	instance, misuse := u.instance(named, t)
	if instance == nil {
		t.Pointer, t.Slice = false, false
		return nil, t.encode() + ": " + misuse
	}
	return instance, ""
}
