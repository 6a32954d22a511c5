package clientgo

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/reference"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/kinds"
	"github.com/event-gen/event-gen/runtime/internal/problems"
)

// referenceTo is client-go's reference to an object. What makes client-go panic, a nil pointer in
// the interface, is an error.
func referenceTo(scheme *k8sruntime.Scheme, obj k8sruntime.Object) (ref *corev1.ObjectReference, err error) {
	defer func() {
		if p := recover(); p != nil {
			ref, err = nil, fmt.Errorf("the object is nil, or its methods panic: %v", p)
		}
	}()
	ref, err = reference.GetReference(scheme, obj)
	if err == nil && ref == nil {
		err = reference.ErrNilObject
	}
	return ref, err
}

// checkNamespace refuses a caller's reference of a namespaced kind without a namespace.
func checkNamespace(object k8sruntime.Object, ref *corev1.ObjectReference) error {
	if _, isReference := object.(*corev1.ObjectReference); !isReference || ref.Namespace != "" || !kinds.Namespaced(kinds.GroupOf(ref.APIVersion), ref.Kind) {
		return nil
	}
	return fmt.Errorf("%v: %s %q", eventrt.Problem(problems.NoNamespace), ref.Kind, ref.Name)
}
