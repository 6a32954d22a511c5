package controllers

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Thing is an object.
type Thing struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject makes it a runtime.Object.
func (t *Thing) DeepCopyObject() runtime.Object { c := *t; return &c }
