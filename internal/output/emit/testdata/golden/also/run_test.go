package also

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/event-gen/event-gen/internal/output/emit/testdata/golden/also/alsoevents"
	eventrt "github.com/event-gen/event-gen/runtime"
)

var (
	node       = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}
	other      = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "o"}}
	claim      = &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "c"}}
	pod        = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "p"}, Spec: corev1.PodSpec{InitContainers: []corev1.Container{{Name: "setup"}}}}
	deployment = &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "d"}}
	errBroken  = errors.New("broken")
)

// all keeps the events, each in a line.
type all struct{ lines []string }

func (a *all) Publish(e eventrt.Event) { a.lines = append(a.lines, line(&e)) }

func line(e *eventrt.Event) string {
	if e.Problem() != eventrt.NoProblem {
		return e.Problem().String()
	}
	ref := e.RegardingReference()
	return strings.TrimSpace(fmt.Sprintf("%s %s/%s%s %s %s: %s", ref.Kind, ref.Namespace, ref.Name, ref.FieldPath, e.Type(), e.Reason(), e.Message()))
}

var tests = []struct {
	name      string
	emit      func(alsoevents.Recorder)
	construct func() []eventrt.Event
	want      []string
}{
	{"each object", func(r alsoevents.Recorder) { r.Blocked(node, claim, errBroken) },
		func() []eventrt.Event { return alsoevents.NewBlocked(node, claim, errBroken) },
		[]string{"Node /n Warning Blocked: Cannot disrupt Node: broken", "NodeClaim /c Warning Blocked: Cannot disrupt NodeClaim: broken"}},
	{"a nil further object", func(r alsoevents.Recorder) { r.Blocked(node, nil, errBroken) },
		func() []eventrt.Event { return alsoevents.NewBlocked(node, nil, errBroken) },
		[]string{"Node /n Warning Blocked: Cannot disrupt Node: broken"}},
	{"a nil regarding object", func(r alsoevents.Recorder) { r.Blocked(nil, claim, errBroken) },
		func() []eventrt.Event { return alsoevents.NewBlocked(nil, claim, errBroken) },
		[]string{"NodeClaim /c Warning Blocked: Cannot disrupt NodeClaim: broken"}},
	{"nothing but nil", func(r alsoevents.Recorder) { r.Blocked(nil, nil, errBroken) },
		func() []eventrt.Event { return alsoevents.NewBlocked(nil, nil, errBroken) },
		[]string{"the regarding object is nil, or its methods panic"}},
	{"two of a kind, and one of any", func(r alsoevents.Recorder) { r.Plain(node, other, deployment) },
		func() []eventrt.Event { return alsoevents.NewPlain(node, other, deployment) },
		[]string{"Node /n Normal Plain: Node n", "Node /o Normal Plain: Node o", "Deployment ns/d Normal Plain: Deployment d"}},
	{"a nil interface", func(r alsoevents.Recorder) { r.Plain(node, nil, nil) },
		func() []eventrt.Event { return alsoevents.NewPlain(node, nil, nil) },
		[]string{"Node /n Normal Plain: Node n"}},
	{"a method for each kind", func(r alsoevents.Recorder) { r.PerKindOnDeployment(deployment, pod, node) },
		func() []eventrt.Event { return alsoevents.NewPerKindOnDeployment(deployment, pod, node) },
		[]string{"Deployment ns/d Normal PerKind: Moved on n", "Pod ns/p Normal PerKind: Moved on n"}},
	{"the other one", func(r alsoevents.Recorder) { r.PerKindOnNode(node, pod, nil) },
		func() []eventrt.Event { return alsoevents.NewPerKindOnNode(node, pod, nil) },
		[]string{"Node /n Normal PerKind: Moved", "Pod ns/p Normal PerKind: Moved"}},
	{"a closed set", func(r alsoevents.Recorder) { r.ClosedSet(pod, deployment, 3) },
		func() []eventrt.Event { return alsoevents.NewClosedSet(pod, deployment, 3) },
		[]string{"Pod ns/p Normal ClosedSet: 3 of p", "Deployment ns/d Normal ClosedSet: 3 of d"}},
	{"a container of the first object alone", func(r alsoevents.Recorder) { r.InContainer(pod, node, "setup") },
		func() []eventrt.Event { return alsoevents.NewInContainer(pod, node, "setup") },
		[]string{"Pod ns/pspec.initContainers{setup} Normal InContainer: Container setup started", "Node /n Normal InContainer: Container setup started"}},
	{"a variant", func(r alsoevents.Recorder) { r.Ended(node, claim, alsoevents.EndedOutcomeLost, "x") },
		func() []eventrt.Event { return alsoevents.NewEnded(node, claim, alsoevents.EndedOutcomeLost, "x") },
		[]string{"Node /n Warning Lost: lost: x", "NodeClaim /c Warning Lost: lost: x"}},
	{"other", func(r alsoevents.Recorder) { r.Ended(node, claim, alsoevents.EndedOutcomeGone, "x") },
		func() []eventrt.Event { return alsoevents.NewEnded(node, claim, alsoevents.EndedOutcomeGone, "x") },
		[]string{"Node /n Normal Vanished: x", "NodeClaim /c Normal Vanished: x"}},
}

func TestEvents(t *testing.T) {
	for _, tt := range tests {
		published := &all{}
		tt.emit(alsoevents.NewRecorder(eventrt.NewRecorder(published)))
		if diff := cmp.Diff(tt.want, published.lines); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		constructed := &all{}
		for _, e := range tt.construct() {
			constructed.Publish(e)
		}
		if diff := cmp.Diff(tt.want, constructed.lines); diff != "" {
			t.Errorf("%s, by its constructor (-want +got):\n%s", tt.name, diff)
		}
	}
}

// eventf is a recorder of client-go's tools/events, and legacy one of tools/record.
type eventf struct{ calls []string }

func (r *eventf) Eventf(regarding, related k8sruntime.Object, eventtype, reason, action, note string, args ...any) {
	r.calls = append(r.calls, fmt.Sprintf("%p %s %s %s", regarding, eventtype, reason, note))
}

type legacy struct{ calls []string }

func (r *legacy) Eventf(object k8sruntime.Object, eventtype, reason, format string, args ...any) {
	r.calls = append(r.calls, fmt.Sprintf("%p %s %s %s", object, eventtype, reason, format))
}

// FromEvents and FromRecord call the other recorder once for each object.
func TestOn(t *testing.T) {
	want := []string{fmt.Sprintf("%p Warning Blocked Cannot disrupt Node: broken", node), fmt.Sprintf("%p Warning Blocked Cannot disrupt NodeClaim: broken", claim)}
	events, record := &eventf{}, &legacy{}
	alsoevents.FromEvents(events).Blocked(node, claim, errBroken)
	alsoevents.FromRecord(record).Blocked(node, claim, errBroken)
	alsoevents.FromEvents(events).Blocked(nil, claim, errBroken)
	if diff := cmp.Diff(append(want, want[1]), events.calls); diff != "" {
		t.Errorf("On (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, record.calls); diff != "" {
		t.Errorf("FromRecord (-want +got):\n%s", diff)
	}
}

// A call allocates nothing, on however many objects.
func TestAllocations(t *testing.T) {
	r := alsoevents.NewRecorder(eventrt.NewRecorder(nothing{}))
	if n := testing.AllocsPerRun(100, func() { r.InContainer(pod, node, "app") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

type nothing struct{}

func (nothing) Publish(eventrt.Event) {}

// The zero recorder is a silent no-op.
func TestZeroRecorder(t *testing.T) {
	alsoevents.Recorder{}.Blocked(nil, nil, nil)
}
