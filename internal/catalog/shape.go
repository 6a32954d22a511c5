package catalog

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// shape describes the mapping that a struct holds, by the tags of its fields:
//
//	key:"since"           the key; with ",required" every mapping has it
//	key:"summary,short"   a mapping may be written as this value alone; without a key, this is its only form
//	key:"*"               the entry's key: a list of such structs is a mapping with names that the author chose
//	key:"params,pos"      the position of another field's value
//	form:"boolean"        how a scalar is written: boolean, number, duration, path, quoted, or one of several words (a|b); default: text
//	each:"import"         the name of an item in findings, or the words before the key of an entry
//	some:"…"              the list must not be empty; the text says what it must hold
//	schema:"name"         a further constraint in the JSON Schema, which lint checks too: see constraints
type shape struct {
	fields           []field
	name, short, pos *field
}

// field is a field of a struct, and the key that it holds.
type field struct {
	key      string
	required bool
	index    int
	pos      *field // the field for the value's position, if the struct has one
	reflect.StructField
}

func (f *field) tag(name string) string {
	if f == nil {
		return ""
	}
	return f.Tag.Get(name)
}

var shapes sync.Map // of *shape, by reflect.Type

// shapeOf returns the shape of a struct.
func shapeOf(t reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	s := &shape{}
	for i := range t.NumField() {
		f := field{index: i, StructField: t.Field(i)}
		tag, ok := f.Tag.Lookup("key")
		if !ok {
			if f.Name == "Pos" {
				s.pos = &f
			}
			continue
		}
		options := strings.Split(tag, ",")
		f.key, f.required = options[0], slices.Contains(options, "required")
		switch {
		case f.key == "*":
			s.name = &f
			continue
		case slices.Contains(options, "pos"):
			s.fields[slices.IndexFunc(s.fields, func(of field) bool { return of.key == f.key })].pos = &f
			continue
		case slices.Contains(options, "short"):
			s.short = &f
		}
		if f.key != "" {
			s.fields = append(s.fields, f)
		}
	}
	shapes.Store(t, s)
	return s
}

// keysOf returns the fields of a struct that have keys. needed lists further keys that are required
// here.
func keysOf(t reflect.Type, needed ...string) []field {
	fields := slices.Clone(shapeOf(t).fields)
	for i, f := range fields {
		fields[i].required = f.required || slices.Contains(needed, f.key)
	}
	return fields
}

// vocabularyKeys returns the keys of an entry in spec.params. Its name is the entry's key.
func vocabularyKeys() []field {
	return slices.DeleteFunc(keysOf(reflect.TypeFor[Param](), "type"), func(f field) bool { return f.key == "name" })
}

// Keys returns the keys of a part of the tree, such as Event, in their canonical order.
func Keys[T any]() []string {
	var keys []string
	for _, f := range shapeOf(reflect.TypeFor[T]()).fields {
		keys = append(keys, f.key)
	}
	return keys
}

// PosOf returns the position of a key's value in a part of the tree, given by pointer; zero if the
// key is not there. The value of a list is its first item.
func PosOf(part any, key string) diag.Pos {
	v := reflect.ValueOf(part).Elem()
	fields := shapeOf(v.Type()).fields
	i := slices.IndexFunc(fields, func(f field) bool { return f.key == key })
	if i < 0 {
		return diag.Pos{}
	}
	if at := fields[i].pos; at != nil {
		return v.Field(at.index).Interface().(diag.Pos)
	}
	v = v.Field(fields[i].index)
	if v.Kind() == reflect.Slice && v.Len() > 0 {
		v = v.Index(0)
		if name := shapeOf(v.Type()).name; name != nil {
			v = v.Field(name.index)
		}
	}
	if v = reflect.Indirect(v); v.Kind() != reflect.Struct {
		return diag.Pos{}
	}
	return v.FieldByName("Pos").Interface().(diag.Pos)
}

// scalarsOf returns the scalars of a part of the tree, by key. It includes scalars of embedded
// structs.
func scalarsOf(part reflect.Value) map[string]*Scalar {
	scalars := map[string]*Scalar{}
	for _, f := range shapeOf(part.Type()).fields {
		value := part.Field(f.index)
		if f.Anonymous {
			for key, s := range scalarsOf(value) {
				scalars[f.key+"."+key] = s
			}
		}
		if s, ok := value.Addr().Interface().(*Scalar); ok {
			scalars[f.key] = s
		}
	}
	return scalars
}
