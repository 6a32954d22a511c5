package view_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/view"
)

// last is a Publisher that keeps the last event.
type last struct{ event runtime.Event }

func (l *last) Publish(e runtime.Event) { l.event = e }

func TestAnnotationsAreThoseThatWillBeStored(t *testing.T) {
	def := &runtime.Definition{Name: "Failed", Reason: "Failed", Type: runtime.Warning,
		Params:  []runtime.Param{{Name: "code"}},
		Message: []runtime.Segment{{Text: "failed"}},
		Annotations: []runtime.AnnotationDefinition{
			{Key: "example.com/object", Value: []runtime.Segment{{Text: "of ", Value: runtime.RegardingName}}},
			{Key: "example.com/code", Value: []runtime.Segment{{Value: runtime.ParamValue}}},
		}}
	ref := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: "web"}
	var l last
	runtime.NewRecorder(&l).WithAnnotations(map[string]string{"example.com/code": "mine", "a": "a"}).
		Emit(runtime.NewEvent(def, runtime.ReferenceOf(ref), runtime.ObjectRef{}, runtime.Int(7)))
	want := []runtime.Annotation{{Key: "a", Value: "a"}, {Key: "example.com/code", Value: "7"}, {Key: "example.com/object", Value: "of web"}}
	for range 2 { // the event's own are not changed
		if diff := cmp.Diff(want, view.Annotations(&l.event)); diff != "" {
			t.Errorf("(- expected, + found):\n%s", diff)
		}
	}
	if got := view.Annotations(&runtime.Event{}); got != nil {
		t.Errorf("found %v", got)
	}
}
