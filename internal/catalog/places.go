package catalog

import (
	"reflect"
	"slices"
	"strings"
)

// mostPlaces bounds how many places of a key a finding lists.
const mostPlaces = 3

// placesOf returns the parts of a catalog and of a configuration that have a key: spec.defaults, an
// event. It is empty for a key that none or many parts have.
func placesOf(key string) []string {
	var places []string
	var walk func(t reflect.Type, place string)
	walk = func(t reflect.Type, place string) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || t == scalarType {
			return
		}
		for _, f := range shapeOf(t).fields {
			if f.key == key && !slices.Contains(places, place) {
				places = append(places, place)
			}
			walk(f.Type, placeOf(&f, place))
		}
	}
	walk(reflect.TypeFor[Spec](), "spec")
	walk(reflect.TypeFor[Configuration](), "event-gen.yaml")
	if len(places) > mostPlaces {
		return nil
	}
	return places
}

// placeOf names the part that a field of a part holds.
func placeOf(f *field, parent string) string {
	each := f.tag("each")
	switch {
	case strings.HasPrefix(each, "an "), strings.HasPrefix(each, "a "):
		return each
	case strings.HasPrefix(parent, "spec"):
		return parent + "." + f.key
	}
	return f.key + " of " + parent
}
