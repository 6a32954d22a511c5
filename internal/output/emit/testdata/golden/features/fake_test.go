package features

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/internal/output/emit/testdata/golden/features/api/v1alpha1"
	"github.com/event-gen/event-gen/internal/output/emit/testdata/golden/features/featureevents"
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

	fake.ExpectInAnyOrder(
		featureeventstest.MatchSelectedOnTower(tower, v1alpha1.PhaseReady, "x"),
		featureeventstest.MatchLists(widget, []string{"a", "b"}, []string{"c", "d"}),
		featureeventstest.MatchOptionalRelated(widget, nil),
		featureeventstest.MatchInContainer(pod, "app"),
		featureeventstest.MatchClosedSet(node),
		featureeventstest.MatchPerKindOnDeployment(deployment, nil),
		featureeventstest.MatchAboutAnything(moon, sun),
		featureeventstest.MatchAboutTower(tower),
	)
	fake.ExpectContains(
		featureevents.NewSelectedOnTower(tower, v1alpha1.PhaseReady, "x"),
		featureevents.NewLists(widget, []string{"a", "b"}, []string{"c", "d"}),
		featureevents.NewOptionalRelated(widget, nil),
		featureevents.NewAboutAnything(moon, sun),
	)
	fake.ExpectContains(featureeventstest.MatchLists(nil, any, []string{"c", "d"}))
	fake.ExpectContains(featureeventstest.MatchClosedSet(nil))
	r.NoSecret(widget, "token")
	fake.ExpectContains(featureeventstest.MatchNoSecret(widget, "token"), featureeventstest.MatchClosedSet(node))
	fake.ExpectContains(featureeventstest.MatchNoSecret(nil, ""))

	var wrong failures
	other := featureeventstest.New(&wrong)
	other.Recorder().ClosedSet(node)
	other.Recorder().Secret(widget, "hunter2")
	other.ExpectContains(featureeventstest.MatchClosedSet(pod))
	other.ExpectContains(featureeventstest.MatchAboutAnything(sun, moon))
	other.ExpectContains(featureevents.NewClosedSet(pod))
	other.Recorder().NoSecret(widget, "other")
	other.ExpectContains(featureeventstest.MatchNoSecret(widget, "token"))
	if wrong != 4 {
		t.Errorf("%d of 4 mistakes were found", wrong)
	}
}

// failures counts what a test reports.
type failures int

func (*failures) Helper()                 {}
func (f *failures) Errorf(string, ...any) { *f++ }
