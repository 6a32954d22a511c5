package scan

import (
	"go/types"
	"slices"
)

// memory describes what an expression reads through pointers, fields, slices and maps. It identifies memory by the types of the structs
// and containers that hold it: two places of different types can't overlap.
type memory struct {
	any     bool // it reads anything at all
	unknown bool // it reads through an interface, so that it may read everything
	// fields holds the fields that are read, as struct.field. structs holds the structs whose fields are all read.
	fields  map[string]bool
	structs map[string]bool
	// owners holds the types of these structs.
	owners []types.Type
	// containers holds the types of slices and maps whose elements are read. values holds the types of all values that are read.
	containers, values []types.Type

	seen map[types.Type]bool
}

// selection adds the fields that a selection reads.
func (m *memory) selection(sel *types.Selection) {
	t := sel.Recv()
	path := sel.Index()
	if sel.Kind() != types.FieldVal {
		m.all(t)
		path = path[:len(path)-1]
	}
	for _, i := range path {
		s, ok := Deref(t).Underlying().(*types.Struct)
		if !ok {
			m.any, m.unknown = true, true
			return
		}
		m.field(t, s.Field(i))
		t = s.Field(i).Type()
	}
}

func (m *memory) field(owner types.Type, f *types.Var) {
	m.any, m.fields[structKey(owner)+"."+f.Name()] = true, true
	m.owners, m.values = append(m.owners, Deref(owner)), append(m.values, f.Type())
}

func (m *memory) pointee(t types.Type) {
	m.any = true
	m.values = append(m.values, t)
}

// container adds the elements of a slice, an array, a map or a string.
func (m *memory) container(t types.Type) {
	u := Deref(t).Underlying()
	if of, ok := u.(interface{ Elem() types.Type }); ok {
		m.any = true
		m.values, m.containers = append(m.values, of.Elem()), append(m.containers, u)
	}
}

// all adds a value and everything that it leads to. Errors never change, so all ignores them.
func (m *memory) all(t types.Type) {
	if t == nil || m.seen[t] || IsError(t) {
		return
	}
	m.seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		m.pointee(u.Elem())
		m.all(u.Elem())
	case *types.Slice:
		m.container(t)
		m.all(u.Elem())
	case *types.Map:
		m.container(t)
		m.all(u.Key())
		m.all(u.Elem())
	case *types.Array:
		m.container(t)
		m.all(u.Elem())
	case *types.Struct:
		m.any, m.structs[structKey(t)] = true, true
		m.owners, m.values = append(m.owners, t), append(m.values, t)
		for f := range u.Fields() {
			m.values = append(m.values, f.Type())
			m.all(f.Type())
		}
	case *types.Interface, *types.Chan, *types.Signature, *types.TypeParam:
		m.any, m.unknown = true, true
	case *types.Tuple:
		for v := range u.Variables() {
			m.all(v.Type())
		}
	}
}

// IsError reports whether a type is the predeclared error.
func IsError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// hasField reports whether a write to a struct's field may change what is read.
func (m *memory) hasField(owner types.Type, name string) bool {
	key := structKey(owner)
	return m.unknown || m.fields[key+"."+name] || m.structs[key]
}

// hasElements reports whether a write to an element of a container may change what is read.
func (m *memory) hasElements(t types.Type) bool {
	t = Deref(t).Underlying()
	if array, ok := t.(*types.Array); ok && m.hasValue(array) { // it may be sliced
		return true
	}
	return m.unknown || holdsType(m.containers, t)
}

// hasValue reports whether a write to any variable of a type may change what is read.
func (m *memory) hasValue(t types.Type) bool {
	if m.unknown || holdsType(m.values, t) {
		return true
	}
	key := structKey(t)
	if _, pointer := t.Underlying().(*types.Pointer); pointer || key == "" {
		return false
	}
	return slices.ContainsFunc(m.owners, func(o types.Type) bool { return structKey(o) == key })
}

// holdsType compares types by name, because packages that were read one by one have different type objects.
func holdsType(list []types.Type, t types.Type) bool {
	key := typeKey(t)
	return slices.ContainsFunc(list, func(o types.Type) bool { return typeKey(o) == key })
}

func typeKey(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return RealPath(p.Path()) })
}

// ledTo reports whether a value leads to memory that is read, so that its holder can write that memory. An interface leads to memory if it
// can hold a type that is read.
func (m *memory) ledTo(t types.Type) bool { return m.leads(t, map[types.Type]bool{}) }

func (m *memory) leads(t types.Type, seen map[types.Type]bool) bool {
	if t == nil || seen[t] || IsError(t) || TypeName(t) == "context.Context" {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return m.hasValue(u.Elem()) || m.leads(u.Elem(), seen)
	case *types.Slice:
		return m.hasElements(t) || m.leads(u.Elem(), seen)
	case *types.Map:
		return m.hasElements(t) || m.leads(u.Key(), seen) || m.leads(u.Elem(), seen)
	case *types.Array:
		return m.leads(u.Elem(), seen)
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return m.leads(f.Type(), seen) })
	case *types.Interface:
		return m.unknown || m.fits(u)
	case *types.Signature:
		return true
	}
	return false
}

// fits reports whether an interface can hold a type that is read.
func (m *memory) fits(i *types.Interface) bool {
	return i.Empty() && len(m.containers) > 0 ||
		slices.ContainsFunc(m.owners, func(t types.Type) bool { return hasMethods(types.NewPointer(t), i) })
}

// hasMethods reports whether a type has the methods of an interface, by name.
func hasMethods(t types.Type, i *types.Interface) bool {
	set := types.NewMethodSet(t)
	for m := range i.Methods() {
		if set.Lookup(m.Pkg(), m.Name()) == nil {
			return false
		}
	}
	return true
}
