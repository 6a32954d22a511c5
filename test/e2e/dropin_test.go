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
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
	"github.com/event-gen/event-gen/test/e2e/faults"
)

const (
	dropInController = "example.com/widgets"
	dropInHost       = "node-7"
)

// TestDropIn has client-go's recorders, as the drop-in makes them, record through client-go's own sinks.
func TestDropIn(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	t.Run("core", func(t *testing.T) { playDropIn(t, c, clients, recordCore) })
	t.Run("events", func(t *testing.T) { playDropIn(t, c, clients, recordEvents) })
	t.Run("adapter without a right to events.k8s.io", func(t *testing.T) { playDropIn(t, c, clients, recordAdapted) })
	for name, start := range dropIns {
		t.Run("shutdown drains "+name, func(t *testing.T) { endDropIn(t, c, clients, start) })
		t.Run("late arrivals "+name, func(t *testing.T) { playLateDropIn(t, c, clients, start) })
	}
}

// playDropIn looks whether anything is left behind.
func playDropIn(t *testing.T, c *cluster.Cluster, clients *kubernetes.Clientset, play func(*testing.T, *cluster.Cluster, *kubernetes.Clientset)) {
	atRest := restState(t, c)
	play(t, c, clients)
	atRest.check(t)
}

// dropIn is what the broadcasters of both groups have in common.
type dropIn interface {
	ShutdownWithContext(context.Context) error
	Stats() runtime.Stats
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

func recordCore(t *testing.T, _ *cluster.Cluster, clients *kubernetes.Clientset) {
	namespace := newNamespace(t, clients)
	pod := newPod(namespace, "web")
	b := clientgo.NewBroadcaster()
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: clients.CoreV1().Events("")})
	var recorder record.EventRecorder = b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: dropInController, Host: dropInHost})

	recorder.AnnotatedEventf(pod, map[string]string{"example.com/revision": "7"}, runtime.Normal, "Scaled", "Scaled to %d%%", 50)
	for n := range 15 {
		recorder.Eventf(pod, runtime.Warning, "Failed", "attempt %d of %s", n, "many")
	}
	pulled := func(times int) {
		for range times {
			recorder.Event(pod, runtime.Normal, "Pulled", "100% of the image")
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

func recordEvents(t *testing.T, _ *cluster.Cluster, clients *kubernetes.Clientset) {
	namespace := newNamespace(t, clients)
	pod, node := newPod(namespace, "web"), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1", UID: "n-1"}}
	b := clientgo.NewEventsBroadcaster(&events.EventSinkImpl{Interface: clients.EventsV1()})
	if err := b.StartRecordingToSinkWithContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	var recorder events.EventRecorder = b.NewRecorder(scheme.Scheme, dropInController)

	recorder.Eventf(pod, nil, runtime.Normal, "Long", "", "%s", strings.Repeat("é", 1000))
	recorder.(events.AnnotatedEventRecorder).AnnotatedEventf(pod, node, map[string]string{"example.com/revision": "7"},
		runtime.Normal, "Bound", "Binding", "Bound to %s", node.Name)
	failed := func(times int) {
		for n := range times { // each note is an event of its own
			recorder.Eventf(pod, node, runtime.Warning, "FailedScheduling", "Scheduling", "no room on %s: %d%%", node.Name, 100-n)
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

// recordAdapted records as a user who has a right to the core group only.
func recordAdapted(t *testing.T, c *cluster.Cluster, clients *kubernetes.Clientset) {
	namespace := allowedNamespace(t, clients, coreGroup, "create", "patch")
	cfg := c.UserConfig(cluster.LimitedUser)
	probe := newWrite(namespace)
	writeOnceAllowed(t, kube.CoreV1(cfg), probe)
	a := clientgo.NewEventBroadcasterAdapter(t.Context(), unlimited(t, cfg))
	a.StartRecordingToSink(t.Context().Done())
	pod, node := newPod(namespace, "web"), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1", UID: "n-1"}}
	recorder, legacy := a.NewRecorder(dropInController), a.DeprecatedNewLegacyRecorder(dropInController)

	recorder.Eventf(pod, node, runtime.Warning, "FailedScheduling", "Scheduling", "no room")
	awaitCount(t, clients, namespace, "web Warning FailedScheduling", 1)
	for range 4 {
		recorder.Eventf(pod, node, runtime.Warning, "FailedScheduling", "Scheduling", "no room")
		legacy.Eventf(pod, runtime.Normal, "Pulled", "in %d s", 3)
	}
	awaitCount(t, clients, namespace, "web Warning FailedScheduling", 5)
	recorder.Eventf(pod, node, runtime.Warning, "FailedScheduling", "Scheduling", "no room")
	endWhole(t, a)

	var got []string
	for _, e := range coreEvents(t, clients, namespace) {
		if e.Name == probe.Name {
			continue
		}
		related, host := "", ""
		if e.Related != nil {
			host, _ = os.Hostname()
			related, host = e.Related.Name, dropInController+"-"+host
		}
		got = append(got, fmt.Sprintf("%s %s %s %d × %s about %s", e.Type, e.Reason, e.Action, e.Count, e.Message, related))
		checkCoreForm(t, &e, pod, host)
	}
	checkSameTexts(t, []string{"Warning FailedScheduling Scheduling 6 × no room about node-1", "Normal Pulled  4 × in 3 s about "}, got)
}

// dropIns start the broadcasters of both groups, with a function that records a message about an object.
var dropIns = map[string]func(*testing.T, kubernetes.Interface) (dropIn, func(pod *corev1.Pod, message string)){
	"core": func(_ *testing.T, client kubernetes.Interface) (dropIn, func(*corev1.Pod, string)) {
		b := clientgo.NewBroadcaster(clientgo.WithSleepDuration(quickRetry))
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
		r := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: dropInController})
		return b, func(pod *corev1.Pod, message string) { r.Event(pod, runtime.Warning, "BackOff", message) }
	},
	"events": func(t *testing.T, client kubernetes.Interface) (dropIn, func(*corev1.Pod, string)) {
		b := clientgo.NewEventsBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()}, clientgo.WithSleepDuration(quickRetry))
		if err := b.StartRecordingToSinkWithContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		r := b.NewRecorder(scheme.Scheme, dropInController)
		return b, func(pod *corev1.Pod, message string) {
			r.Eventf(pod, nil, runtime.Warning, "BackOff", "Restart", "%s", message)
		}
	},
}

type startDropIn = func(*testing.T, kubernetes.Interface) (dropIn, func(*corev1.Pod, string))

// endDropIn ends right after much was recorded.
func endDropIn(t *testing.T, c *cluster.Cluster, clients *kubernetes.Clientset, start startDropIn) {
	atRest := restState(t, c)
	namespace := newNamespace(t, clients)
	b, emit := start(t, clients)
	want := map[string]int32{}
	for n := range 500 {
		pod := newPod(namespace, fmt.Sprint("pod-", n%100))
		emit(pod, "Back-off restarting container")
		want[tallyKey(pod.Name, runtime.Warning, "BackOff")]++
	}
	endWhole(t, b)
	checkStored(t, c, namespace, want)
	atRest.check(t)
}

// playLateDropIn has requests arrive when a later update has been acknowledged. The reply to the update before was lost, so that
// the recorder does not know which version of the event to expect, and asks.
func playLateDropIn(t *testing.T, c *cluster.Cluster, clients *kubernetes.Clientset, start startDropIn) {
	atRest := restState(t, c)
	namespace := newNamespace(t, clients)
	proxy, err := faults.New(c.RESTConfig(), 1)
	if err != nil {
		t.Fatal(err)
	}
	late := faults.Step{Fault: faults.Late(time.Minute), Requests: 1}
	// A create, an update, the same in conflict, a question, the question again and an update, and both again.
	proxy.Play(faults.Step{Requests: 1}, faults.Step{Fault: faults.LoseReply(), Requests: 1}, faults.Step{Requests: 1}, late,
		faults.Step{Requests: 1}, late, faults.Step{Requests: 2})
	cfg := proxy.Config()
	cfg.Timeout = patience
	b, emit := start(t, unlimited(t, cfg))
	pod, recorded := newPod(namespace, "one"), int32(0)
	played := awaitWithin(faultBound, func() bool {
		emit(pod, "Back-off restarting container")
		recorded++
		return proxy.Over()
	})
	endWhole(t, b)
	proxy.Close() // this is when they arrive
	if counts := proxy.Counts(); !played || counts["late"] != 2 || counts["lost reply"] != 1 {
		t.Errorf("played: %v", counts)
	}
	checkStored(t, c, namespace, map[string]int32{tallyKey("one", runtime.Warning, "BackOff"): recorded})
	atRest.check(t)
}

// unlimited is a clientset without a budget of requests.
func unlimited(t *testing.T, cfg *rest.Config) *kubernetes.Clientset {
	t.Helper()
	cfg.QPS = -1
	clients, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return clients
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
