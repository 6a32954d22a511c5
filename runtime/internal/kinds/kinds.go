// Package kinds tells the kinds of Go types.
package kinds

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
)

// InScheme is the kind that a scheme has for a Go type; the zero Kind if it has none.
func InScheme(scheme *k8sruntime.Scheme, t reflect.Type) metav1.TypeMeta {
	if t.Kind() != reflect.Pointer {
		return metav1.TypeMeta{}
	}
	obj, ok := reflect.New(t.Elem()).Interface().(k8sruntime.Object)
	if !ok {
		return metav1.TypeMeta{}
	}
	found, _, err := scheme.ObjectKinds(obj)
	if err != nil || len(found) == 0 {
		return metav1.TypeMeta{}
	}
	return metav1.TypeMeta{APIVersion: found[0].GroupVersion().String(), Kind: found[0].Kind}
}
