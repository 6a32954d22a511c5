package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Widget is a namespaced object.
type Widget struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject makes it a runtime.Object.
func (w *Widget) DeepCopyObject() runtime.Object { c := *w; return &c }

// Tower is a cluster-scoped object.
// +kubebuilder:resource:path=towers,scope=Cluster
type Tower struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject makes it a runtime.Object.
func (t *Tower) DeepCopyObject() runtime.Object { c := *t; return &c }

// Spec is no object.
type Spec struct{ Replicas int32 }

// Half lacks the deep copy.
type Half struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// Phase is a named string.
type Phase string

// The phases.
const (
	Pending Phase = "Pending"
	Ready   Phase = "Ready"
)

// Size shows itself as text.
type Size struct{ Width int }

// String is the size as text.
func (Size) String() string { return "size" }
