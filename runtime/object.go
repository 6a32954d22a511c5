package runtime

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
)

// Object is a reference to a Kubernetes object, reduced to values: no pointer to the object is kept. The zero Object is
// absent.
type Object struct {
	Namespace       string
	Name            string
	UID             string
	FieldPath       string
	ResourceVersion string
	// Kind is zero where the event's Spec says it, or where Type is to be looked up in a scheme.
	Kind Kind

	goType  reflect.Type
	present bool
}

// ObjectOf refers to an object whose kind the event's spec knows. A nil object, or a nil pointer in the interface, is
// an absent one.
func ObjectOf(obj metav1.Object) Object {
	if obj == nil {
		return Object{}
	}
	if v := reflect.ValueOf(obj); v.Kind() == reflect.Pointer && v.IsNil() {
		return Object{}
	}
	return Object{
		Namespace:       obj.GetNamespace(),
		Name:            obj.GetName(),
		UID:             string(obj.GetUID()),
		ResourceVersion: obj.GetResourceVersion(),
		present:         true,
	}
}

// AnyObject refers to an object of any kind: a *corev1.ObjectReference (taken as it is, fieldPath included), an
// unstructured object, or an object with metadata. Where neither the reference nor the object's TypeMeta tells the
// kind, the broadcaster's scheme does. Nil pointers and objects without metadata are absent ones.
func AnyObject(obj k8sruntime.Object) Object {
	if obj == nil {
		return Object{}
	}
	if ref, ok := obj.(*corev1.ObjectReference); ok {
		return ReferenceOf(ref)
	}
	meta, ok := obj.(metav1.Object)
	if !ok {
		accessor, isAccessor := obj.(metav1.ObjectMetaAccessor)
		if !isAccessor {
			return Object{}
		}
		meta = accessor.GetObjectMeta()
	}
	o := ObjectOf(meta)
	if o.present {
		o.setKind(obj)
	}
	return o
}

// ReferenceOf refers to the object that a reference names. A nil reference is an absent object.
func ReferenceOf(ref *corev1.ObjectReference) Object {
	if ref == nil {
		return Object{}
	}
	return Object{
		Namespace:       ref.Namespace,
		Name:            ref.Name,
		UID:             string(ref.UID),
		FieldPath:       ref.FieldPath,
		ResourceVersion: ref.ResourceVersion,
		Kind:            Kind{APIVersion: ref.APIVersion, Kind: ref.Kind},
		present:         true,
	}
}

func (o *Object) setKind(obj k8sruntime.Object) {
	gvk := obj.GetObjectKind().GroupVersionKind()
	if gvk.Kind == "" {
		o.goType = reflect.TypeOf(obj)
		return
	}
	o.Kind = Kind{APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind}
}

// Present reports whether there is an object.
func (o *Object) Present() bool { return o.present }

// Reference is the object as the API type for references.
func (o *Object) Reference() corev1.ObjectReference {
	return corev1.ObjectReference{
		APIVersion:      o.Kind.APIVersion,
		Kind:            o.Kind.Kind,
		Namespace:       o.Namespace,
		Name:            o.Name,
		UID:             k8sUID(o.UID),
		FieldPath:       o.FieldPath,
		ResourceVersion: o.ResourceVersion,
	}
}
