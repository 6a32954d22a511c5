package e2e

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
)

const (
	dropInController = "example.com/widgets"
	dropInHost       = "node-7"
)

// TestDropIn has client-go's recorders, as the drop-in makes them, record through client-go's own
// sinks.
func TestDropIn(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	for name, record := range map[string]func(*testing.T, *kubernetes.Clientset){"core": recordCore, "events": recordEvents} {
		t.Run(name, func(t *testing.T) {
			atRest := restState(t, c)
			record(t, clients)
			atRest.check(t)
		})
	}
}

// dropIn is what the broadcasters of both groups have in common.
type dropIn interface {
	ShutdownWithContext(context.Context) error
	Stats() eventrt.Stats
}

// endWhole shuts down with time enough, and demands that all is written.
func endWhole(t *testing.T, b dropIn) {
	t.Helper()
	ctx, cancel := contextWithin(t, time.Minute)
	defer cancel()
	if err := b.ShutdownWithContext(ctx); err != nil {
		t.Error(err)
	}
	s := b.Stats()
	checkAllWritten(t, s)
	checkConservation(t, s)
	t.Logf("%d occurrences in %d creates and %d updates, %d retries", s.Written, s.Creates, s.Updates, s.Retries)
}

func recordCore(t *testing.T, clients *kubernetes.Clientset) {
	namespace := newNamespace(t, clients)
	pod := newPod(namespace, "web")
	b := clientgo.NewBroadcaster()
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: clients.CoreV1().Events("")})
	var recorder record.EventRecorder = b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: dropInController, Host: dropInHost})

	recorder.AnnotatedEventf(pod, map[string]string{"example.com/revision": "7"}, eventrt.Normal, "Scaled", "Scaled to %d%%", 50)
	for n := range 15 {
		recorder.Eventf(pod, eventrt.Warning, "Failed", "attempt %d of %s", n, "many")
	}
	pulled := func(times int) {
		for range times {
			recorder.Event(pod, eventrt.Normal, "Pulled", "100% of the image")
		}
	}
	pulled(1)
	awaitCount(t, clients, namespace, "web Normal Pulled", 1)
	pulled(40)
	awaitCount(t, clients, namespace, "web Normal Pulled", 41) // by the schedule
	pulled(20)
	endWhole(t, b) // by the end

	var want []string
	for n := range 9 {
		want = append(want, fmt.Sprintf("Warning Failed 1 × attempt %d of many map[]", n))
	}
	want = append(want, "Warning Failed 6 × (combined from similar events): attempt 14 of many map[]",
		"Normal Scaled 1 × Scaled to 50% map[example.com/revision:7]", "Normal Pulled 61 × 100% of the image map[]")
	var got []string
	for _, e := range coreEvents(t, clients, namespace) {
		got = append(got, fmt.Sprintf("%s %s %d × %s %v", e.Type, e.Reason, e.Count, e.Message, e.Annotations))
		checkCoreForm(t, &e, pod, dropInHost)
	}
	checkSameTexts(t, want, got)
}

// checkCoreForm holds what all events of the core group have in common.
func checkCoreForm(t *testing.T, e *corev1.Event, pod *corev1.Pod, host string) {
	t.Helper()
	ref := corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID}
	if e.InvolvedObject != ref || e.Series != nil || !e.EventTime.IsZero() || e.Source.Component != dropInController ||
		e.ReportingController != dropInController || e.ReportingInstance != host {
		t.Errorf("stored: %+v", e)
	}
	if e.FirstTimestamp.IsZero() || e.LastTimestamp.Before(&e.FirstTimestamp) {
		t.Errorf("stored from %v to %v", e.FirstTimestamp, e.LastTimestamp)
	}
}

func recordEvents(t *testing.T, clients *kubernetes.Clientset) {
	namespace := newNamespace(t, clients)
	pod, node := newPod(namespace, "web"), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1", UID: "n-1"}}
	b := clientgo.NewEventsBroadcaster(&events.EventSinkImpl{Interface: clients.EventsV1()})
	if err := b.StartRecordingToSinkWithContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	var recorder events.EventRecorder = b.NewRecorder(scheme.Scheme, dropInController)

	recorder.Eventf(pod, nil, eventrt.Normal, "Long", "", "%s", strings.Repeat("é", 1000))
	recorder.(events.AnnotatedEventRecorder).AnnotatedEventf(pod, node, map[string]string{"example.com/revision": "7"},
		eventrt.Normal, "Bound", "Binding", "Bound to %s", node.Name)
	failed := func(times int) {
		for n := range times { // each note is an event of its own
			recorder.Eventf(pod, node, eventrt.Warning, "FailedScheduling", "Scheduling", "no room on %s: %d%%", node.Name, 100-n)
		}
	}
	failed(1)
	awaitCount(t, clients, namespace, "web Warning FailedScheduling", 1)
	failed(4)
	awaitCount(t, clients, namespace, "web Warning FailedScheduling", 5) // by the schedule
	failed(3)
	endWhole(t, b) // by the end

	want := []string{
		"Normal Long Long 1 × " + strings.Repeat("é", 510) + "… map[] about ",
		"Normal Bound Binding 1 × Bound to node-1 map[example.com/revision:7] about node-1",
		"Warning FailedScheduling Scheduling 3 × no room on node-1: 100% map[] about node-1",
		"Warning FailedScheduling Scheduling 2 × no room on node-1: 99% map[] about node-1",
		"Warning FailedScheduling Scheduling 2 × no room on node-1: 98% map[] about node-1",
		"Warning FailedScheduling Scheduling 1 × no room on node-1: 97% map[] about node-1",
	}
	var got []string
	for _, e := range eventsOf(t, clients, namespace) {
		got = append(got, fmt.Sprintf("%s %s %s %d × %s %v about %s", e.Type, e.Reason, e.Action, storedCount(e), e.Note, e.Annotations, relatedName(&e)))
		checkEventsForm(t, &e, pod)
	}
	checkSameTexts(t, want, got)
}

func relatedName(e *eventsv1.Event) string {
	if e.Related == nil {
		return ""
	}
	return e.Related.Name
}

// checkEventsForm holds what all events of events.k8s.io have in common.
func checkEventsForm(t *testing.T, e *eventsv1.Event, pod *corev1.Pod) {
	t.Helper()
	ref := corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if e.Regarding != ref || e.EventTime.IsZero() || e.DeprecatedCount != 0 || e.ReportingController != dropInController ||
		e.ReportingInstance != dropInController+"-"+host {
		t.Errorf("stored: %+v", e)
	}
	if e.Series != nil && (e.Series.Count < 2 || e.Series.LastObservedTime.Before(&e.EventTime)) {
		t.Errorf("series %+v of an event at %v", e.Series, e.EventTime)
	}
}

// awaitCount waits until so many occurrences of {object, type, reason} are stored.
func awaitCount(t *testing.T, clients kubernetes.Interface, namespace, key string, want int32) {
	t.Helper()
	var stored int32
	met := awaitWithin(faultBound, func() bool {
		stored = 0
		for _, e := range eventsOf(t, clients, namespace) {
			if tallyKey(e.Regarding.Name, e.Type, e.Reason) == key {
				stored += storedCount(e)
			}
		}
		return stored == want
	})
	if !met {
		t.Fatalf("%s: stored %d, expected %d", key, stored, want)
	}
}

func coreEvents(t *testing.T, clients kubernetes.Interface, namespace string) []corev1.Event {
	t.Helper()
	list, err := clients.CoreV1().Events(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return list.Items
}

func eventsOf(t *testing.T, clients kubernetes.Interface, namespace string) []eventsv1.Event {
	t.Helper()
	list, err := clients.EventsV1().Events(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return list.Items
}

func checkSameTexts(t *testing.T, want, got []string) {
	t.Helper()
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("expected\n%s\nstored\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
	}
}
