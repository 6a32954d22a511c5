package e2e

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/event-gen/event-gen/test/e2e/webhook"
)

// newHook registers a webhook that lets everything in, and returns when the API server calls it.
func newHook(t *testing.T, clients kubernetes.Interface, namespaces ...string) *webhook.Hook {
	t.Helper()
	h, err := webhook.New(t.Context(), clients, webhook.Pass, namespaces...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.WithoutCancel(t.Context())) })
	called := awaitWithin(faultBound, func() bool {
		_ = probeEvent(t.Context(), clients, namespaces[0], "probe")
		time.Sleep(50 * time.Millisecond)
		return h.Calls.Load() > 0
	})
	if !called {
		t.Fatal("the API server does not call the webhook")
	}
	return h
}

// probeEvent makes an event of the core group, and returns how the server refuses it.
func probeEvent(ctx context.Context, clients kubernetes.Interface, namespace, reason string) error {
	_, err := clients.CoreV1().Events(namespace).Create(ctx, &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "probe-"}, InvolvedObject: corev1.ObjectReference{Namespace: namespace, Name: "probe"}, Reason: reason,
	}, metav1.CreateOptions{})
	return err
}
