package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/runtime/sink/sinktest"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// TestConformance runs the cases that the in-memory sink passes on a real server, through each
// constructor.
func TestConformance(t *testing.T) {
	c := startCluster(t)
	cfg := c.RESTConfig()
	clients := newClientset(t, c)
	sinks := []struct {
		name string
		core bool
		sink sink.Sink
	}{
		{"EventsV1", false, kube.EventsV1(cfg)},
		{"CoreV1", true, kube.CoreV1(cfg)},
		{"Auto", false, kube.Auto(cfg)},
		{"Clients", true, kube.Options{}.Clients(nil, clients.CoreV1().RESTClient())},
	}
	for _, s := range sinks {
		t.Run(s.name, func(t *testing.T) {
			h := serverHarness(clients, s.core, s.sink)
			h.Namespace = newNamespace(t, clients)
			sinktest.Run(t, func(*testing.T) sinktest.Harness { return h })
		})
	}
}

// startCluster starts a control plane of the test's own.
func startCluster(t *testing.T) *cluster.Cluster {
	t.Helper()
	return startClusterWith(t, cluster.Options{})
}

func startClusterWith(t *testing.T, opts cluster.Options) *cluster.Cluster {
	t.Helper()
	c, err := cluster.Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(c.LogTail(20))
		}
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// newClientset is for reading back and for preparing; it is not limited.
func newClientset(t *testing.T, c *cluster.Cluster) *kubernetes.Clientset {
	t.Helper()
	cfg := c.RESTConfig()
	cfg.QPS = -1
	clients, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return clients
}

func newNamespace(t *testing.T, clients kubernetes.Interface) string {
	t.Helper()
	ns, err := clients.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "e2e-"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return ns.Name
}

func serverHarness(clients kubernetes.Interface, coreV1 bool, s sink.Sink) sinktest.Harness {
	return sinktest.Harness{
		Sink:   s,
		CoreV1: coreV1,
		Get: func(ctx context.Context, namespace, name string) (*eventsv1.Event, error) {
			return getEvent(ctx, clients, namespace, name)
		},
		CreateNamespace: func(ctx context.Context, name string) error {
			_, err := clients.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
			return err
		},
		Terminate: func(ctx context.Context, name string) error {
			return clients.CoreV1().Namespaces().Delete(ctx, name, metav1.DeleteOptions{})
		},
		CreateCore: func(ctx context.Context, e *corev1.Event) error {
			_, err := clients.CoreV1().Events(e.Namespace).Create(ctx, e, metav1.CreateOptions{})
			return err
		},
		CreateEvents: func(ctx context.Context, e *eventsv1.Event) error {
			_, err := clients.EventsV1().Events(e.Namespace).Create(ctx, e, metav1.CreateOptions{})
			return err
		},
		Patch: func(ctx context.Context, coreV1 bool, namespace, name string, patch []byte) error {
			var err error
			if coreV1 {
				_, err = clients.CoreV1().Events(namespace).Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
			} else {
				_, err = clients.EventsV1().Events(namespace).Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{})
			}
			return err
		},
	}
}

// getEvent reads an event as JSON, which is how people see it; nil if there is none.
func getEvent(ctx context.Context, clients kubernetes.Interface, namespace, name string) (*eventsv1.Event, error) {
	body, err := clients.EventsV1().RESTClient().Get().SetHeader("Accept", "application/json").
		Namespace(namespace).Resource("events").Name(name).Do(ctx).Raw()
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("get event %s/%s: %w", namespace, name, err)
	}
	var event eventsv1.Event
	return &event, json.Unmarshal(body, &event)
}
