// Package v1alpha1 is the API of widgets.
// +kubebuilder:object:generate=true
// +groupName=widgets.example.com
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is that of the API.
var GroupVersion = schema.GroupVersion{Group: "widgets.example.com", Version: "v1alpha1"}

// AddToScheme makes the API known to a scheme.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion, &Widget{}, &WidgetList{})
	metav1.AddToGroupVersion(s, GroupVersion)
	return nil
}

// Widget is a number of copies of a text, each in a ConfigMap.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec,omitempty"`
	Status WidgetStatus `json:"status,omitempty"`
}

// WidgetSpec is what is wanted.
type WidgetSpec struct {
	// Copies is how many ConfigMaps there are to be, 0 to 1000.
	Copies int32 `json:"copies"`
	// Text is what each holds.
	Text string `json:"text,omitempty"`
}

// WidgetStatus is what is there.
type WidgetStatus struct {
	// Copies is how many ConfigMaps there are.
	Copies int32 `json:"copies,omitempty"`
	// Conditions has Ready: all copies are there.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// WidgetList is a list of widgets.
// +kubebuilder:object:root=true
type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Widget `json:"items"`
}
