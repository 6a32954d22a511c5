package eventrt

import (
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/runtime/internal/kinds"
)

// ObjectRef is a reference to a Kubernetes object, reduced to values. It also holds the object that
// it was made from, for recorders that FromEvents or FromRecord returned; the ObjectRef of an Event
// holds no object. The zero ObjectRef is absent.
type ObjectRef struct {
	// APIVersion and Kind are empty if the event's Definition has them, or if a scheme has to find
	// them by the Go type.
	APIVersion      string
	Kind            string
	Namespace       string
	Name            string
	UID             string
	FieldPath       string
	ResourceVersion string

	// source is the caller's object. In an event it is the object's reflect.Type if kindless is
	// set, else nil.
	source    any
	kindless  bool // a scheme has to find the kind, by the Go type
	present   bool
	container bool // FieldPath refers to a container
	otherKind bool // an unstructured object carries another kind than the definition's
	reference bool // made from a reference, which may lack what an object has
}

// ObjectOf refers to an object whose kind the event's definition knows. An unstructured object
// carries its own kind, and the event is rejected if that kind or its API group differs. A nil
// object, or a nil pointer in the interface, is an absent object. So is an object whose methods
// panic, such as a struct whose embedded metadata was never set.
func ObjectOf(obj metav1.Object) (o ObjectRef) {
	o.source = obj
	if obj == nil || isNilPointer(obj) {
		return o
	}
	defer func() {
		if recover() != nil {
			o = ObjectRef{source: obj}
		}
	}()
	o.Namespace, o.Name = obj.GetNamespace(), obj.GetName()
	o.UID, o.ResourceVersion = string(obj.GetUID()), obj.GetResourceVersion()
	if u, ok := obj.(unstructured); ok {
		o.APIVersion, o.Kind = u.GetAPIVersion(), u.GetKind()
	}
	o.present = true
	return o
}

// unstructured is an object that holds its kind as data, so that its Go type does not determine the
// kind.
type unstructured interface {
	GetAPIVersion() string
	GetKind() string
}

func isNilPointer(v any) bool {
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}

// AnyObject refers to an object of any kind: a *corev1.ObjectReference (taken as it is, fieldPath
// included), an unstructured object, or an object with metadata. If the object's TypeMeta has no
// kind, the Go types of k8s.io/api tell it; for other types the broadcaster's scheme finds it.
// Objects are absent as in ObjectOf; an object without metadata is absent, too.
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
	kind := kindOf(obj)
	if kind.Kind == "" {
		kind = kinds.Of(reflect.TypeOf(obj))
	}
	o.APIVersion, o.Kind, o.kindless = kind.APIVersion, kind.Kind, kind.Kind == ""
	return o
}

// goType is the Go type of an object whose kind a scheme has to find.
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

// metadataOf returns the metadata that an object holds elsewhere; nil if there is none.
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

// kindOf returns the kind that an object carries; zero if it carries none. It does not call
// GroupVersionKind, which would split apiVersion only to join it again, and so allocate.
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
		reference:       true,
	}
}

// lacksNamespace reports a reference of a namespaced kind without a namespace. The server would
// store its event in namespace default.
func (o *ObjectRef) lacksNamespace() bool {
	return o.reference && o.Namespace == "" && kinds.Namespaced(kinds.GroupOf(o.APIVersion), o.Kind)
}

// Present reports whether the reference names an object.
func (o *ObjectRef) Present() bool { return o.present }

// ByName refers to an object that the program knows by its name alone, such as a Secret that it
// never reads. Its namespace is that of another object; its kind is the definition's. An empty name
// is an absent object.
func ByName(name string, beside ObjectRef) ObjectRef {
	return ObjectRef{Name: name, Namespace: beside.Namespace, present: name != ""}
}

// Reference returns the object as the API type for references.
func (o *ObjectRef) Reference() corev1.ObjectReference {
	return corev1.ObjectReference{
		APIVersion:      o.APIVersion,
		Kind:            o.Kind,
		Namespace:       o.Namespace,
		Name:            o.Name,
		UID:             types.UID(o.UID),
		FieldPath:       o.FieldPath,
		ResourceVersion: o.ResourceVersion,
	}
}

// InContainer refers to a container of an object. If obj is a *corev1.Pod and the container is one
// of its init or ephemeral containers, the fieldPath names it as the kubelet does (kubernetes
// pkg/kubelet/container/ref.go). Otherwise the fieldPath comes from the event's definition.
// Generated code calls it.
func InContainer(o ObjectRef, obj any, container Arg) ObjectRef {
	pod, ok := obj.(*corev1.Pod)
	if !ok || pod == nil || container.text == "" {
		return o
	}
	path := ""
	switch {
	case slices.ContainsFunc(pod.Spec.InitContainers, func(c corev1.Container) bool { return c.Name == container.text }):
		path = "spec.initContainers"
	case slices.ContainsFunc(pod.Spec.EphemeralContainers, func(c corev1.EphemeralContainer) bool { return c.Name == container.text }):
		path = "spec.ephemeralContainers"
	default:
		return o
	}
	o.FieldPath, o.container = path+"{"+container.text+"}", true
	return o
}
