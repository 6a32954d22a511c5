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

// Set is a generic struct that shows itself as text.
type Set[T comparable] map[T]struct{}

// String is the set as text.
func (Set[T]) String() string { return "set" }

// Tag is a generic string type, with constants of one instance.
type Tag[T any] string

// Sized is a tag of sizes.
const Sized Tag[Size] = "sized-tag"

// Pair takes two types.
type Pair[K comparable, V any] struct{}

// String is the pair as text.
func (*Pair[K, V]) String() string { return "pair" }

// Crate is a generic object.
type Crate[T any] struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Content T
}

// DeepCopyObject makes it a runtime.Object.
func (c *Crate[T]) DeepCopyObject() runtime.Object { d := *c; return &d }
