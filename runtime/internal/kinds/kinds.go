// Package kinds tells the kinds of Go types.
package kinds

import (
	"reflect"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/event-gen/event-gen/runtime"
)

// InScheme is the kind that a scheme has for a Go type; the zero Kind if it has none.
func InScheme(scheme *k8sruntime.Scheme, t reflect.Type) runtime.Kind {
	if t.Kind() != reflect.Pointer {
		return runtime.Kind{}
	}
	obj, ok := reflect.New(t.Elem()).Interface().(k8sruntime.Object)
	if !ok {
		return runtime.Kind{}
	}
	found, _, err := scheme.ObjectKinds(obj)
	if err != nil || len(found) == 0 {
		return runtime.Kind{}
	}
	return runtime.Kind{APIVersion: found[0].GroupVersion().String(), Kind: found[0].Kind}
}
