package eventrt_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/race"
	"github.com/event-gen/event-gen/runtime/internal/seed"
)

// rawCall is what a recorder was called with.
type rawCall struct {
	regarding, related              k8sruntime.Object
	annotations                     map[string]string
	eventtype, reason, action, note string
	args                            int
}

// eventsRecorder is a recorder of tools/events that keeps what it is called with.
type eventsRecorder struct{ calls []rawCall }

func (r *eventsRecorder) Eventf(regarding, related k8sruntime.Object, eventtype, reason, action, note string, args ...any) {
	r.AnnotatedEventf(regarding, related, nil, eventtype, reason, action, note, args...)
}

func (r *eventsRecorder) AnnotatedEventf(regarding, related k8sruntime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...any) {
	r.calls = append(r.calls, rawCall{regarding, related, annotations, eventtype, reason, action, fmt.Sprintf(note, args...), len(args)})
}

// recordRecorder is one of tools/record.
type recordRecorder struct{ calls []rawCall }

func (r *recordRecorder) Eventf(object k8sruntime.Object, eventtype, reason, messageFmt string, args ...any) {
	r.AnnotatedEventf(object, nil, eventtype, reason, messageFmt, args...)
}

func (r *recordRecorder) AnnotatedEventf(object k8sruntime.Object, annotations map[string]string, eventtype, reason, messageFmt string, args ...any) {
	r.calls = append(r.calls, rawCall{object, nil, annotations, eventtype, reason, "", fmt.Sprintf(messageFmt, args...), len(args)})
}

// plainOnly is a recorder of tools/events without annotations.
type plainOnly struct{ recorder *eventsRecorder }

func (r plainOnly) Eventf(regarding, related k8sruntime.Object, eventtype, reason, action, note string, args ...any) {
	r.recorder.Eventf(regarding, related, eventtype, reason, action, note, args...)
}

// TestOnHandsOverTheObjectAsItIs, also one that the pipeline would reject.
func TestOnHandsOverTheObjectAsItIs(t *testing.T) {
	var (
		nilPod *corev1.Pod
		nilRef *corev1.ObjectReference
	)
	objects := map[string]k8sruntime.Object{
		"whole": pod(), "without a name, a UID and a kind": &corev1.Pod{}, "nil": nil, "nil pointer": nilPod, "nil reference": nilRef,
		"reference": &corev1.ObjectReference{Name: "n"}, "another kind": &corev1.Node{}, "unknown kind": &kindless{},
		"without metadata": &corev1.PodList{}, "accessor": accessor{}, "hollow": &hollow{},
		"unstructured of another kind": unstructuredOf(map[string]any{"kind": "Widget"}),
	}
	def := plainDefinition()
	def.AnyOf = []metav1.TypeMeta{podKind}
	for name, obj := range objects {
		t.Run(name, func(t *testing.T) {
			on, onRecord := &eventsRecorder{}, &recordRecorder{}
			for _, ref := range references(obj) {
				eventrt.FromEvents(on).EmitNew(def, ref, eventrt.ObjectRef{})
				eventrt.FromRecord(onRecord).EmitNew(def, ref, eventrt.ObjectRef{})
			}
			for _, call := range append(on.calls, onRecord.calls...) {
				call.action = ""
				if !same(call.regarding, obj) || call.related != nil || call.note != "started" || call.reason != "Started" || call.eventtype != "Normal" {
					t.Errorf("the recorder got %+v", call)
				}
			}
			if len(on.calls) != len(references(obj)) || len(onRecord.calls) != len(on.calls) || on.calls[0].action != "Start" {
				t.Errorf("recorded %+v and %+v", on.calls, onRecord.calls)
			}
		})
	}
}

// references are what generated code makes of an object.
func references(obj k8sruntime.Object) []eventrt.ObjectRef {
	refs := []eventrt.ObjectRef{eventrt.AnyObject(obj)}
	if meta, ok := obj.(metav1.Object); ok {
		refs = append(refs, eventrt.ObjectOf(meta), eventrt.InContainer(eventrt.ObjectOf(meta), obj, eventrt.String("app")))
	}
	return refs
}

func same(a, b k8sruntime.Object) bool { return a == b }

func TestOnHandsOverTheRelatedObject(t *testing.T) {
	def := plainDefinition()
	def.HasRelated = true
	var nilNode *corev1.Node
	node := &corev1.Node{}
	on := &eventsRecorder{}
	r := eventrt.FromEvents(on)
	r.EmitNew(def, eventrt.ObjectOf(pod()), eventrt.ObjectOf(node))
	r.EmitNew(def, eventrt.ObjectOf(pod()), eventrt.ObjectOf(nilNode))
	r.EmitNew(def, eventrt.ObjectOf(pod()), eventrt.AnyObject(nil))
	if len(on.calls) != 3 || on.calls[0].related != k8sruntime.Object(node) || on.calls[1].related != nil || on.calls[2].related != nil {
		t.Errorf("recorded %+v", on.calls)
	}
}

// TestOnHandsOverTextAsItIs, percent signs and all.
func TestOnHandsOverTextAsItIs(t *testing.T) {
	def := messageDefinition(eventrt.Param{}, eventrt.Param{})
	seed.Check(t, func(t *rapid.T) {
		a, b := rapid.StringMatching(`[%a-z ]{0,12}`).Draw(t, "a"), rapid.StringMatching(`(%[dsv%]){0,400}`).Draw(t, "b")
		on, onRecord := &eventsRecorder{}, &recordRecorder{}
		eventrt.FromEvents(on).EmitNew(def, eventrt.ObjectOf(pod()), eventrt.ObjectRef{}, eventrt.String(a), eventrt.String(b))
		eventrt.FromRecord(onRecord).EmitNew(def, eventrt.ObjectOf(pod()), eventrt.ObjectRef{}, eventrt.String(a), eventrt.String(b))
		want := eventrt.NewEvent(def, eventrt.ObjectOf(pod()), eventrt.ObjectRef{}, eventrt.String(a), eventrt.String(b)).Message()
		for _, call := range append(on.calls, onRecord.calls...) {
			if call.note != want || call.args != 0 {
				t.Fatalf("the recorder got %q, want %q", call.note, want)
			}
		}
	})
}

func TestOnPassesOnAnnotations(t *testing.T) {
	def := plainDefinition()
	def.Annotations = []eventrt.AnnotationDefinition{{Key: "a", Value: []eventrt.Segment{{Text: "of ", Value: eventrt.RegardingName}}}}
	on, onRecord := &eventsRecorder{}, &recordRecorder{}
	added := map[string]string{"a": "mine", "no qualified name at all!": "two\nlines \xff" + strings.Repeat("x", 2000)}
	for _, r := range []*eventrt.Recorder{eventrt.FromEvents(on), eventrt.FromRecord(onRecord), eventrt.FromEvents(plainOnly{on})} {
		r.WithAnnotations(added).At(time.Now()).WithContext(t.Context()).WithReportingController("no controller").
			EmitNew(def, eventrt.ObjectOf(pod()), eventrt.ObjectRef{})
	}
	got := append(on.calls, onRecord.calls...)
	if len(got) != 3 || got[1].annotations != nil {
		t.Fatalf("recorded %+v", got)
	}
	for _, call := range []rawCall{got[0], got[2]} {
		if len(call.annotations) != 2 || call.annotations["a"] != "of web-0" || call.annotations["no qualified name at all!"] != added["no qualified name at all!"] {
			t.Errorf("the annotations are %q", call.annotations)
		}
	}
}

// TestOnEmitsReferences of events that were made before: they hold no object.
func TestOnEmitsReferences(t *testing.T) {
	on := &eventsRecorder{}
	e := eventrt.NewEvent(plainDefinition(), eventrt.ObjectOf(pod()), eventrt.ObjectRef{})
	eventrt.FromEvents(on).Emit(e, eventrt.Event{})
	eventrt.FromEvents(on).Forward(pod(), eventrt.Warning, "Reason", "", "100%")
	if len(on.calls) != 2 || on.calls[1].note != "100%" || on.calls[1].action != "Reason" {
		t.Fatalf("recorded %+v", on.calls)
	}
	ref, ok := on.calls[0].regarding.(*corev1.ObjectReference)
	if !ok || ref.Name != "web-0" || ref.Kind != "Pod" {
		t.Errorf("regarding %+v", on.calls[0].regarding)
	}
}

// discard is a recorder that does nothing.
type discard struct{}

func (discard) Eventf(_, _ k8sruntime.Object, _, _, _, _ string, _ ...any) {}

// TestOnAllocatesOnce beside the text.
func TestOnAllocatesOnce(t *testing.T) {
	def := messageDefinition(eventrt.Param{MaxBytes: 200}, eventrt.Param{})
	obj, a, b := pod(), "a string", "100% of another"
	var rec eventrt.EventsRecorder = discard{}
	n := testing.AllocsPerRun(200, func() {
		eventrt.FromEvents(rec).EmitNew(def, eventrt.ObjectOf(obj), eventrt.ObjectRef{}, eventrt.String(a), eventrt.String(b))
	})
	if n > 2 && !race.Enabled {
		t.Errorf("%v allocations, want the text and one more at most", n)
	}
}

// TestOnANilRecorder panics when it records, as the raw call does, and not before.
func TestOnANilRecorder(t *testing.T) {
	for name, r := range map[string]*eventrt.Recorder{"FromEvents": eventrt.FromEvents(nil), "FromRecord": eventrt.FromRecord(nil)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s(nil) does not panic", name)
				}
			}()
			r.EmitNew(plainDefinition(), eventrt.ObjectOf(pod()), eventrt.ObjectRef{})
		}()
	}
}
