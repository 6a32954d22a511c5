package scan

import (
	"go/types"
	"maps"
	"slices"
	"strings"
)

// memory describes the memory that an expression reads through pointers, fields, slices and maps.
// It identifies memory by the types of the surrounding structs and containers, because two places
// of different types can't overlap.
type memory struct {
	any     bool // it reads anything at all
	unknown bool // it reads through an interface, so it may read everything
	// fields holds the read fields, as struct.field. structs holds the structs whose fields are all
	// read.
	fields  map[string]bool
	structs map[string]bool
	// owners holds the types of these structs, by their keys.
	owners map[string]types.Type
	// containers holds the slices and maps whose elements are read. values holds all read values.
	// The keys are the names of their types, because packages that were read one by one have
	// different type objects.
	containers, values map[string]bool

	seen map[types.Type]bool
}

func newMemory() memory {
	return memory{
		fields: map[string]bool{}, structs: map[string]bool{}, owners: map[string]types.Type{}, containers: map[string]bool{},
		values: map[string]bool{}, seen: map[types.Type]bool{},
	}
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
	key := structKey(owner)
	m.fields[key+"."+f.Name()], m.owners[key] = true, Deref(owner)
	m.value(f.Type())
}

// value adds a value that is read through a pointer, a field or a container.
func (m *memory) value(t types.Type) { m.any, m.values[typeKey(t)] = true, true }

// container adds the elements of a slice, an array, a map or a string.
func (m *memory) container(t types.Type) {
	u := Deref(t).Underlying()
	if of, ok := u.(interface{ Elem() types.Type }); ok {
		m.value(of.Elem())
		m.containers[typeKey(u)] = true
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
		m.value(u.Elem())
		m.all(u.Elem())
	case *types.Map:
		m.container(t)
		m.all(u.Key())
		m.all(u.Elem())
	case *types.Struct:
		m.structs[structKey(t)], m.owners[structKey(t)] = true, t
		m.value(t)
		for f := range u.Fields() {
			m.value(f.Type())
			m.all(f.Type())
		}
	case *types.Interface, *types.Chan, *types.Signature, *types.TypeParam:
		m.any, m.unknown = true, true
	case interface{ Elem() types.Type }: // a slice or an array
		m.container(t)
		m.all(u.Elem())
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

// hasField reports whether a write to a struct's field may change read memory.
func (m *memory) hasField(owner types.Type, name string) bool {
	key := structKey(owner)
	return m.unknown || m.fields[key+"."+name] || m.structs[key]
}

// hasElements reports whether a write to an element of a container may change read memory.
func (m *memory) hasElements(t types.Type) bool {
	t = Deref(t).Underlying()
	if array, ok := t.(*types.Array); ok && m.hasValue(array) { // it may be sliced
		return true
	}
	return m.unknown || m.containers[typeKey(t)]
}

// hasValue reports whether a write to any variable of a type may change read memory.
func (m *memory) hasValue(t types.Type) bool {
	_, pointer := t.Underlying().(*types.Pointer)
	return m.unknown || m.values[typeKey(t)] || !pointer && m.owners[structKey(t)] != nil
}

// typeKey identifies a type, also where code writes interface{} for any.
func typeKey(t types.Type) string {
	text := types.TypeString(t, func(p *types.Package) string { return RealPath(p.Path()) })
	return strings.ReplaceAll(text, "interface{}", "any")
}

// ledTo reports whether a value leads to read memory: its holder can then write that memory. An
// interface leads to memory if it can hold a read type.
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

// fits reports whether an interface can hold a read type.
func (m *memory) fits(i *types.Interface) bool {
	return i.Empty() && len(m.containers) > 0 ||
		slices.ContainsFunc(slices.Collect(maps.Values(m.owners)), func(t types.Type) bool { return hasMethods(types.NewPointer(t), i) })
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
