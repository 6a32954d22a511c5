package e2e

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
	"github.com/event-gen/event-gen/test/e2e/faults"
)

// TestUpdatesWithoutARight: a role has create but no patch. Nothing is lost, and what is pending
// goes into few new events.
func TestUpdatesWithoutARight(t *testing.T) {
	t.Parallel() // it waits for the most part
	c := startCluster(t)
	clients := newClientset(t, c)
	namespace := newNamespace(t, clients)
	grant(t, clients, namespace, []string{"create"}, "", "events.k8s.io")
	all := parties(t, c.UserConfig(cluster.LimitedUser))
	n := recordRepeats(all, namespace, 35*5) // longer than sink.ForbiddenProbe
	endWithin(t, all, faultBound)
	checkNothingLost(t, c, namespace, all, n)
	checkEvents(t, c, namespace, all[:2])
}

// TestAPolicyThatDeniesUpdates for a while, and then no more.
func TestAPolicyThatDeniesUpdates(t *testing.T) {
	t.Parallel() // it waits for the most part
	c := startCluster(t)
	clients := newClientset(t, c)
	namespace := newNamespace(t, clients)
	denyUpdates(t, clients, namespace, "false")
	all := parties(t, c.RESTConfig())
	n := recordRepeats(all, namespace, 35*5) // longer than sink.ForbiddenProbe
	if err := clients.AdmissionregistrationV1().ValidatingAdmissionPolicyBindings().Delete(t.Context(), "reasons", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	n += recordRepeats(all, namespace, 5*5)
	endWithin(t, all, faultBound)
	checkNothingLost(t, c, namespace, all, n)
	checkEvents(t, c, namespace, all[:2])
}

// denyUpdates makes a policy that denies updates of events unless an expression holds, and waits
// until it does.
func denyUpdates(t *testing.T, clients kubernetes.Interface, namespace, expression string) {
	t.Helper()
	denyEvents(t, clients, expression, registrationv1.Update)
	made, err := clients.CoreV1().Events(namespace).Create(t.Context(), &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Name: "probe"}, InvolvedObject: corev1.ObjectReference{Namespace: namespace, Name: "probe"},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !awaitWithin(faultBound, func() bool {
		change := fmt.Appendf(nil, `{"metadata": {"annotations": {"example.com/probe": "%v"}}}`, time.Now())
		_, err := clients.CoreV1().Events(namespace).Patch(t.Context(), made.Name, types.MergePatchType, change, metav1.PatchOptions{})
		return err != nil
	}) {
		t.Fatal("the policy denies nothing")
	}
	if err := clients.CoreV1().Events(namespace).Delete(t.Context(), made.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}

// TestUpdatesThatAreRefusedForLong: an event needs more new events than a byte has numbers, and
// then the process restarts. What counts as written is stored, and no name is tried in vain.
func TestUpdatesThatAreRefusedForLong(t *testing.T) {
	t.Parallel() // it waits for the most part
	for name, expression := range map[string]string{
		"no right": "", "a policy": "false",
		"a policy by the content": "has(object.metadata.annotations) == has(oldObject.metadata.annotations) && (!has(object.metadata.annotations) || object.metadata.annotations == oldObject.metadata.annotations)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCluster(t)
			clients := newClientset(t, c)
			namespace := newNamespace(t, clients)
			config := c.RESTConfig()
			if expression == "" {
				config = c.UserConfig(cluster.LimitedUser)
				grant(t, clients, namespace, []string{"create"}, "", "events.k8s.io")
			} else {
				denyUpdates(t, clients, namespace, expression)
			}
			recorded, written, unacknowledged := 0, uint64(0), uint64(0)
			// the first life is longer than sink.ForbiddenProbe, and 300 intervals more
			for life, times := range []int{40 * 50, 3 * 50} {
				s := &counted{Sink: kube.EventsV1(config), calls: map[string]int{}}
				p := pipeline(ours, newBroadcaster(t, s, func(o *broadcaster.Options) {
					o.ReportingInstance = "host-1"
					o.Correlator = correlator.Options{MaxInterval: 20 * time.Millisecond}
				}))
				pod := newPod(namespace, ours+"-pod")
				for range times {
					p.record(pod, corev1.EventTypeNormal, "Started", "it started")
					recorded++
					time.Sleep(20 * time.Millisecond)
				}
				endWithin(t, []party{p}, faultBound)
				got := p.stats()
				t.Logf("life %d: %v, %+v", life, s.calls, got)
				if taken := s.calls["create: exists"]; taken > 1 || got.Lost.Total() != got.Lost.Unacknowledged || got.Pending > 0 {
					t.Errorf("life %d: %d names were taken, %+v", life, taken, got)
				}
				written, unacknowledged = written+got.Written, unacknowledged+got.Lost.Unacknowledged
			}
			stored, events := uint64(storedBy(t, c, namespace, nil)[ours]), len(listEvents(t, clients, namespace))
			t.Logf("%d recorded, %d written, %d unacknowledged; stored %d in %d events", recorded, written, unacknowledged, stored, events)
			if stored < written || stored > written+unacknowledged || written+unacknowledged != uint64(recorded) || events <= 256 {
				t.Errorf("%d recorded, %d written, %d unacknowledged; stored %d in %d events", recorded, written, unacknowledged, stored, events)
			}
		})
	}
}

// recordRepeats records the same events about three objects so many times, five times a second, and
// returns how many.
func recordRepeats(all []party, namespace string, times int) (n int) {
	for range times {
		for i := range 3 {
			each(all, namespace, fmt.Sprint("pod-", i), corev1.EventTypeWarning, "BackOff", "it fails")
			n++
		}
		time.Sleep(200 * time.Millisecond)
	}
	return n
}

// checkEvents holds that parties have few events about each of three objects: those of the ticks of
// half a minute, at most.
func checkEvents(t *testing.T, c *cluster.Cluster, namespace string, all []party) {
	t.Helper()
	counts := map[string]int{}
	for _, e := range listEvents(t, newClientset(t, c), namespace) {
		counts[e.Regarding.Name]++
	}
	t.Logf("events: %v", counts)
	for _, p := range all {
		for i := range 3 {
			if n := counts[fmt.Sprint(p.name, "-pod-", i)]; n < 1 || n > 8 {
				t.Errorf("%s: %d events about an object", p.name, n)
			}
		}
	}
}

// TestAWebhookThatSetsTheInstance: each life of a container finds the names of its events taken by
// events that show another instance.
func TestAWebhookThatSetsTheInstance(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	namespace := newNamespace(t, clients)
	h := newHook(t, clients, namespace)
	h.Set(func(_ context.Context, operation admissionv1.Operation, _ string) (string, error) {
		if operation == admissionv1.Create {
			return `[{"op": "add", "path": "/reportingInstance", "value": "cluster-1"}]`, nil
		}
		return "", nil
	})
	const lives, facts = 5, 3
	for name, newSink := range map[string]func(*rest.Config) *kube.Sink{ours: kube.EventsV1, coreParty: kube.CoreV1} {
		for life := range lives {
			s := &counted{Sink: newSink(c.RESTConfig()), calls: map[string]int{}}
			p := pipeline(name, newBroadcaster(t, s, func(o *broadcaster.Options) { o.ReportingInstance = "host-1" }))
			for i := range facts {
				p.record(newPod(namespace, fmt.Sprint(name, "-", i)), corev1.EventTypeNormal, "Started", "it started")
			}
			checkEnd(t, c, p, time.Minute)
			calls := 0
			for _, n := range s.calls {
				calls += n
			}
			if got := p.stats(); got.Written != facts || got.Lost.Total() != 0 || calls > 4*facts {
				t.Errorf("%s, life %d: calls %v, %+v", name, life, s.calls, got)
			}
		}
	}
	if stored := storedBy(t, c, namespace, nil); stored[ours] != lives*facts || stored[coreParty] != lives*facts {
		t.Errorf("of %d, stored: %v", lives*facts, stored)
	}
}

// TestAWebhookThatRenamesEvents: each event is stored under another name than the one that was
// sent. It counts once, and later occurrences go into new events.
func TestAWebhookThatRenamesEvents(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	namespace := newNamespace(t, clients)
	h := newHook(t, clients, namespace)
	var serial atomic.Int64
	h.Set(func(_ context.Context, operation admissionv1.Operation, object string) (string, error) {
		if operation == admissionv1.Create && object != "probe" {
			return fmt.Sprintf(`[{"op": "replace", "path": "/metadata/name", "value": "renamed-%d"}]`, serial.Add(1)), nil
		}
		return "", nil
	})
	all := parties(t, c.RESTConfig())
	unique := func(o *broadcaster.Options) { o.Identity = correlator.Unique }
	all = append(all, pipeline("unique", newBroadcaster(t, kube.Auto(c.RESTConfig()), unique)))
	n := 0
	for range 3 {
		for i := range 20 {
			each(all, namespace, fmt.Sprint("pod-", i), corev1.EventTypeWarning, "BackOff", "it fails")
			n++
		}
		time.Sleep(1500 * time.Millisecond)
	}
	endWithin(t, all, faultBound)
	checkNothingLost(t, c, namespace, all, n)
}

// TestReplicasBehindAProxyThatRepeats: ten replicas of one identity write the same events, and a
// tenth of the requests is sent twice.
func TestReplicasBehindAProxyThatRepeats(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	const replicas, facts, times = 10, 20, 5
	for name, newSink := range map[string]func(*rest.Config) *kube.Sink{ours: kube.EventsV1, coreParty: kube.CoreV1} {
		t.Run(name, func(t *testing.T) {
			namespace := newNamespace(t, clients)
			config, proxy := throughProxy(c, 1, []faults.Step{{Fault: faults.Twice(), Share: 0.1}})(t)
			defer proxy.Close()
			var all []party
			for n := range replicas {
				all = append(all, pipeline(name, newBroadcaster(t, newSink(config), quick, func(o *broadcaster.Options) {
					o.Identity, o.ReportingController, o.ReportingInstance = correlator.Controller, "example.com/replicas", fmt.Sprint("replica-", n)
				})))
			}
			for range times {
				for i := range facts {
					for _, p := range all {
						p.record(newPod(namespace, fmt.Sprint(name, "-", i)), corev1.EventTypeWarning, "Failed", "it failed")
					}
				}
				time.Sleep(200 * time.Millisecond)
			}
			written, unacknowledged := uint64(0), uint64(0)
			for _, p := range all {
				endWithin(t, []party{p}, faultBound)
				s := p.stats()
				written += s.Written
				unacknowledged += s.Lost.Unacknowledged
			}
			stored := uint64(storedBy(t, c, namespace, nil)[name])
			n := len(listEvents(t, clients, namespace))
			t.Logf("%d of %d written, %d unacknowledged; stored %d in %d events", written, replicas*facts*times, unacknowledged, stored, n)
			if stored < written || stored > written+unacknowledged || written+unacknowledged != replicas*facts*times || n != facts {
				t.Errorf("%d written, %d unacknowledged; stored %d in %d events", written, unacknowledged, stored, n)
			}
		})
	}
}
