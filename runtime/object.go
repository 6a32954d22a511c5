package runtime

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
)

// ObjectRef is a reference to a Kubernetes object, reduced to values. It also leads to the object that it was made of, for
// recorders that On or OnRecord returned; an Event never does. The zero ObjectRef is absent.
type ObjectRef struct {
	// APIVersion and Kind are empty if the event's Definition tells them, or if a scheme has to tell them by the Go type.
	APIVersion      string
	Kind            string
	Namespace       string
	Name            string
	UID             string
	FieldPath       string
	ResourceVersion string

	// source is the caller's object. In an event it is the object's reflect.Type where kindless is set, else nil.
	source    any
	kindless  bool // a scheme has to tell the kind, by the Go type
	present   bool
	container bool // FieldPath is that of a container
	otherKind bool // an unstructured object says another kind than the definition
}

// ObjectOf refers to an object whose kind the event's definition knows; an unstructured object also says its own, and an event
// about one of another kind or API group is rejected. A nil object, or a nil pointer in the interface, is
// an absent one; so is an object whose methods panic, as those of a struct do whose embedded metadata was never set.
func ObjectOf(obj metav1.Object) (o ObjectRef) {
	if obj == nil {
		return ObjectRef{}
	}
	if isNilPointer(obj) {
		return ObjectRef{source: obj}
	}
	defer absentOnPanic(&o, obj)
	o = ObjectRef{
		source:          obj,
		Namespace:       obj.GetNamespace(),
		Name:            obj.GetName(),
		UID:             string(obj.GetUID()),
		ResourceVersion: obj.GetResourceVersion(),
		present:         true,
	}
	if u, ok := obj.(unstructured); ok {
		o.APIVersion, o.Kind = u.GetAPIVersion(), u.GetKind()
	}
	return o
}

// unstructured is an object that holds its kind as data, so that its Go type does not tell it.
type unstructured interface {
	GetAPIVersion() string
	GetKind() string
}

func isNilPointer(v any) bool {
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}

func absentOnPanic(o *ObjectRef, source any) {
	if recover() != nil {
		*o = ObjectRef{source: source}
	}
}

// AnyObject refers to an object of any kind: a *corev1.ObjectReference (taken as it is, fieldPath included), an
// unstructured object, or an object with metadata. Where neither the reference nor the object's TypeMeta tells the
// kind, the broadcaster's scheme does. What is absent is said at ObjectOf; objects without metadata are, too.
func AnyObject(obj k8sruntime.Object) ObjectRef {
	if obj == nil {
		return ObjectRef{}
	}
	if ref, ok := obj.(*corev1.ObjectReference); ok {
		return ReferenceOf(ref)
	}
	meta, ok := obj.(metav1.Object)
	if !ok {
		meta = metadataOf(obj)
	}
	o := ObjectOf(meta)
	o.source = obj
	if !o.present {
		return o
	}
	if kind := kindOf(obj); kind.Kind != "" {
		o.APIVersion, o.Kind = kind.APIVersion, kind.Kind
	} else {
		o.kindless = true
	}
	return o
}

// goType is the Go type of an object whose kind a scheme has to tell.
func (o *ObjectRef) goType() reflect.Type {
	if t, ok := o.source.(reflect.Type); ok {
		return t
	}
	return reflect.TypeOf(o.source)
}

// settle lets go of the caller's object.
func (o *ObjectRef) settle() {
	if o.kindless {
		o.source = o.goType()
		return
	}
	o.source = nil
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
func kindOf(obj k8sruntime.Object) (kind metav1.TypeMeta) {
	defer func() {
		if recover() != nil {
			kind = metav1.TypeMeta{}
		}
	}()
	switch k := obj.GetObjectKind().(type) {
	case *metav1.TypeMeta:
		return metav1.TypeMeta{APIVersion: k.APIVersion, Kind: k.Kind}
	case interface {
		GetAPIVersion() string
		GetKind() string
	}:
		return metav1.TypeMeta{APIVersion: k.GetAPIVersion(), Kind: k.GetKind()}
	default:
		gvk := k.GroupVersionKind()
		return metav1.TypeMeta{APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind}
	}
}

// ReferenceOf refers to the object that a reference names. A nil reference is an absent object.
func ReferenceOf(ref *corev1.ObjectReference) ObjectRef {
	if ref == nil {
		return ObjectRef{source: ref}
	}
	return ObjectRef{
		source:          ref,
		Namespace:       ref.Namespace,
		Name:            ref.Name,
		UID:             string(ref.UID),
		FieldPath:       ref.FieldPath,
		ResourceVersion: ref.ResourceVersion,
		APIVersion:      ref.APIVersion,
		Kind:            ref.Kind,
		present:         true,
	}
}

// Present reports whether there is an object.
func (o *ObjectRef) Present() bool { return o.present }

// TypeMeta is the object's API version and kind.
func (o *ObjectRef) TypeMeta() metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: o.APIVersion, Kind: o.Kind}
}

// Reference is the object as the API type for references.
func (o *ObjectRef) Reference() corev1.ObjectReference {
	return corev1.ObjectReference{
		APIVersion:      o.APIVersion,
		Kind:            o.Kind,
		Namespace:       o.Namespace,
		Name:            o.Name,
		UID:             k8sUID(o.UID),
		FieldPath:       o.FieldPath,
		ResourceVersion: o.ResourceVersion,
	}
}

// The fieldPaths of containers that are none of spec.containers, without the names (kubernetes pkg/kubelet/container/ref.go).
const (
	initContainersPath      = "spec.initContainers"
	ephemeralContainersPath = "spec.ephemeralContainers"
)

// InContainer refers to a container of an object. If obj is a *corev1.Pod that has the container among its init or ephemeral
// containers, the fieldPath says so, as the kubelet writes it; else it is that of the event's definition. Generated code
// calls it.
func InContainer(o ObjectRef, obj any, container Arg) ObjectRef {
	pod, ok := obj.(*corev1.Pod)
	if !ok || pod == nil || container.text == "" {
		return o
	}
	for i := range pod.Spec.InitContainers {
		if pod.Spec.InitContainers[i].Name == container.text {
			o.FieldPath, o.container = initContainersPath+"{"+container.text+"}", true
			return o
		}
	}
	for i := range pod.Spec.EphemeralContainers {
		if pod.Spec.EphemeralContainers[i].Name == container.text {
			o.FieldPath, o.container = ephemeralContainersPath+"{"+container.text+"}", true
			return o
		}
	}
	return o
}
