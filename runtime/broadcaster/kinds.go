package broadcaster

import (
	"reflect"
	"sync"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/kinds"
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
			k, _ = known.LoadOrStore(t, kinds.InScheme(scheme, t))
		}
		kind := k.(runtime.Kind)
		return kind, kind.Kind != ""
	}
}
