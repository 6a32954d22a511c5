package correlator

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

func TestAWriteIsWhole(t *testing.T) {
	def := testDefinition("Mounted", eventrt.Warning)
	def.HasRelated, def.FieldPath = true, "spec.containers"
	def.Annotations = []eventrt.AnnotationDefinition{{Key: "example.com/b", Value: []eventrt.Segment{{Text: "b=", Value: eventrt.ParamValue}}}}
	regarding, related := clusterScoped(), clusterScoped()
	regarding.Namespace, regarding.Name, related.Name = "prod", "Web", "node-1"
	r := newRig(t, Options{}, writerOptions{Tag: 0xabcdef, Identity: Unique})
	e := eventrt.NewEvent(def, refer(regarding), refer(related), eventrt.String("app"))
	sent := capture{}
	eventrt.NewRecorder(&sent).WithReportingController("example.com/mounter").WithAnnotations(map[string]string{"z": "last", "example.com/a": "first"}).Emit(e)
	r.record(sent.e)
	w := r.next()
	name := fmt.Sprintf("node.%016x00abcdef", r.now.Wall.UnixNano())
	regarding.FieldPath = "spec.containers{app}"
	want := &sink.Write{
		Operation: sink.Create, Namespace: "prod", Name: name,
		Type: "Warning", Reason: "Mounted", Action: "Act", ReportingController: "example.com/mounter", ReportingInstance: "rig-0",
		Note: []byte("app"), Regarding: regarding, Related: related, HasRelated: true,
		Annotations: []eventrt.Annotation{{Key: "example.com/a", Value: "first"}, {Key: "example.com/b", Value: "b=app"}, {Key: "z", Value: "last"}},
		Count:       1, First: r.now.Wall, Last: r.now.Wall,
		Timeout: defaultWriteTimeout, Ticket: w.Ticket,
	}
	if diff := cmp.Diff(want, w); diff != "" {
		t.Error(diff)
	}
	r.done(w, sink.Answer{Outcome: sink.Done, ResourceVersion: 5})
	r.record(sent.e)
	r.pass(time.Second)
	again := r.next()
	want.Operation, want.Count, want.ResourceVersion, want.Annotations = sink.Update, 2, 5, nil
	want.Ticket = again.Ticket
	if diff := cmp.Diff(want, again); diff != "" {
		t.Error(diff)
	}
}

// TestAWriteIsOverwritten fills one Write again and again, as a worker does.
func TestAWriteIsOverwritten(t *testing.T) {
	var w sink.Write
	labelled := testDefinition("Labelled", eventrt.Normal)
	labelled.Labels = []eventrt.AnnotationDefinition{{Key: "team", Value: []eventrt.Segment{{Text: "storage"}}}}
	// two correlators, which give equal names
	for _, identities := range [][]types.UID{{"a", "a", "a", "a"}, {"b"}} {
		r := newRig(t, Options{})
		for n, uid := range identities {
			ref := corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: "web", UID: uid, ResourceVersion: []string{"7", "7", "8", ""}[n]}
			r.record(withReference(normal, ref, corev1.ObjectReference{}))
			if ok, _ := r.c.Next(r.now, &w); !ok || w.Regarding != ref {
				t.Fatalf("%+v, want %+v", w.Regarding, ref)
			}
			r.ok(&w)
			r.pass(minute)
		}
		for _, def := range []*eventrt.Definition{labelled, labelled, normal} {
			r.record(about("labelled", def, "text"))
			for ok, _ := r.c.Next(r.now, &w); ok; ok, _ = r.c.Next(r.now, &w) {
				if want := w.Operation == sink.Create && w.Reason == labelled.Reason; len(w.Labels) > 0 != want || len(w.Labels) > 1 {
					t.Fatalf("%s has the labels %v", describe(&w), w.Labels)
				}
				r.ok(&w)
			}
			r.pass(minute)
		}
	}
}

// capture is a Publisher that keeps the last event.
type capture struct{ e eventrt.Event }
