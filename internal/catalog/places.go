package catalog

import (
	"reflect"
	"slices"
	"strings"
)

// mostPlaces bounds the number of places that a finding lists for a key.
const mostPlaces = 3

// placesOf returns the parts of a catalog or configuration that can have a key, such as
// "spec.defaults" and "an event". It is empty if no part or too many parts can have it.
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

// placeOf returns the name of the part in a field.
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
