package features

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/internal/output/emit/testdata/golden/features/api/v1alpha1"
	"github.com/event-gen/event-gen/internal/output/emit/testdata/golden/features/featureevents"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// last keeps the last event.
type last struct{ event eventrt.Event }

func (l *last) Publish(e eventrt.Event) { l.event = e }

var (
	meta       = metav1.ObjectMeta{Namespace: "ns", Name: "w", UID: "u-1"}
	widget     = &v1alpha1.Widget{ObjectMeta: meta}
	tower      = &v1alpha1.Tower{ObjectMeta: metav1.ObjectMeta{Name: "t"}}
	deployment = &appsv1.Deployment{ObjectMeta: meta}
	pod        = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "p"}}
	node       = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}
	at         = time.Date(2024, time.May, 6, 7, 8, 9, 0, time.FixedZone("", 3600))
	errBroken  = errors.New("broken")
)

// all keeps the lines of all events.
type all struct{ lines []string }

func (a *all) Publish(e eventrt.Event) {
	a.lines = append(a.lines, e.Regarding().Kind+" "+e.Reason()+": "+e.Message())
}

// TestLabels: constants are on every event, and others come from the regarding object.
func TestLabels(t *testing.T) {
	published := &last{}
	r := featureevents.NewRecorder(eventrt.NewRecorder(published))
	labelled := &v1alpha1.Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "w", Labels: map[string]string{"zone": "a", "team": "other"}}}
	for name, c := range map[string]struct {
		record func()
		want   []eventrt.Annotation
	}{
		"copied":   {func() { r.LabelledOnWidget(labelled) }, []eventrt.Annotation{{Key: "example.com/empty"}, {Key: "team", Value: "storage"}, {Key: "zone", Value: "a"}}},
		"constant": {func() { r.LabelledOnTower(tower) }, []eventrt.Annotation{{Key: "example.com/empty"}, {Key: "team", Value: "storage"}}},
		"recorder": {func() { r.WithLabels(map[string]string{"run": "7"}).LabelledAlone(labelled) }, []eventrt.Annotation{{Key: "run", Value: "7"}, {Key: "team", Value: "network"}}},
	} {
		c.record()
		if got, leftOut := published.event.Labels(); !slices.Equal(got, c.want) || len(leftOut) > 0 {
			t.Errorf("%s: %v, left out %v, want %v", name, got, leftOut, c.want)
		}
	}
}

// TestTransitions changes conditions in place, as meta.SetStatusCondition does.
func TestTransitions(t *testing.T) {
	published := &all{}
	r := featureevents.NewRecorder(eventrt.NewRecorder(published))
	w := &v1alpha1.Widget{ObjectMeta: meta}
	w.Status.Conditions = v1alpha1.Conditions{{Type: "Ready", Status: "False"}, {Type: "Other", Status: "True"}}
	tr := r.WidgetTransitions(w)
	w.Status.Conditions[0].Status = metav1.ConditionTrue
	w.Status.Conditions[1].Status = metav1.ConditionFalse
	w.Status.Conditions = append(w.Status.Conditions, v1alpha1.Condition{Type: "Available", Status: "False", Reason: "Gone", Message: "100%"})
	tr.Record(w)
	tr.Record(w)
	d := deployment.DeepCopy()
	td := r.DeploymentTransitions(d)
	td.Record(nil)
	d.Status.Conditions = []appsv1.DeploymentCondition{{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionFalse, Reason: "MinimumReplicasUnavailable", Message: "0 of 3"}}
	td.Record(d)
	featureevents.Recorder{}.DeploymentTransitions(nil).Record(d)
	want := "Widget WidgetReady: It is ready again; Widget NotAvailable: Not available (Gone): 100%; Deployment NoReplicas: Not available: 0 of 3"
	if got := strings.Join(published.lines, "; "); got != want {
		t.Errorf("recorded %q, want %q", got, want)
	}
	event := featureevents.NewNoReplicas(d, "Because", "0 of 3") // the same by hand
	if got := event.AnnotationMap()["example.com/why"]; got != "Because" || event.Message() != "Not available: 0 of 3" {
		t.Errorf("%q, %q", got, event.Message())
	}
}

func TestMessages(t *testing.T) {
	published := &last{}
	r := featureevents.NewRecorder(eventrt.NewRecorder(published))
	tests := []struct {
		emit func()
		want string // kind, reason, action, type: message
	}{
		{func() { r.AboutTower(tower) }, "Tower AboutTower AboutTower Normal: Tower t of kind Tower"},
		{func() { r.AboutGadget(widget) }, "Gadget AboutGadget AboutGadget Normal: ns/w u-1"},
		{func() {
			r.AboutAnything(&corev1.ObjectReference{Kind: "Moon", Name: "luna"}, &corev1.ObjectReference{Kind: "Sun", Name: "sol"})
		},
			"Moon AboutAnything AboutAnything Normal: Moon luna, Sun sol"},
		{func() { r.PerKindOnWidget(widget, errBroken) }, "Widget PerKind PerKind Normal: Widget w: broken"},
		{func() { r.PerKindOnDeployment(deployment, nil) }, "Deployment PerKind PerKind Normal: Deployment w: <nil>"},
		{func() { r.ClosedSet(pod) }, "Pod ClosedSet ClosedSet Normal: Pod p"},
		{func() { r.ClosedSet(node) }, "Node ClosedSet ClosedSet Normal: Node n"},
		{func() { r.InContainer(pod, "app") }, "Pod InContainer InContainer Normal: Container app started"},
		{func() { r.OptionalRelated(widget, node) }, "Widget OptionalRelated OptionalRelated Normal: Placed on n"},
		{func() { r.OptionalRelated(widget, nil) }, "Widget OptionalRelated OptionalRelated Normal: Placed"},
		{func() { r.Numbers(widget, true, -1, 2, -3, 4, 0.5) }, "Widget Numbers Numbers Normal: true -1 2 -3 4 0.5"},
		{func() { r.NumberOptions(widget, 1.0/3, 1234567*time.Microsecond, 90*time.Second, at, at) },
			"Widget NumberOptions NumberOptions Normal: 0.33 1.2s 90s 2024-05-06T06:08:09Z 2024-05-06"},
		{func() { r.Texts(widget, "a\"b", errBroken, "n", "ns", "u") }, `Widget Texts Texts Normal: "a\"b" broken n ns u`},
		{func() {
			r.KubernetesTypes(widget, types.NamespacedName{Namespace: "a", Name: "b"}, resource.MustParse("1Gi"), pod)
		},
			"Widget KubernetesTypes KubernetesTypes Normal: a/b: 1Gi of Pod/p"},
		{func() { r.Lists(widget, []string{"a", "b"}, []string{"c", "d"}) }, "Widget Lists Lists Normal: a, b; c/d"},
		{func() {
			r.GoTypes(widget, v1alpha1.PhaseReady, corev1.PodReady, 7, 3, v1alpha1.Size{Width: 1, Height: 2}, v1alpha1.Level(4))
		}, "Widget GoTypes GoTypes Normal: Ready Ready 7 level-3 1x2 level-4"},
		{func() {
			r.GenericTypes(&v1alpha1.Crate[v1alpha1.Phase]{ObjectMeta: meta}, "t", v1alpha1.Pair[*corev1.Pod, []v1alpha1.Tag[int]]{Value: []v1alpha1.Tag[int]{"x"}})
		}, "Crate GenericTypes GenericTypes Normal: t nil has [x]"},
		{func() { r.BoundedFloats(widget, 1, -2.345, math.MaxFloat64, -1e100) },
			"Widget BoundedFloats BoundedFloats Normal: 1.00 -2.35 1.7977e+308 -1.0000e+100"},
		{func() { r.Constants(widget, "Pending", corev1.PodSucceeded, "AlmostSucceeded") },
			"Widget Constants Constants Normal: Pending Succeeded AlmostSucceeded"},
		{func() { r.Optionals(widget, "", nil, 0, types.NamespacedName{}, resource.Quantity{}, time.Time{}, nil) },
			"Widget Optionals Optionals Normal: Done"},
		{func() {
			r.Optionals(widget, "x", errBroken, 1, types.NamespacedName{Name: "k"}, resource.MustParse("2"), at, []string{"z"})
		}, "Widget Optionals Optionals Normal: Done; note: x; cause: broken; count: 1; key: /k; free: 2; at: 2024-05-06T06:08:09Z; zones: z"},
		{func() { r.Secret(widget, "hunter2") }, "Widget Secret Secret Normal: Password is <redacted>"},
		{func() { r.NoSecret(widget, "token") }, "Widget NoSecret NoSecret Normal: Secret token in ns is gone"},
		{func() { r.Drained(widget, "n", "a") }, "Widget Drained Drained Normal: Drained on n: a"},
		{func() { r.Drained(widget, "", "a") }, "Widget Drained Drained Normal: Drained: a"},
		{func() { r.Moody(widget, featureevents.MoodVeryAngry) }, "Widget Moody Moody Normal: Mood is very-angry"},
		{func() { r.Sized(widget, featureevents.GarmentSize42) }, "Widget Sized Sized Normal: Size is 42"},
		{func() { r.ShadowingNames(widget, time.Second, 1, "u", "w", true, 2, "s") },
			"Widget ShadowingNames ShadowingNames Normal: 1s 1 u w true 2 s"},
		{func() { r.Literals(widget) }, "Widget Literals Literals Normal: 100% {braces} \"quoted\" `ticked` \\ ünïcode"},
		{func() { r.Renamed(widget) }, "Widget cert-manager.io Issue Warning: Renamed on the wire"},
		{func() { r.SelectedOnWidget(widget, v1alpha1.PhasePending, "x") }, "Widget Pending Pending Warning: Waiting: x"},
		{func() { r.SelectedOnTower(tower, v1alpha1.PhaseReady, "x") }, "Tower BecameReady Become Normal: x"},
		{func() { r.SelectedOnTower(tower, "Odd", "x") }, "Tower UnknownPhase UnknownPhase Warning: x"},
		{func() { r.Emit(featureevents.NewCorrelated(widget, "x", 1, 2)) }, "Widget Correlated Correlated Normal: Moved x from 1 to 2"},
	}
	for _, tt := range tests {
		published.event = eventrt.Event{}
		tt.emit()
		e := &published.event
		if e.Problem() != eventrt.NoProblem {
			t.Errorf("%s: %s", tt.want, e.Problem())
		}
		got := strings.Join([]string{e.Regarding().Kind, e.Reason(), e.Action(), e.Type()}, " ") + ": " + e.Message()
		if got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

// An object that is given by its name has the kind of the catalog, and the namespace of the regarding object if its kind has one.
func TestByName(t *testing.T) {
	secret := featureevents.NewNoSecret(widget, "token")
	if got, want := secret.Related().Reference(), (corev1.ObjectReference{APIVersion: "v1", Kind: "Secret", Namespace: "ns", Name: "token"}); got != want {
		t.Errorf("related %+v", got)
	}
	node := featureevents.NewDrained(widget, "n", "a")
	if got, want := node.Related().Reference(), (corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: "n"}); got != want {
		t.Errorf("related %+v", got)
	}
	if e := featureevents.NewNoSecret(widget, ""); !strings.Contains(e.Problem().String(), "its name is empty") {
		t.Errorf("without a name: %v", e.Problem())
	}
}

func TestFieldPath(t *testing.T) {
	e := featureevents.NewInContainer(pod, "app")
	if got := e.RegardingReference().FieldPath; got != "spec.containers{app}" {
		t.Errorf("the field path is %q", got)
	}
	withInit := pod.DeepCopy()
	withInit.Spec.InitContainers = []corev1.Container{{Name: "setup"}}
	e = featureevents.NewInContainer(withInit, "setup")
	if got := e.RegardingReference().FieldPath; got != "spec.initContainers{setup}" {
		t.Errorf("the field path of an init container is %q", got)
	}
}

func TestProblems(t *testing.T) {
	var nilWidget *v1alpha1.Widget
	tests := []struct {
		name  string
		event eventrt.Event
		want  string // in the text of the problem
	}{
		{"no value of an enum", featureevents.NewMoody(widget, 0), "none of its enum's constants"},
		{"a value that an enum does not have", featureevents.NewMoody(widget, featureevents.MoodVeryAngry+1), "none of its enum's constants"},
		{"typed nil", featureevents.NewMoody(nilWidget, featureevents.MoodCalm), "the regarding object is nil"},
		{"kind outside of the set", featureevents.NewClosedSet(&corev1.ObjectReference{APIVersion: "v1", Kind: "Secret", Name: "s"}), "not one of the event's anyOf"},
		{"nil in a closed set", featureevents.NewClosedSet((*corev1.Pod)(nil)), "the regarding object is nil"},
		{"nil of any kind", featureevents.NewAboutAnything(nil, pod), "the regarding object is nil"},
	}
	for _, tt := range tests {
		if got := tt.event.Problem().String(); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// The zero recorder is a silent no-op, whatever is done with it.
func TestZeroRecorder(t *testing.T) {
	var r featureevents.Recorder
	r = r.WithContext(t.Context()).WithAnnotations(map[string]string{"a": "b"}).At(at)
	r.Moody(nil, 0)
	r.Emit(eventrt.Event{})
}

func TestWith(t *testing.T) {
	published := &last{}
	r := featureevents.NewRecorder(eventrt.NewRecorder(published))
	r.At(at).WithAnnotations(map[string]string{"example.com/a": "b"}).Literals(widget)
	if got := published.event.Time(); !got.Equal(at) {
		t.Errorf("the time is %s, want %s", got, at)
	}
	if got := published.event.Annotations(); len(got) != 1 || got[0].Value != "b" {
		t.Errorf("the annotations are %v", got)
	}
}

// A constructor allocates nothing for arguments that need no rendering.
func TestAllocations(t *testing.T) {
	published := &last{}
	r := featureevents.NewRecorder(eventrt.NewRecorder(published))
	allocs := testing.AllocsPerRun(100, func() { r.Correlated(widget, "x", 1, 2) })
	if allocs > 0 {
		t.Errorf("recording allocates %v times", allocs)
	}
}

func TestEnum(t *testing.T) {
	if m, ok := featureevents.ParseMood("very-angry"); m != featureevents.MoodVeryAngry || !ok || m.String() != "very-angry" {
		t.Errorf("parsed %v, %v", m, ok)
	}
	if m, ok := featureevents.ParseMood("VeryAngry"); m != 0 || ok || m.String() != "Mood(0)" {
		t.Errorf("parsed %v, %v", m, ok)
	}
	text, err := json.Marshal(map[string]featureevents.Mood{"mood": featureevents.MoodCalm})
	if err != nil || string(text) != `{"mood":"calm"}` {
		t.Errorf("%s, %v", text, err)
	}
	var back map[string]featureevents.Mood
	if err := json.Unmarshal(text, &back); err != nil || back["mood"] != featureevents.MoodCalm {
		t.Errorf("read back %v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`{"mood":""}`), &back); err == nil || !strings.Contains(err.Error(), `"" is no Mood: expected one of ["calm" "very-angry"]`) {
		t.Errorf("read a text that it does not have: %v", err)
	}
	if _, err := featureevents.Mood(3).MarshalText(); err == nil || !strings.Contains(err.Error(), "Mood(3)") {
		t.Errorf("wrote a value that it does not have: %v", err)
	}
}
