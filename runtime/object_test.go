package eventrt_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/problems"
)

func unstructuredOf(fields map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: fields}
}

func TestAnyObjectReadsObjectsOfAllSorts(t *testing.T) {
	typed := pod()
	typed.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
	meta := map[string]any{"namespace": "ns", "name": "w", "uid": "u", "resourceVersion": "9"}
	full := corev1.ObjectReference{APIVersion: "example.com/v1", Kind: "Widget", Namespace: "ns", Name: "w", UID: "u", ResourceVersion: "9"}
	withPath := full
	withPath.FieldPath = "spec.containers{app}"
	noVersion := full
	noVersion.APIVersion = ""
	tests := []struct {
		name string
		obj  k8sruntime.Object
		want corev1.ObjectReference
	}{
		{"typed", typed, corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: "web-0", UID: "uid-of-web-0", ResourceVersion: "7"}},
		{"unstructured", unstructuredOf(map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": meta}), full},
		{"unstructured without apiVersion", unstructuredOf(map[string]any{"kind": "Widget", "metadata": meta}), noVersion},
		{"unstructured of the wrong shape", unstructuredOf(map[string]any{"kind": "Widget", "metadata": "none"}), corev1.ObjectReference{Kind: "Widget"}},
		{"object reference", &withPath, withPath},
		{"partial metadata", &metav1.PartialObjectMetadata{
			TypeMeta:   metav1.TypeMeta{APIVersion: "example.com/v1", Kind: "Widget"},
			ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "w", UID: "u", ResourceVersion: "9"},
		}, full},
		{"accessor", accessor{meta: &metav1.ObjectMeta{Namespace: "ns", Name: "w", UID: "u", ResourceVersion: "9"},
			TypeMeta: metav1.TypeMeta{APIVersion: "example.com/v1", Kind: "Widget"}}, full},
		{"kind that is no *TypeMeta", otherKind{ObjectMeta: &metav1.ObjectMeta{Namespace: "ns", Name: "w", UID: "u", ResourceVersion: "9"}}, full},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := eventrt.AnyObject(tt.obj)
			if !o.Present() || o.Reference() != tt.want {
				t.Errorf("present %v, reference %+v, want %+v", o.Present(), o.Reference(), tt.want)
			}
		})
	}
}

// accessor leads to its metadata and holds none itself.
type accessor struct {
	metav1.TypeMeta
	meta metav1.Object
}

func (a accessor) GetObjectMeta() metav1.Object      { return a.meta }
func (a accessor) GetObjectKind() schema.ObjectKind  { return &a.TypeMeta }
func (a accessor) DeepCopyObject() k8sruntime.Object { return a }

// otherKind keeps its kind in a way of its own.
type otherKind struct{ *metav1.ObjectMeta }

func (o otherKind) GetObjectKind() schema.ObjectKind            { return o }
func (o otherKind) DeepCopyObject() k8sruntime.Object           { return o }
func (o otherKind) SetGroupVersionKind(schema.GroupVersionKind) {}
func (o otherKind) GroupVersionKind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}
}

// hollow is an object whose metadata was never set: most of its methods panic.
type hollow struct {
	metav1.TypeMeta
	*metav1.ObjectMeta
}

func (h hollow) GetObjectKind() schema.ObjectKind  { return &h.TypeMeta }
func (h hollow) DeepCopyObject() k8sruntime.Object { return h }

// wrapper is an object around an object that was never set.
type wrapper struct{ eventrt.ClientObject }

// kindless is an object whose kind can't be asked for.
type kindless struct{ metav1.ObjectMeta }

func (k *kindless) GetObjectKind() schema.ObjectKind  { return nil }
func (k *kindless) DeepCopyObject() k8sruntime.Object { return k }

func TestObjectsThatAreNotThereAreAbsent(t *testing.T) {
	var (
		nilPod          *corev1.Pod
		nilUnstructured *unstructured.Unstructured
		nilReference    *corev1.ObjectReference
		nilKindless     *kindless
	)
	tests := []struct {
		name string
		obj  k8sruntime.Object
	}{
		{"nil", nil},
		{"nil pod", nilPod},
		{"nil unstructured", nilUnstructured},
		{"nil reference", nilReference},
		{"nil object without kind", nilKindless},
		{"object without metadata", &corev1.PodList{}},
		{"accessor of nothing", accessor{}},
		{"accessor of a nil pointer", accessor{meta: nilPod}},
		{"nil accessor", (*accessor)(nil)},
		{"hollow", hollow{}},
		{"pointer to hollow", &hollow{}},
		{"wrapper of nothing", wrapper{}},
		{"pointer to a wrapper of nothing", &wrapper{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if o := eventrt.AnyObject(tt.obj); o.Present() || o.Reference() != (corev1.ObjectReference{}) {
				t.Errorf("AnyObject: %+v", o)
			}
			if meta, ok := tt.obj.(metav1.Object); ok {
				if o := eventrt.ObjectOf(meta); o.Present() || o.Reference() != (corev1.ObjectReference{}) {
					t.Errorf("ObjectOf: %+v", o)
				}
			}
			if got := shown(eventrt.Param{}, eventrt.ObjectName(tt.obj)); got != "<nil>" {
				t.Errorf("ObjectName shows %q", got)
			}
		})
	}
	if o := eventrt.ObjectOf(nil); o.Present() {
		t.Errorf("ObjectOf(nil): %+v", o)
	}
}

func TestAnObjectWhoseKindPanicsIsOfUnknownKind(t *testing.T) {
	o := eventrt.AnyObject(&kindless{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "w"}})
	e := eventrt.NewEvent(messageDefinition(), o, eventrt.ObjectRef{})
	if !o.Present() || e.Problem() != problems.UnknownKind {
		t.Errorf("present %v: %v", o.Present(), e.Problem())
	}
}
