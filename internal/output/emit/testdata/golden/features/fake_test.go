package features

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/internal/output/emit/testdata/golden/features/api/v1alpha1"
	"github.com/event-gen/event-gen/internal/output/emit/testdata/golden/features/featureevents/featureeventstest"
)

func TestFake(t *testing.T) {
	fake := featureeventstest.New(t)
	r := fake.Recorder()
	moon, sun := &corev1.ObjectReference{Kind: "Moon", Name: "luna"}, &corev1.ObjectReference{Kind: "Sun", Name: "sol"}
	any := featureeventstest.Any

	r.AboutTower(tower)
	r.AboutAnything(moon, sun)
	r.PerKindOnDeployment(deployment, nil)
	r.ClosedSet(node)
	r.InContainer(pod, "app")
	r.OptionalRelated(widget, nil)
	r.Lists(widget, []string{"a", "b"}, []string{"c", "d"})
	r.SelectedOnTower(tower, v1alpha1.PhaseReady, "x")

	fake.Expect(t,
		featureeventstest.MatchSelectedOnTower(tower, v1alpha1.PhaseReady, "x"),
		featureeventstest.MatchLists(widget, []string{"a", "b"}, []string{"c", "d"}),
		featureeventstest.MatchOptionalRelated(widget, nil),
		featureeventstest.MatchInContainer(pod, "app"),
		featureeventstest.MatchClosedSet(node),
		featureeventstest.MatchPerKindOnDeployment(deployment, nil),
		featureeventstest.MatchAboutAnything(moon, sun),
		featureeventstest.MatchAboutTower(tower),
	)
	fake.ExpectContains(t,
		featureeventstest.IsSelectedOnTower(tower, v1alpha1.PhaseReady, "x"),
		featureeventstest.IsLists(widget, []string{"a", "b"}, []string{"c", "d"}),
		featureeventstest.IsOptionalRelated(widget, nil),
		featureeventstest.IsAboutAnything(moon, sun),
	)
	fake.ExpectLists(nil, any, []string{"c", "d"})
	fake.ExpectClosedSet(nil)

	var wrong failures
	other := featureeventstest.New(&wrong)
	other.Recorder().ClosedSet(node)
	other.Recorder().Secret(widget, "hunter2")
	other.ExpectClosedSet(pod)
	other.ExpectAboutAnything(sun, moon)
	other.ExpectContains(&wrong, featureeventstest.IsClosedSet(pod))
	if wrong != 3 {
		t.Errorf("%d of 3 mistakes were found", wrong)
	}
}

// failures counts what a test reports.
type failures int

func (*failures) Helper()                 {}
func (f *failures) Errorf(string, ...any) { *f++ }
