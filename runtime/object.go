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
// an absent one; so is an object whose methods panic, as those of a struct do whose embedded metadata was never set.
func ObjectOf(obj metav1.Object) (o Object) {
	if obj == nil {
		return Object{}
	}
	if v := reflect.ValueOf(obj); v.Kind() == reflect.Pointer && v.IsNil() {
		return Object{}
	}
	defer absentOnPanic(&o)
	return Object{
		Namespace:       obj.GetNamespace(),
		Name:            obj.GetName(),
		UID:             string(obj.GetUID()),
		ResourceVersion: obj.GetResourceVersion(),
		present:         true,
	}
}

func absentOnPanic(o *Object) {
	if recover() != nil {
		*o = Object{}
	}
}

// AnyObject refers to an object of any kind: a *corev1.ObjectReference (taken as it is, fieldPath included), an
// unstructured object, or an object with metadata. Where neither the reference nor the object's TypeMeta tells the
// kind, the broadcaster's scheme does. What is absent is said at ObjectOf; objects without metadata are, too.
func AnyObject(obj k8sruntime.Object) Object {
	if obj == nil {
		return Object{}
	}
	if ref, ok := obj.(*corev1.ObjectReference); ok {
		return ReferenceOf(ref)
	}
	meta, ok := obj.(metav1.Object)
	if !ok {
		meta = metadataOf(obj)
	}
	o := ObjectOf(meta)
	if !o.present {
		return o
	}
	if o.Kind = kindOf(obj); o.Kind.Kind == "" {
		o.Kind, o.goType = Kind{}, reflect.TypeOf(obj)
	}
	return o
}

// metadataOf is what an object that holds its metadata elsewhere leads to; nil if that is nothing.
func metadataOf(obj k8sruntime.Object) (meta metav1.Object) {
	defer func() {
		if recover() != nil {
			meta = nil
		}
	}()
	if a, ok := obj.(metav1.ObjectMetaAccessor); ok {
		return a.GetObjectMeta()
	}
	return nil
}

// kindOf is the kind that an object tells; zero if it tells none. Asking typed and unstructured objects for their
// GroupVersionKind would take apiVersion apart only to have it joined again, which allocates.
func kindOf(obj k8sruntime.Object) (kind Kind) {
	defer func() {
		if recover() != nil {
			kind = Kind{}
		}
	}()
	switch k := obj.GetObjectKind().(type) {
	case *metav1.TypeMeta:
		return Kind{APIVersion: k.APIVersion, Kind: k.Kind}
	case interface {
		GetAPIVersion() string
		GetKind() string
	}:
		return Kind{APIVersion: k.GetAPIVersion(), Kind: k.GetKind()}
	default:
		gvk := k.GroupVersionKind()
		return Kind{APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind}
	}
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
