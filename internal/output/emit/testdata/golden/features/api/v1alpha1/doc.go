// Package v1alpha1 has API types as controllers declare them, with the markers of controller-gen.
// +groupName=features.example.com
package v1alpha1
