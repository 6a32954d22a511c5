package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// DeepCopyObject implements runtime.Object.
func (w *Widget) DeepCopyObject() runtime.Object { return w.DeepCopy() }

// DeepCopy returns a widget that shares nothing with w.
func (w *Widget) DeepCopy() *Widget {
	if w == nil {
		return nil
	}
	c := *w
	w.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	if w.Status.Conditions != nil {
		c.Status.Conditions = make([]metav1.Condition, len(w.Status.Conditions))
		for i := range w.Status.Conditions {
			w.Status.Conditions[i].DeepCopyInto(&c.Status.Conditions[i])
		}
	}
	return &c
}

// DeepCopyObject implements runtime.Object.
func (l *WidgetList) DeepCopyObject() runtime.Object {
	if l == nil {
		return nil
	}
	c := *l
	l.ListMeta.DeepCopyInto(&c.ListMeta)
	if l.Items != nil {
		c.Items = make([]Widget, len(l.Items))
		for i := range l.Items {
			c.Items[i] = *l.Items[i].DeepCopy()
		}
	}
	return &c
}
