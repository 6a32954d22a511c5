package runtime_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
)

func TestVerbatimEventsAreLeftAsTheyAre(t *testing.T) {
	def := &eventrt.Definition{
		Params: []eventrt.Param{{Name: "message"}}, Message: []eventrt.Segment{{Value: eventrt.ParamValue}}, Verbatim: true,
		Type: eventrt.Normal,
	}
	long := strings.Repeat("50% of two\nlines\t", 100)
	annotations := []eventrt.Annotation{{Key: "any key", Value: strings.Repeat("x\n", 1024)}}
	e := eventrt.NewVerbatimEvent(def, eventrt.ReferenceOf(&corev1.ObjectReference{}), eventrt.ObjectRef{}, long, annotations)
	if e.Problem() != eventrt.NoProblem {
		t.Errorf("problem: %v", e.Problem())
	}
	if e.Message() != long {
		t.Errorf("message changed: %q", e.Message())
	}
	if got := e.Annotations(); len(got) != 1 || got[0] != annotations[0] {
		t.Errorf("annotations changed: %q", got)
	}
	untyped := eventrt.NewVerbatimEvent(&eventrt.Definition{Verbatim: true}, eventrt.ReferenceOf(&corev1.ObjectReference{}), eventrt.ObjectRef{}, "", nil)
	if untyped.Problem() != eventrt.BadType {
		t.Errorf("problem without a type: %v", untyped.Problem())
	}
	none := eventrt.NewVerbatimEvent(def, eventrt.ObjectRef{}, eventrt.ObjectRef{}, "", nil)
	if none.Problem() != eventrt.NilRegarding {
		t.Errorf("problem without an object: %v", none.Problem())
	}
}
