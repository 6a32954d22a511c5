package clientgo_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// closedGroups is a clientset that refuses events of some groups.
func closedGroups(err func(group string) error, groups ...string) *fake.Clientset {
	client := fake.NewClientset()
	client.PrependReactor("*", "events", func(a clienttesting.Action) (bool, k8sruntime.Object, error) {
		for _, group := range groups {
			if a.GetResource().Group == group {
				return true, nil, err(group)
			}
		}
		return false, nil, nil
	})
	return client
}

func forbidden(group string) error {
	return apierrors.NewForbidden(schema.GroupResource{Group: group, Resource: "events"}, "",
		errors.New(`User "ctrl" cannot create resource "events" in API group "`+group+`" in the namespace "baz"`))
}

func notServed(string) error {
	return apierrors.NewGenericServerResponse(404, "post", schema.GroupResource{}, "", "404 page not found", 0, true)
}

func storedIn(t *testing.T, client *fake.Clientset) (core []corev1.Event, events []eventsv1.Event) {
	t.Helper()
	c, err := client.Tracker().List(corev1.SchemeGroupVersion.WithResource("events"), corev1.SchemeGroupVersion.WithKind("Event"), "")
	if err != nil {
		t.Fatal(err)
	}
	e, err := client.Tracker().List(eventsv1.SchemeGroupVersion.WithResource("events"), eventsv1.SchemeGroupVersion.WithKind("Event"), "")
	if err != nil {
		t.Fatal(err)
	}
	return c.(*corev1.EventList).Items, e.(*eventsv1.EventList).Items
}

// TestAdapter records twice through both recorders, in four kinds of clusters.
func TestAdapter(t *testing.T) {
	const eventsGroup = eventsv1.GroupName
	tests := map[string]struct {
		client       *fake.Clientset
		core, events int
		said         string
	}{
		"both groups": {closedGroups(forbidden), 1, 1, ""},
		// not confirmed; see TestAdapterTurns
		"events.k8s.io forbidden":  {closedGroups(forbidden, eventsGroup), 2, 0, ""},
		"events.k8s.io not served": {closedGroups(notServed, eventsGroup), 2, 0, "through the core group from now on"},
		"the core group forbidden": {closedGroups(forbidden, ""), 0, 1, `apiGroups: [""]`},
		"both forbidden":           {closedGroups(forbidden, "", eventsGroup), 0, 0, `apiGroups: ["events.k8s.io"]`},
	}
	for name, c := range tests {
		bubble(t, name, func(t *testing.T) {
			var log lines
			a := clientgo.NewEventBroadcasterAdapter(log.context(t.Context()), c.client)
			stop := make(chan struct{})
			a.StartRecordingToSink(stop)
			recorder, legacy := a.NewRecorder("widgets"), a.DeprecatedNewLegacyRecorder("legacy")
			for range 2 {
				recorder.Eventf(&pod, podNamed("related"), corev1.EventTypeNormal, "Started", "starting", "%s", "new")
				legacy.Eventf(&pod, corev1.EventTypeNormal, "Started", "%s", "old")
				later(time.Minute)
			}
			close(stop)
			a.Shutdown()
			core, events := storedIn(t, c.client)
			if len(core) != c.core || len(events) != c.events {
				t.Errorf("stored: %+v\n%+v", core, events)
			}
			for _, e := range core {
				checkAdapted(t, &e)
			}
			for _, e := range events {
				if e.Series == nil || e.Series.Count != 2 || e.Note != "new" || e.Action != "starting" {
					t.Errorf("stored: %+v", e)
				}
			}
			if got := strings.ReplaceAll(log.all(), `\"`, `"`); (c.said == "") != (got == "") || !strings.Contains(got, c.said) {
				t.Errorf("said: %s", got)
			}
			if s := conserved(t, a.Stats()); s.Written != uint64(2*(c.core+c.events)) {
				t.Errorf("accounts: %+v", s)
			}
		})
	}
}

func checkAdapted(t *testing.T, e *corev1.Event) {
	t.Helper()
	want := map[string]string{"old": "legacy", "new": "widgets"}[e.Message]
	if e.Count != 2 || e.Source != (corev1.EventSource{Component: want}) || e.ReportingController != want {
		t.Errorf("stored: %+v", e)
	}
	if e.Message == "new" && (e.Action != "starting" || e.Related == nil || e.Related.Name != "related" || !strings.HasPrefix(e.ReportingInstance, "widgets-")) {
		t.Errorf("stored: %+v", e)
	}
}

func TestAdapterEndsWithItsContext(t *testing.T) {
	bubble(t, "cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		client := fake.NewClientset()
		a := clientgo.NewEventBroadcasterAdapter(ctx, client)
		a.StartRecordingToSink(nil)
		a.NewRecorder("widgets").Eventf(&pod, nil, corev1.EventTypeNormal, "Started", "a", "x")
		cancel()
		synctest.Wait()
		list, err := client.EventsV1().Events("baz").List(context.Background(), metav1.ListOptions{})
		if err != nil || len(list.Items) != 1 {
			t.Errorf("stored: %+v, %v", list, err)
		}
	})
}
