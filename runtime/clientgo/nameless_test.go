package clientgo_test

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// TestAnObjectWithoutAName: a Pod in admission has a generateName and no name yet. A server stores
// events about it, so the calls of all recorders are stored alike.
func TestAnObjectWithoutAName(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", GenerateName: "web-"}}
	m := memory.New()
	b, err := broadcaster.New(broadcaster.Options{Sink: m})
	if err != nil {
		t.Fatal(err)
	}
	def := &eventrt.Definition{
		Subject: eventrt.Subject{Regarding: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}},
		Reason:  "Typed", Action: "Admit", Type: corev1.EventTypeWarning,
	}
	b.Publish(eventrt.NewEvent(def, eventrt.ObjectOf(pod), eventrt.ObjectRef{}))
	eventrt.NewRecorder(b).Forward(pod, corev1.EventTypeWarning, "Forwarded", "Admit", errors.New("no").Error())
	clientgo.EventsRecorderOn(b, scheme.Scheme, "example.com/widgets", klog.Background()).Eventf(pod, nil, corev1.EventTypeWarning, "Raw", "Admit", "no")
	if err := b.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	for _, e := range m.List() {
		if e.Regarding.Name != "" || e.Regarding.Kind != "Pod" || e.Namespace != "shop" {
			t.Errorf("stored: %+v", e)
		}
	}
	if s := b.Stats(); s.Lost.Rejected != 0 || len(m.List()) != 3 {
		t.Errorf("%d of 3 are stored: %+v", len(m.List()), s)
	}
}
