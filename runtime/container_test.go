package eventrt_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/problems"
)

var inContainer = &eventrt.Definition{
	Reason: "Pulled", Subject: eventrt.Subject{Regarding: podKind},
	FieldPath: "spec.containers", Params: []eventrt.Param{{Name: "container"}},
}

// The fieldPath says which list of the Pod has the container, as the kubelet's does.
func TestInContainer(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "ns"}}
	pod.Spec.Containers = []corev1.Container{{Name: "app"}}
	pod.Spec.InitContainers = []corev1.Container{{Name: "first"}, {Name: "init"}}
	pod.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "debug"}}}
	var none *corev1.Pod
	for _, c := range []struct {
		name string
		obj  any
		ref  eventrt.ObjectRef
		want string
	}{
		{"app", pod, eventrt.ObjectOf(pod), "spec.containers{app}"},
		{"init", pod, eventrt.ObjectOf(pod), "spec.initContainers{init}"},
		{"debug", pod, eventrt.ObjectOf(pod), "spec.ephemeralContainers{debug}"},
		{"unknown", pod, eventrt.ObjectOf(pod), "spec.containers{unknown}"},
		{"", pod, eventrt.ObjectOf(pod), ""},
		{"a\n\xffb", pod, eventrt.ObjectOf(pod), "spec.containers{a \uFFFDb}"},
		{"init", none, eventrt.ObjectOf(pod), "spec.containers{init}"},
		{"init", &corev1.Node{}, eventrt.ObjectOf(pod), "spec.containers{init}"},
		{"app", nil, eventrt.ReferenceOf(&corev1.ObjectReference{Name: "p", FieldPath: "spec.containers{other}"}), "spec.containers{app}"},
		{"", nil, eventrt.ReferenceOf(&corev1.ObjectReference{Name: "p", FieldPath: "spec.containers{other}"}), "spec.containers{other}"},
	} {
		arg := eventrt.String(c.name)
		e := eventrt.NewEvent(inContainer, eventrt.InContainer(c.ref, c.obj, arg), eventrt.ObjectRef{}, arg)
		if ref := e.RegardingReference(); ref.FieldPath != c.want || e.Problem() != eventrt.NoProblem {
			t.Errorf("container %q of %T: fieldPath %q (%v), want %q", c.name, c.obj, ref.FieldPath, e.Problem(), c.want)
		}
	}
}

// An unstructured object tells its kind, which must be the declared one, in whatever version.
func TestUnstructuredKind(t *testing.T) {
	declared := metav1.TypeMeta{APIVersion: "example.com/v1", Kind: "Widget"}
	def := &eventrt.Definition{Reason: "A", Subject: eventrt.Subject{Regarding: declared}, HasRelated: true, RelatedOptional: true, Related: declared}
	object := func(apiVersion, kind string) eventrt.ObjectRef {
		return eventrt.ObjectOf(unstructuredOf(map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": "w"}}))
	}
	for _, c := range []struct {
		regarding, related eventrt.ObjectRef
		want               eventrt.Problem
		apiVersion         string
	}{
		{object("example.com/v1", "Widget"), eventrt.ObjectRef{}, eventrt.NoProblem, "example.com/v1"},
		{object("example.com/v2", "Widget"), eventrt.ObjectRef{}, eventrt.NoProblem, "example.com/v2"},
		{object("", ""), eventrt.ObjectRef{}, eventrt.NoProblem, "example.com/v1"},
		{object("example.com/v1", "Gadget"), eventrt.ObjectRef{}, problems.OtherKind, "example.com/v1"},
		{object("other.example.com/v1", "Widget"), eventrt.ObjectRef{}, problems.OtherKind, "other.example.com/v1"},
		{object("example.com/v1", "Widget"), object("example.com/v1", "Gadget"), problems.OtherKind, "example.com/v1"},
	} {
		e := eventrt.NewEvent(def, c.regarding, c.related)
		if e.Problem() != c.want || e.Regarding().APIVersion != c.apiVersion {
			t.Errorf("%+v: %v, %s; want %v, %s", c.regarding, e.Problem(), e.Regarding().APIVersion, c.want, c.apiVersion)
		}
	}
}
