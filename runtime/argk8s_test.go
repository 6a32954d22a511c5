package eventrt_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
)

func TestKubernetesArgs(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web"}}
	var nilPod *corev1.Pod
	tests := []struct {
		name               string
		arg                eventrt.Arg
		required, optional string
	}{
		{"namespaced name", eventrt.NamespacedName(types.NamespacedName{Namespace: "ns", Name: "web"}), "ns/web", " p: ns/web"},
		{"no namespaced name", eventrt.NamespacedName(types.NamespacedName{}), "/", ""},
		{"quantity", eventrt.Quantity(resource.MustParse("1500m")), "1500m", " p: 1500m"},
		{"no quantity", eventrt.Quantity(resource.Quantity{}), "0", ""},
		{"object", eventrt.ObjectName(pod), "Pod/web", " p: Pod/web"},
		{"object reference", eventrt.ObjectName(&corev1.ObjectReference{Kind: "Job", Name: "x"}), "Job/x", " p: Job/x"},
		{"nil object", eventrt.ObjectName(nilPod), "<nil>", ""},
		{"no object", eventrt.ObjectName(nil), "<nil>", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := shown(eventrt.Param{Name: "p"}, tt.arg); got != tt.required {
				t.Errorf("a required param shows %q, want %q", got, tt.required)
			}
			if got := shown(eventrt.Param{Name: "p", Optional: true, Prefix: " p: "}, tt.arg); got != tt.optional {
				t.Errorf("an optional param shows %q, want %q", got, tt.optional)
			}
		})
	}
}

func shown(p eventrt.Param, arg eventrt.Arg) string {
	def := &eventrt.Definition{
		Reason:  "Tested",
		Subject: eventrt.Subject{Regarding: podKind},
		Params:  []eventrt.Param{p},
		Message: []eventrt.Segment{{Value: eventrt.ParamValue}},
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web"}}
	return eventrt.NewEvent(def, eventrt.ObjectOf(pod), eventrt.ObjectRef{}, arg).Message()
}
