package manager

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/ctrlevents"
	"github.com/event-gen/event-gen/runtime/sink/kube"
)

// TestCoreForm: with the core group's sink, the events of GetEventRecorder have the form that
// readers of the core group know; by default they do not (docs/adopting.md, "What changes for
// readers").
func TestCoreForm(t *testing.T) {
	for name, core := range map[string]bool{"kube.CoreV1": true, "the default": false} {
		t.Run(name, func(t *testing.T) {
			config, clients, namespace := server(t)
			options := ctrlevents.Options{NoMetrics: true, ShutdownTimeout: unhurried.ShutdownTimeout}
			if core {
				options.Broadcaster = broadcaster.Options{Sink: kube.CoreV1(config)}
			}
			m, err := ctrlevents.NewManager(config, ctrlmanager.Options{Metrics: metricsserver.Options{BindAddress: "0"}}, options)
			if err != nil {
				t.Fatal(err)
			}
			recorder := m.GetEventRecorder("example.com/controller")
			ctx, stop := context.WithCancel(t.Context())
			err = m.Add(ctrlmanager.RunnableFunc(func(context.Context) error {
				defer stop()
				pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "web-0", UID: "u-1"}}
				for range 2 {
					recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Repeated", "Repeat", "again")
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
				t.Fatalf("%v: %+v", err, list)
			}
			e := &list.Items[0]
			if e.LastTimestamp.IsZero() == core || (e.Count == 2) != core || (e.Series == nil) != core {
				t.Errorf("the core group's form: %t, want %t: %+v", e.Count == 2, core, e)
			}
		})
	}
}
