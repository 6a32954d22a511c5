// Package view shows an event as it will be stored, to those who see it before that.
package view

import (
	"slices"
	"strings"

	"github.com/event-gen/event-gen/runtime"
)

// Annotations are those of the recorder and those of the catalog, which win, sorted by key.
func Annotations(e *runtime.Event) []runtime.Annotation {
	def := e.Definition()
	if def == nil || len(def.Annotations) == 0 {
		return e.Annotations()
	}
	list := slices.Clone(e.Annotations())
	for _, a := range def.Annotations {
		value := runtime.AppendAnnotation(nil, def, a.Value, e.Regarding(), e.Related(), e.Args())
		list = slices.DeleteFunc(list, func(other runtime.Annotation) bool { return other.Key == a.Key })
		list = append(list, runtime.Annotation{Key: a.Key, Value: string(value)})
	}
	slices.SortFunc(list, func(x, y runtime.Annotation) int { return strings.Compare(x.Key, y.Key) })
	return list
}
