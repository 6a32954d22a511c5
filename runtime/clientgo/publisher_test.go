package clientgo_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
)

// failedSpec is what a generated package would hold.
var failedDefinition = &eventrt.Definition{
	Name: "Failed", Reason: "Failed", Action: "Sync", Type: eventrt.Warning,
	Subject: eventrt.Subject{Regarding: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}}, Related: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
	HasRelated: true, RelatedOptional: true,
	Params:      []eventrt.Param{{Name: "err"}},
	Message:     []eventrt.Segment{{Text: "100%d failed: ", Value: eventrt.ParamValue}},
	Annotations: []eventrt.AnnotationDefinition{{Key: "example.com/of", Value: []eventrt.Segment{{Text: "pod ", Value: eventrt.RegardingName}}}},
	FieldPath:   "spec.containers", FieldPathParam: 0,
}

var plainDefinition = &eventrt.Definition{
	Name: "Plain", Reason: "Plain", Action: "Sync", Type: eventrt.Normal, Subject: eventrt.Subject{Regarding: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}},
	Message: []eventrt.Segment{{Text: "50% of {it} %s"}},
}

func failed() eventrt.Event {
	node := &corev1.Node{}
	node.Name = "node-1"
	return eventrt.NewEvent(failedDefinition, eventrt.ObjectOf(podObject()), eventrt.ObjectOf(node), eventrt.Error(errors.New("no %s")))
}

func plain() eventrt.Event {
	return eventrt.NewEvent(plainDefinition, eventrt.ObjectOf(podObject()), eventrt.ObjectRef{})
}

func TestFromRecord(t *testing.T) {
	bubble(t, "client-go's fake", func(t *testing.T) {
		r := record.NewFakeRecorder(10)
		r.IncludeObject = true
		p := eventrt.NewRecorder(clientgo.ToRecord(r))
		p.Emit(plain())
		p.WithAnnotations(map[string]string{"a": "b"}).Emit(failed())
		want := []string{
			"Normal Plain 50% of {it} %s involvedObject{kind=Pod,apiVersion=v1}",
			"Warning Failed 100%d failed: no %s involvedObject{kind=Pod,apiVersion=v1} map[a:b example.com/of:pod foo]",
		}
		if got := []string{<-r.Events, <-r.Events}; !slices.Equal(got, want) {
			t.Errorf("recorded: %q", got)
		}
	})
	bubble(t, "the drop-in", func(t *testing.T) {
		r := newCoreRig(t)
		eventrt.NewRecorder(clientgo.ToRecord(r.recorder)).Emit(failed())
		r.Shutdown()
		stored := r.sink.list()
		if len(stored) != 1 || stored[0].Message != "100%d failed: no %s" || stored[0].InvolvedObject.FieldPath != "spec.containers{no %s}" ||
			stored[0].InvolvedObject.Kind != "Pod" || stored[0].Annotations["example.com/of"] != "pod foo" {
			t.Errorf("stored: %+v", stored)
		}
	})
}

func TestFromEvents(t *testing.T) {
	bubble(t, "client-go's fake", func(t *testing.T) {
		r := events.NewFakeRecorder(10)
		p := eventrt.NewRecorder(clientgo.ToEvents(r))
		p.Emit(plain())
		p.Emit(failed())
		if got := []string{<-r.Events, <-r.Events}; !slices.Equal(got, []string{"Normal Plain 50% of {it} %s", "Warning Failed 100%d failed: no %s"}) {
			t.Errorf("recorded: %q", got)
		}
	})
	bubble(t, "the drop-in", func(t *testing.T) {
		r := newEventsRig(t)
		p := eventrt.NewRecorder(clientgo.ToEvents(r.recorder))
		p.Emit(plain())
		p.Emit(failed())
		r.Shutdown()
		stored := r.sink.list()
		if len(stored) != 2 || stored[0].Related != nil || stored[0].Note != "50% of {it} %s" || stored[1].Related.Name != "node-1" ||
			stored[1].Action != "Sync" || stored[1].Annotations["example.com/of"] != "pod foo" {
			t.Errorf("stored: %+v", stored)
		}
	})
}

// plainRecorder is an events.EventRecorder without annotations.
type plainRecorder struct{ notes []string }

func (r *plainRecorder) Eventf(_, related k8sruntime.Object, _, _, _, note string, args ...any) {
	if related == nil {
		note += " without related"
	}
	r.notes = append(r.notes, note+" "+args[0].(string))
}

// panickingRecorder is a record.EventRecorder that does nothing else.
type panickingRecorder struct{ record.EventRecorder }

func TestPublishersThatCannotPublish(t *testing.T) {
	r := &plainRecorder{}
	p := clientgo.ToEvents(r)
	p.Publish(failed()) // without its annotations
	p.Publish(plain())
	if !slices.Equal(r.notes, []string{"%s 100%d failed: no %s", "%s without related 50% of {it} %s"}) || p.Rejected() != 0 {
		t.Errorf("recorded: %q", r.notes)
	}
	var nobody *corev1.Pod
	p.Publish(eventrt.NewEvent(plainDefinition, eventrt.ObjectOf(nobody), eventrt.ObjectRef{}))
	p.Publish(eventrt.Event{})
	if p.Rejected() != 2 {
		t.Errorf("%d rejected", p.Rejected())
	}
	q := clientgo.ToRecord(&panickingRecorder{})
	q.Publish(plain())
	if q.Rejected() != 1 {
		t.Errorf("%d rejected of a recorder that panics", q.Rejected())
	}
}

// TestPublishersFindKinds of objects that do not tell their own, in client-go's scheme.
func TestPublishersFindKinds(t *testing.T) {
	anyKind := *plainDefinition
	anyKind.Regarding = metav1.TypeMeta{}
	r := record.NewFakeRecorder(10)
	r.IncludeObject = true
	p := clientgo.ToRecord(r)
	p.Publish(eventrt.NewEvent(&anyKind, eventrt.AnyObject(podObject()), eventrt.ObjectRef{}))
	p.Publish(eventrt.NewEvent(&anyKind, eventrt.AnyObject(&unknown{*podObject()}), eventrt.ObjectRef{}))
	if got := <-r.Events; !strings.Contains(got, "kind=Pod,apiVersion=v1") || p.Rejected() != 1 {
		t.Errorf("recorded: %s; %d rejected", got, p.Rejected())
	}
}
