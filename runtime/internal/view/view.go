// Package view looks up the kinds of Go types in a scheme, for those who take events.
package view

import (
	"reflect"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
)

// Kinds returns a function for Event.ResolveKinds that looks up the kinds of Go types in a scheme,
// each type once. It is nil without a scheme.
func Kinds(scheme *k8sruntime.Scheme) func(reflect.Type) (metav1.TypeMeta, bool) {
	if scheme == nil {
		return nil
	}
	// reflect.Type → metav1.TypeMeta, the zero one for types that the scheme does not know
	var known sync.Map
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
