package eventrt_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	eventrt "github.com/event-gen/event-gen/runtime"
)

func constant(key, value string) eventrt.AnnotationDefinition {
	return eventrt.AnnotationDefinition{Key: key, Value: []eventrt.Segment{{Text: value}}}
}

// labelled has two constants, and copies two labels.
func labelled() *eventrt.Definition {
	def := plainDefinition()
	def.Labels = []eventrt.AnnotationDefinition{{Key: "app"}, constant("empty", ""), constant("team", "storage"), {Key: "zone"}}
	return def
}

func TestLabels(t *testing.T) {
	labels := map[string]string{"app": "shop", "team": "others", "zone": "not a value", "unasked": "x"}
	typed := pod()
	typed.Labels = labels
	constants := map[string]string{"empty": "", "team": "storage"}
	withApp := map[string]string{"app": "shop", "empty": "", "team": "storage"}
	broken := struct{ *corev1.Pod }{} // its methods panic
	for name, c := range map[string]struct {
		object  eventrt.ObjectRef
		want    map[string]string
		leftOut int
	}{
		"typed":     {eventrt.ObjectOf(typed), withApp, 1},
		"any":       {eventrt.AnyObject(typed), withApp, 1},
		"metadata":  {eventrt.AnyObject(&metav1.PartialObjectMetadata{ObjectMeta: typed.ObjectMeta}), withApp, 1},
		"container": {eventrt.InContainer(eventrt.ObjectOf(typed), typed, eventrt.String("app")), withApp, 1},
		"unstructured": {eventrt.ObjectOf(unstructuredOf(map[string]any{"metadata": map[string]any{
			"labels": map[string]any{"app": "shop", "zone": 7}}})), withApp, 0},
		"unstructured without": {eventrt.ObjectOf(unstructuredOf(map[string]any{"metadata": "none"})), constants, 0},
		"no labels":            {eventrt.ObjectOf(pod()), constants, 0},
		"empty value":          {eventrt.ObjectOf(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"zone": ""}}}), map[string]string{"empty": "", "team": "storage", "zone": ""}, 0},
		"reference":            {eventrt.ReferenceOf(&corev1.ObjectReference{Kind: "Pod", Name: "p"}), constants, 0},
		"by name":              {eventrt.ByName("p", eventrt.ObjectRef{}), constants, 0},
		"absent":               {eventrt.ObjectRef{}, constants, 0},
		"broken":               {eventrt.ObjectOf(broken), constants, 0},
	} {
		e := eventrt.NewEvent(labelled(), c.object, eventrt.ObjectRef{})
		got, leftOut := e.Labels()
		if diff := cmp.Diff(c.want, labelMap(got)); diff != "" || len(leftOut) != c.leftOut || !slices.IsSortedFunc(got, byKey) {
			t.Errorf("%s: left out %v\n%s", name, leftOut, diff)
		}
	}
	e := eventrt.NewEvent(labelled(), eventrt.ObjectOf(typed), eventrt.ObjectRef{})
	typed.Labels["app"] = "changed"
	if got, _ := e.Labels(); got[0].Value != "shop" {
		t.Errorf("the event holds the object's map: %v", got)
	}
}

func byKey(a, b eventrt.Annotation) int { return strings.Compare(a.Key, b.Key) }

func labelMap(list []eventrt.Annotation) map[string]string {
	m := map[string]string{}
	for _, l := range list {
		m[l.Key] = l.Value
	}
	return m
}

// TestLabelsOfRecorders: constants of the catalog go before a recorder's, these before copied ones.
func TestLabelsOfRecorders(t *testing.T) {
	object := pod()
	object.Labels = map[string]string{"app": "shop", "zone": "a"}
	long := strings.Repeat("v", 64)
	many := map[string]string{}
	for n := range 9 {
		many[fmt.Sprintf("key-%d", n)] = "v"
	}
	for name, c := range map[string]struct {
		given   []map[string]string
		want    map[string]string
		leftOut []string
	}{
		"one":            {[]map[string]string{{"x": "y"}}, map[string]string{"x": "y"}, nil},
		"a constant's":   {[]map[string]string{{"team": "y"}}, map[string]string{"team": "y"}, nil},
		"a copied one's": {[]map[string]string{{"app": "y"}}, map[string]string{"app": "y"}, nil},
		"replaced":       {[]map[string]string{{"x": "y"}, {"x": "z"}}, map[string]string{"x": "z"}, nil},
		"no value":       {[]map[string]string{{"x": long, "y": "ok"}}, map[string]string{"y": "ok"}, []string{"x"}},
		"no key":         {[]map[string]string{{"a b": "v"}, {"": "v"}}, nil, []string{"a b", ""}},
		"mended":         {[]map[string]string{{"x": "no value"}, {"x": "z"}}, map[string]string{"x": "z"}, nil},
		"spoilt":         {[]map[string]string{{"x": "z"}, {"x": "no value"}}, nil, []string{"x"}},
		"too many": {[]map[string]string{many}, map[string]string{"key-0": "v", "key-1": "v", "key-2": "v", "key-3": "v",
			"key-4": "v", "key-5": "v", "key-6": "v", "key-7": "v"}, []string{"key-8"}},
	} {
		sent := &publishedEvents{}
		r := eventrt.NewRecorder(sent)
		for _, labels := range c.given {
			r = r.WithLabels(labels)
		}
		r.EmitOf(labelled(), object, nil)
		r.Forward(object, eventrt.Normal, "Reason", "Action", "message")
		want := map[string]string{"app": "shop", "zone": "a"}
		maps.Copy(want, c.want)
		maps.Copy(want, map[string]string{"empty": "", "team": "storage"})
		for i, want := range []map[string]string{want, c.want} {
			got, leftOut := sent.events[i].Labels()
			if len(got) != len(want) || !maps.Equal(want, labelMap(got)) || !slices.Equal(leftOut, c.leftOut) {
				t.Errorf("%s, event %d: %v, left out %q, want %v", name, i, got, leftOut, want)
			}
		}
	}
	sent := &publishedEvents{}
	r := eventrt.NewRecorder(sent).WithLabels(map[string]string{"a": "b"})
	r.WithLabels(map[string]string{"a": "c"})
	r.EmitOf(plainDefinition(), object, nil)
	if got, _ := sent.last().Labels(); len(got) != 1 || got[0].Value != "b" {
		t.Errorf("a recorder has changed its parent's labels: %v", got)
	}
}

func TestEventsWithLabelsAllocateNothing(t *testing.T) {
	def, object := labelled(), pod()
	object.Labels = map[string]string{"app": "shop", "zone": "a"}
	loose := unstructuredOf(map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{
		"name": "x", "namespace": "ns", "labels": map[string]any{"app": "shop", "zone": "a"}}})
	r := eventrt.NewRecorder(nowhere{}).WithLabels(map[string]string{"x": "y"})
	kept := eventrt.NewEvent(def, eventrt.ObjectOf(object), eventrt.ObjectRef{})
	for _, o := range []eventrt.ClientObject{object, loose} {
		noAllocations(t, fmt.Sprintf("%T", o), func() { r.EmitOf(def, o, nil) })
	}
	noAllocations(t, "any object", func() {
		sinkObject = eventrt.AnyObject(k8sruntime.Object(object))
		sinkEvent = eventrt.NewEvent(def, sinkObject, eventrt.ObjectRef{})
	})
	if kept.Problem() != eventrt.NoProblem {
		t.Error(kept.ProblemText())
	}
}

func BenchmarkEmitWithCopiedLabels(b *testing.B) {
	object := pod()
	object.Labels = map[string]string{"app": "shop", "zone": "a"}
	r := eventrt.NewRecorder(nowhere{})
	for name, def := range map[string]*eventrt.Definition{"none": plainDefinition(), "two": labelled()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.EmitOf(def, object, nil)
			}
		})
	}
}
