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
