package e2e

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// peerRepeats are recorded over three seconds; the recorders of client-go have as long again to write them, and end then.
const (
	peerRepeats = 3000
	peerTime    = 3 * time.Second
)

// contender records one Warning about a pod; end ends it.
type contender struct {
	record func(*corev1.Pod)
	end    func()
}

// TestRepeatsBesidePeers has client-go's recorders and ours record the same at the same pace to one real server, and prints what
// each has had stored. It is the peers' newest version that is compared, see go.mod.
func TestRepeatsBesidePeers(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	contenders := map[string]contender{
		"client-go tools/record": startRecord(t, clients),
		"client-go tools/events": startEvents(t, clients),
		"event-gen, core/v1":     startOurs(t, kube.CoreV1(c.RESTConfig())),
		"event-gen, events/v1":   startOurs(t, kube.EventsV1(c.RESTConfig())),
	}
	pods := map[string]*corev1.Pod{}
	for name := range contenders {
		pods[name] = newPod(newNamespace(t, clients), "noisy")
	}
	recordInStep(contenders, pods)
	for name, who := range contenders {
		who.end()
		stored := storedOccurrences(t, c, pods[name].Namespace)
		t.Logf("%s: %d stored of %d", name, stored, peerRepeats)
		if ours := name[0] == 'e'; ours && stored != peerRepeats {
			t.Errorf("%s: %d stored, expected %d", name, stored, peerRepeats)
		}
	}
}

func recordInStep(contenders map[string]contender, pods map[string]*corev1.Pod) {
	ticker := time.NewTicker(peerTime / peerRepeats)
	defer ticker.Stop()
	for range peerRepeats {
		<-ticker.C
		for name, who := range contenders {
			who.record(pods[name])
		}
	}
}

func storedOccurrences(t *testing.T, c *cluster.Cluster, namespace string) (sum int32) {
	for _, n := range countStored(t, c, namespace) {
		sum += n
	}
	return sum
}

func startRecord(t *testing.T, clients *kubernetes.Clientset) contender {
	b := record.NewBroadcaster()
	t.Cleanup(b.Shutdown)
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: clients.CoreV1().Events("")})
	r := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "peer"})
	return contender{
		record: func(pod *corev1.Pod) {
			r.Event(pod, corev1.EventTypeWarning, "BackOff", "Back-off restarting failed container")
		},
		end: func() { time.Sleep(peerTime); b.Shutdown() },
	}
}

func startEvents(t *testing.T, clients *kubernetes.Clientset) contender {
	b := events.NewBroadcaster(&events.EventSinkImpl{Interface: clients.EventsV1()})
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() { cancel(); b.Shutdown() })
	if err := b.StartRecordingToSinkWithContext(ctx); err != nil {
		t.Fatal(err)
	}
	r := b.NewRecorder(scheme.Scheme, "example.com/peer")
	return contender{
		record: func(pod *corev1.Pod) {
			r.Eventf(pod, nil, corev1.EventTypeWarning, "BackOff", "Restart", "Back-off restarting failed container")
		},
		end: func() { time.Sleep(peerTime); b.Shutdown() },
	}
}

func startOurs(t *testing.T, sink runtime.Sink) contender {
	b := newBroadcaster(t, sink)
	r := runtime.NewRecorder(b)
	return contender{
		record: func(pod *corev1.Pod) {
			r.Forward(pod, runtime.Warning, "BackOff", "Restart", "Back-off restarting failed container")
		},
		end: func() { shutdown(t, b) },
	}
}
