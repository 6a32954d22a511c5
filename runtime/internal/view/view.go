// Package view shows an event as it will be stored, to those who see it before that.
package view

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/event-gen/event-gen/runtime"
)

// Annotations merges the annotations of the recorder and of the catalog, sorted by key. The catalog's win.
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

// AnnotationMap returns a list of annotations as objects have them: nil if there are none.
func AnnotationMap(list []runtime.Annotation) map[string]string {
	if len(list) == 0 {
		return nil
	}
	m := make(map[string]string, len(list))
	for _, a := range list {
		m[a.Key] = a.Value
	}
	return m
}

// Kinds returns a function for Event.ResolveKinds that looks up the kinds of Go types in a scheme, each type once. It is nil without a scheme.
func Kinds(scheme *k8sruntime.Scheme) func(reflect.Type) (metav1.TypeMeta, bool) {
	if scheme == nil {
		return nil
	}
	var known sync.Map // reflect.Type → metav1.TypeMeta, the zero one for types that the scheme does not know
	return func(t reflect.Type) (metav1.TypeMeta, bool) {
		k, ok := known.Load(t)
		if !ok {
			kind, _ := KindOf(scheme, t)
			k, _ = known.LoadOrStore(t, kind)
		}
		kind := k.(metav1.TypeMeta)
		return kind, kind.Kind != ""
	}
}

// KindOf returns the kind that a scheme has for a Go type. ok is false if it has none.
func KindOf(scheme *k8sruntime.Scheme, t reflect.Type) (kind metav1.TypeMeta, ok bool) {
	if t.Kind() != reflect.Pointer {
		return kind, false
	}
	obj, ok := reflect.New(t.Elem()).Interface().(k8sruntime.Object)
	if !ok {
		return kind, false
	}
	found, _, err := scheme.ObjectKinds(obj)
	if err != nil || len(found) == 0 {
		return kind, false
	}
	return metav1.TypeMeta{APIVersion: found[0].GroupVersion().String(), Kind: found[0].Kind}, true
}
