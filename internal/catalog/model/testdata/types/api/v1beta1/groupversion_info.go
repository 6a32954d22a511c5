// Package v1beta1 has API types, as kubebuilder lays them out.
// +kubebuilder:object:generate=true
// +groupName=types.example.com
package v1beta1
