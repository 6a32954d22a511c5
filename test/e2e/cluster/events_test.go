package cluster

import (
	"context"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
)

// podEvent is an event that passes the server's validation of new events.
func podEvent(namespace, name string) *eventsv1.Event {
	return &eventsv1.Event{
		ObjectMeta:          metav1.ObjectMeta{Namespace: namespace, Name: name},
		EventTime:           metav1.NowMicro(),
		ReportingController: "event-gen.github.io/test",
		ReportingInstance:   "test-1",
		Action:              "Testing",
		Reason:              "ClusterTested",
		Note:                "the cluster took this event",
		Type:                corev1.EventTypeNormal,
		Regarding:           corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: "web"},
	}
}

func createEvent(t *testing.T, client kubernetes.Interface, event *eventsv1.Event) error {
	t.Helper()
	_, err := client.EventsV1().Events(event.Namespace).Create(bounded(t), event, metav1.CreateOptions{})
	return err
}

func TestKubectlShowsAnEvent(t *testing.T) {
	c := sharedCluster(t)
	client := newClient(t, c.RESTConfig())
	namespace := createNamespace(t, client)
	if err := createEvent(t, client, podEvent(namespace, "web.1")); err != nil {
		t.Fatal(err)
	}
	got, err := c.Kubectl(bounded(t), "get", "events", "--namespace="+namespace)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ClusterTested", "pod/web", "the cluster took this event"} {
		if !strings.Contains(got, want) {
			t.Errorf("kubectl get events: expected %q in:\n%s", want, got)
		}
	}
}

func TestServerValidatesEvents(t *testing.T) {
	client := newClient(t, sharedCluster(t).RESTConfig())
	event := podEvent("default", "web.invalid")
	event.Reason = ""
	if err := createEvent(t, client, event); !apierrors.IsInvalid(err) {
		t.Errorf("event without a reason: expected 422, got %v", err)
	}
}

func TestEventsExpire(t *testing.T) {
	t.Parallel()
	c := newCluster(t, Options{EventTTL: 2 * time.Second})
	client := newClient(t, c.RESTConfig())
	if err := createEvent(t, client, podEvent("default", "web.short")); err != nil {
		t.Fatal(err)
	}
	err := wait.PollUntilContextCancel(bounded(t), 100*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		_, err := client.EventsV1().Events("default").Get(ctx, "web.short", metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return true, nil
		}
		return false, err
	})
	if err != nil {
		t.Errorf("expected the event to expire after 2 s: %v", err)
	}
}
