package clientgo_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
)

// tookTime is one event, whatever its second param says.
var tookTime = &eventrt.Definition{
	Subject: eventrt.Subject{ReportingController: "example.com/catalog", Regarding: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}},
	Name:    "BackupDone", Reason: "BackupDone", Action: "Backup", Type: eventrt.Normal,
	Params:      []eventrt.Param{{Name: "backup"}, {Name: "took"}},
	Message:     []eventrt.Segment{{Text: "backup ", Value: eventrt.ParamValue}, {Text: " took ", Value: eventrt.ParamValue, Param: 1}},
	Correlation: eventrt.Correlation{Merged: 2},
}

func recordThree(r *eventrt.Recorder) {
	p := pod
	for n := range 3 {
		r.EmitNew(tookTime, eventrt.ReferenceOf(&p), eventrt.ObjectRef{}, eventrt.String("daily"), eventrt.Int(n))
	}
}

// taken keeps the events that it is given.
type taken struct{ events []eventrt.Event }

func (t *taken) Publish(e eventrt.Event) { t.events = append(t.events, e) }

// TestTypedEventsOnOwnRecorders: both steps of adopting, in either order, make typed events: the
// definition arrives, under the name of the recorder.
func TestTypedEventsOnOwnRecorders(t *testing.T) {
	var p taken
	recorder := clientgo.EventsRecorderOn(&p, scheme.Scheme, "example.com/manager", klog.Background())
	recordThree(eventrt.FromEvents(recorder).WithReportingController("example.com/other").WithAnnotations(map[string]string{"a": "b"}))
	source := corev1.EventSource{Component: "manager", Host: "h"}
	recordThree(eventrt.FromRecord(clientgo.RecorderOn(&p, scheme.Scheme, source, klog.Background())))
	if len(p.events) != 6 {
		t.Fatalf("%d events", len(p.events))
	}
	for n := range p.events {
		e := &p.events[n]
		if name := e.ReportingController(); e.Definition() != tookTime || n < 3 && name != "example.com/manager" || n >= 3 && name != "manager\x00h" {
			t.Errorf("definition %p of controller %q", e.Definition(), name)
		}
	}
	if got := p.events[0].AnnotationMap()["a"]; got != "b" {
		t.Errorf("annotation %q", got)
	}
}

func TestTypedEventsOnTheDropIn(t *testing.T) {
	bubble(t, "core", func(t *testing.T) {
		r := newCoreRig(t, clientgo.WithRedact(func(text string) string { return strings.ReplaceAll(text, "daily", "***") }))
		recordThree(eventrt.FromRecord(r.recorder))
		eventrt.FromRecord(r.recorder).EmitNew(tookTime, eventrt.ObjectRef{}, eventrt.ObjectRef{})
		if got := r.stored(); len(got) != 1 || got["backup *** took 0"] != 3 {
			t.Errorf("stored %v", got)
		}
		if e := r.sink.list()[0]; e.Source.Component != testSource.Component || e.Action != "Backup" {
			t.Errorf("stored %+v", e)
		}
		if s := r.Stats(); s.Recorded != 4 || s.Lost.Rejected != 1 || !strings.Contains(r.log.all(), "the regarding object is nil") {
			t.Errorf("accounts %+v; %s", s, r.log.all())
		}
	})
	bubble(t, "events", func(t *testing.T) {
		r := newEventsRig(t)
		recordThree(eventrt.FromEvents(r.recorder))
		r.Shutdown()
		if all := r.sink.list(); len(all) != 1 || all[0].Series == nil || all[0].Series.Count != 3 || all[0].ReportingController != controller {
			t.Errorf("stored %+v", all)
		}
	})
}

// TestTypedEventsOnAnotherRecorder are single calls, as before: a recorder that embeds one of ours
// may do something of its own.
func TestTypedEventsOnAnotherRecorder(t *testing.T) {
	bubble(t, "embedded", func(t *testing.T) {
		r := newCoreRig(t)
		recordThree(eventrt.FromRecord(struct{ record.EventRecorder }{r.recorder}))
		if got := r.stored(); len(got) != 3 {
			t.Errorf("stored %v", got)
		}
	})
}
