// Package v1alpha1 is the API of widgets.
// +kubebuilder:object:generate=true
// +groupName=widgets.example.com
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group version of the API.
var GroupVersion = schema.GroupVersion{Group: "widgets.example.com", Version: "v1alpha1"}

// AddToScheme registers the API in a scheme.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion, &Widget{}, &WidgetList{})
	metav1.AddToGroupVersion(s, GroupVersion)
	return nil
}

// Widget asks for copies of a text, each in a ConfigMap.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec,omitempty"`
	Status WidgetStatus `json:"status,omitempty"`
}

// WidgetSpec is the desired state.
type WidgetSpec struct {
	// Copies is the desired number of ConfigMaps, 0 to 1000.
	Copies int32 `json:"copies"`
	// Text is the text in each ConfigMap.
	Text string `json:"text,omitempty"`
}

// WidgetStatus is the observed state.
type WidgetStatus struct {
	// Copies is the number of ConfigMaps.
	Copies int32 `json:"copies,omitempty"`
	// Conditions has the condition Ready: all copies exist.
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
