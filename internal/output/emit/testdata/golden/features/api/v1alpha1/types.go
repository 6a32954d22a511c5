package v1alpha1

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// +kubebuilder:object:root=true

// Widget is a namespaced object.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Status            WidgetStatus `json:"status,omitempty"`
}

// WidgetStatus has its conditions from a struct that it embeds.
type WidgetStatus struct{ Conditioned }

// Conditioned has conditions of a type of its own.
type Conditioned struct{ Conditions Conditions }

// Conditions is a list.
type Conditions []Condition

// ConditionType is a named string.
type ConditionType string

// Condition has more than generated code reads.
type Condition struct {
	Type               ConditionType
	Status             metav1.ConditionStatus
	LastTransitionTime metav1.Time
	Reason, Message    string
}

// DeepCopyObject makes a Widget a runtime.Object.
func (w *Widget) DeepCopyObject() runtime.Object { c := *w; return &c }

// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=tw

// Tower is a cluster-scoped object.
type Tower struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// DeepCopyObject makes a Tower a runtime.Object.
func (t *Tower) DeepCopyObject() runtime.Object { c := *t; return &c }

// Phase is a named string.
type Phase string

// The phases.
const (
	PhasePending Phase = "Pending"
	PhaseReady   Phase = "Ready"
)

// Count is a named number.
type Count int64

// Level is a number with a name.
type Level int

// String is the name of the level.
func (l Level) String() string { return fmt.Sprintf("level-%d", int(l)) }

// Size is a struct that only a pointer to it shows as text.
type Size struct{ Width, Height int }

// String is the size as text.
func (s *Size) String() string { return fmt.Sprintf("%dx%d", s.Width, s.Height) }

// Named is an interface that shows itself as text.
type Named interface{ String() string }

// Tag is a generic string type.
type Tag[T any] string

// Pair is a generic type that shows itself as text.
type Pair[K comparable, V any] struct {
	Key   K
	Value V
}

// String is the pair as text.
func (p Pair[K, V]) String() string { return fmt.Sprintf("%v has %v", p.Key, p.Value) }

// Crate is a generic object.
type Crate[T any] struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Content           T
}

// DeepCopyObject makes a Crate a runtime.Object.
func (c *Crate[T]) DeepCopyObject() runtime.Object { d := *c; return &d }
