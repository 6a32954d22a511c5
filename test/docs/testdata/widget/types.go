// Package v1 is the API of the examples in docs/catalog.md.
// +groupName=example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster

// Widget is a cluster-scoped object.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// DeepCopyObject makes a Widget a runtime.Object.
func (w *Widget) DeepCopyObject() runtime.Object { c := *w; return &c }

// Phase is a named string.
type Phase string

// The phases.
const (
	PhasePending Phase = "Pending"
	PhaseReady   Phase = "Ready"
)
