package broadcaster

import (
	"reflect"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/event-gen/event-gen/runtime/internal/kinds"
)

// kindsOf looks up the kinds of Go types in a scheme, each type once.
func kindsOf(scheme *k8sruntime.Scheme) func(reflect.Type) (metav1.TypeMeta, bool) {
	if scheme == nil {
		return nil
	}
	var known sync.Map // reflect.Type → metav1.TypeMeta, the zero one for types that the scheme does not know
	return func(t reflect.Type) (metav1.TypeMeta, bool) {
		k, ok := known.Load(t)
		if !ok {
			k, _ = known.LoadOrStore(t, kinds.InScheme(scheme, t))
		}
		kind := k.(metav1.TypeMeta)
		return kind, kind.Kind != ""
	}
}
