package broadcaster

import (
	"reflect"
	"sync"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/event-gen/event-gen/runtime"
)

// kindsOf looks up the kinds of Go types in a scheme, each type once.
func kindsOf(scheme *k8sruntime.Scheme) func(reflect.Type) (runtime.Kind, bool) {
	if scheme == nil {
		return nil
	}
	var known sync.Map // reflect.Type → runtime.Kind, the zero Kind for types that the scheme does not know
	return func(t reflect.Type) (runtime.Kind, bool) {
		k, ok := known.Load(t)
		if !ok {
			k, _ = known.LoadOrStore(t, kindOf(scheme, t))
		}
		kind := k.(runtime.Kind)
		return kind, kind.Kind != ""
	}
}

func kindOf(scheme *k8sruntime.Scheme, t reflect.Type) runtime.Kind {
	if t.Kind() != reflect.Pointer {
		return runtime.Kind{}
	}
	obj, ok := reflect.New(t.Elem()).Interface().(k8sruntime.Object)
	if !ok {
		return runtime.Kind{}
	}
	kinds, _, err := scheme.ObjectKinds(obj)
	if err != nil || len(kinds) == 0 {
		return runtime.Kind{}
	}
	return runtime.Kind{APIVersion: kinds[0].GroupVersion().String(), Kind: kinds[0].Kind}
}
