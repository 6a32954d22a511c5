package eventrt_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/problems"
)

// unset has its metadata behind a pointer that nobody set, so that its methods panic.
type unset struct {
	metav1.TypeMeta
	*metav1.ObjectMeta
}

func (*unset) DeepCopyObject() k8sruntime.Object { return nil }

// published keeps events.
type published struct{ events []eventrt.Event }

func (p *published) Publish(e eventrt.Event) { p.events = append(p.events, e) }

// Each object that is not nil has an event, and a call without any is rejected once. An object
// whose methods panic is no nil.
func TestTargets(t *testing.T) {
	def := &eventrt.Definition{Name: "Drained", Reason: "Drained", Type: eventrt.Normal, Subject: eventrt.Subject{Regarding: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}}}
	named := func(name string) eventrt.ObjectRef {
		return eventrt.ObjectOf(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}})
	}
	nothing, broken := eventrt.ObjectOf((*corev1.Pod)(nil)), eventrt.AnyObject(&unset{})
	for _, tt := range []struct {
		name    string
		objects []eventrt.ObjectRef
		want    []string // names, or problems
	}{
		{"all", []eventrt.ObjectRef{named("a"), named("b"), named("c")}, []string{"a", "b", "c"}},
		{"the first is nil", []eventrt.ObjectRef{nothing, named("b"), named("c")}, []string{"b", "c"}},
		{"the last is nil", []eventrt.ObjectRef{named("a"), named("b"), nothing}, []string{"a", "b"}},
		{"a nil interface", []eventrt.ObjectRef{named("a"), eventrt.AnyObject(nil)}, []string{"a"}},
		{"none but nil", []eventrt.ObjectRef{nothing, nothing, nothing}, []string{eventrt.Problem(problems.NilRegarding).String()}},
		{"methods that panic", []eventrt.ObjectRef{named("a"), broken}, []string{"a", eventrt.Problem(problems.NilRegarding).String()}},
		{"methods that panic beside nil", []eventrt.ObjectRef{nothing, broken}, []string{eventrt.Problem(problems.NilRegarding).String()}},
		{"one twice", []eventrt.ObjectRef{named("a"), named("a")}, []string{"a", "a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var targets []eventrt.Target
			for _, o := range tt.objects {
				targets = append(targets, eventrt.About(def, o))
			}
			var emitted published
			eventrt.NewRecorder(&emitted).EmitEach(targets, eventrt.ObjectRef{})
			for how, events := range map[string][]eventrt.Event{"EmitEach": emitted.events, "NewEvents": eventrt.NewEvents(targets, eventrt.ObjectRef{})} {
				var got []string
				for _, e := range events {
					if p := e.Problem(); p != eventrt.NoProblem {
						got = append(got, p.String())
					} else {
						got = append(got, e.Regarding().Name)
					}
				}
				if len(got) != len(tt.want) {
					t.Fatalf("%s: %q, want %q", how, got, tt.want)
				}
				for i := range got {
					if got[i] != tt.want[i] {
						t.Errorf("%s: %q, want %q", how, got, tt.want)
					}
				}
			}
		})
	}
}
