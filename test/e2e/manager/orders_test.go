package manager

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/ctrlevents"
)

// backedUp is one event for each backup, whatever the time that it took.
var backedUp = &eventrt.Definition{
	Subject: eventrt.Subject{ReportingController: "example.com/catalog", Regarding: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}},
	Name:    "BackedUp", Reason: "BackedUp", Action: "Backup", Type: eventrt.Normal,
	Params:      []eventrt.Param{{Name: "backup"}, {Name: "took"}},
	Message:     []eventrt.Segment{{Text: "backup ", Value: eventrt.ParamValue}, {Text: " took ", Value: eventrt.ParamValue, Param: 1}},
	Correlation: eventrt.Correlation{Merged: 2},
}

// TestBothStepsInEitherOrder: typed calls on a manager's recorders are typed events, with merges
// and metrics of their own, whichever of manager and recorder the program took up first.
func TestBothStepsInEitherOrder(t *testing.T) {
	for name, recorderOf := range map[string]func(m *ctrlevents.Manager) *eventrt.Recorder{
		"the recorder of tools/events": func(m *ctrlevents.Manager) *eventrt.Recorder {
			return eventrt.FromEvents(m.GetEventRecorder("example.com/controller"))
		},
		"the recorder of tools/record": func(m *ctrlevents.Manager) *eventrt.Recorder {
			return eventrt.FromRecord(m.GetEventRecorderFor("controller"))
		},
		"the manager": func(m *ctrlevents.Manager) *eventrt.Recorder {
			return eventrt.For(m, "example.com/controller", []*eventrt.Definition{backedUp})
		},
	} {
		t.Run(name, func(t *testing.T) {
			config, clients, namespace := server(t)
			m, err := ctrlevents.NewManager(config, ctrlmanager.Options{Metrics: metricsserver.Options{BindAddress: "0"}},
				ctrlevents.Options{ShutdownTimeout: unhurried.ShutdownTimeout})
			if err != nil {
				t.Fatal(err)
			}
			before := typedMetric(t)
			ctx, stop := context.WithCancel(t.Context())
			err = m.Add(ctrlmanager.RunnableFunc(func(context.Context) error {
				defer stop()
				pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "web-0", UID: "u-1"}}
				for n := range 3 {
					recorderOf(m).EmitOf(backedUp, pod, nil, eventrt.String("daily"), eventrt.Duration(time.Duration(n)*time.Second))
				}
				return nil
			}))
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Start(ctx); err != nil {
				t.Fatal(err)
			}
			list, err := clients.CoreV1().Events(namespace).List(t.Context(), metav1.ListOptions{})
			if err != nil || len(list.Items) != 1 {
				t.Fatalf("%v: %d events: %+v", err, len(list.Items), list.Items)
			}
			e := &list.Items[0]
			if e.Action != "Backup" || max(e.Count, seriesCount(e)) != 3 {
				t.Errorf("stored %+v", e)
			}
			if got := typedMetric(t) - before; got != 3 {
				t.Errorf("metrics count %v events by their reason, expected 3", got)
			}
		})
	}
}

func seriesCount(e *corev1.Event) int32 {
	if e.Series == nil {
		return 0
	}
	return e.Series.Count
}

// typedMetric is how many events of the reason metrics have counted.
func typedMetric(t *testing.T) (n float64) {
	t.Helper()
	families, err := metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != "event_gen_events_accepted_total" {
			continue
		}
		for _, m := range family.GetMetric() {
			for _, l := range m.GetLabel() {
				if l.GetName() == "reason" && l.GetValue() == "BackedUp" {
					n += m.GetCounter().GetValue()
				}
			}
		}
	}
	return n
}
