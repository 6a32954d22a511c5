// Package beside has its types and its catalog in one folder.
package beside

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Thing is an object.
type Thing struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

// DeepCopyObject makes a Thing a runtime.Object.
func (t *Thing) DeepCopyObject() runtime.Object { c := *t; return &c }

// Shape is a named string.
type Shape string

// Round is the only shape.
const Round Shape = "Round"

// Record uses the generated code, so that the package does not compile before it is there.
func Record(r Recorder, t *Thing) { r.Shaped(t, t.Name, Round) }
