package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
	"github.com/event-gen/event-gen/test/e2e/webhook"
)

func hang(h *webhook.Hook) { h.Set(webhook.Hang) }

// TestWebhooksThatFail has the webhook of some namespaces fail while they are served. No event of a
// healthy namespace, served before or not, waits for more than five seconds (pace).
func TestWebhooksThatFail(t *testing.T) {
	t.Parallel() // it waits for the most part
	c := startCluster(t)
	clients := newClientset(t, c)
	for _, s := range []struct {
		name                string
		namespaces, objects int
		fail                func(*webhook.Hook)
	}{
		{"control", 1, 20, func(h *webhook.Hook) { h.Set(webhook.Pass) }},
		{"down for one", 1, 1000, (*webhook.Hook).Down},
		{"hang for 2", 2, 20, hang},
		{"hang for 5", 5, 20, hang},
		{"hang for 10", 10, 20, hang},
		{"hang for 40", 40, 20, hang},
	} {
		t.Run(s.name, func(t *testing.T) {
			// the second is not served before
			healthy := []string{newNamespace(t, clients), newNamespace(t, clients)}
			var failing []string
			for range s.namespaces {
				failing = append(failing, newNamespace(t, clients))
			}
			h := newHook(t, clients, failing...)
			all, sink := timedParties(t, c)
			for _, namespace := range append(failing, healthy[0]) {
				recordSteadily(all, namespace, "before", 5, 0)
			}
			awaitAnswers(t, all, uint64(5*len(failing)+5))
			s.fail(h)
			for _, namespace := range failing {
				recordSteadily(all, namespace, "bad", s.objects, 0)
			}
			p := startPace(t, c)
			due := recordInTurns(all, healthy, func(i int) {
				if i%20 == 0 {
					for _, namespace := range failing {
						each(all, namespace, fmt.Sprint("later-", i), eventrt.Warning, "Failed", "it failed")
					}
				}
			})
			sink.checkSlowest(t, p, "a namespace that was served before", due[0])
			sink.checkSlowest(t, p, "a namespace that was not", due[1])
			t.Logf("stored in it: %v", storedBy(t, c, healthy[1], nil))
			endWithin(t, all, time.Second)
		})
	}
	t.Run("hang for one object", func(t *testing.T) {
		namespace := newNamespace(t, clients)
		h := newHook(t, clients, namespace)
		h.Set(func(ctx context.Context, _ admissionv1.Operation, object string) (string, error) {
			if strings.HasSuffix(object, "-bad") {
				<-ctx.Done()
			}
			return "", nil
		})
		all, sink := timedParties(t, c)
		p := startPace(t, c)
		due := recordInTurns(all, []string{namespace}, func(int) { each(all, namespace, "bad", eventrt.Warning, "Failed", "it failed") })
		sink.checkSlowest(t, p, "other objects of its namespace", due[0])
		t.Logf("stored: %v", storedBy(t, c, namespace, nil))
		endWithin(t, all, time.Second)
	})
}

// timedParties are parties of which the pipeline's sink notes when each object's first event was
// stored.
func timedParties(t *testing.T, c *cluster.Cluster) ([]party, *timedSink) {
	t.Helper()
	sink := timed(kube.Auto(c.RESTConfig()))
	all := parties(t, c.RESTConfig())
	all[0] = newPipeline(t, sink)
	return all, sink
}

// recordInTurns records an event of a new object in each namespace, 20 times a second for ten
// seconds, and what else does beside it. It returns when the pipeline was given each.
func recordInTurns(all []party, namespaces []string, beside func(i int)) []map[string]time.Time {
	due := make([]map[string]time.Time, len(namespaces))
	for i := range 200 {
		for n, namespace := range namespaces {
			if due[n] == nil {
				due[n] = map[string]time.Time{}
			}
			object := fmt.Sprint("good-", i)
			due[n][namespace+"/"+ours+"-"+object] = time.Now()
			each(all, namespace, object, eventrt.Normal, "Started", "it started")
		}
		beside(i)
		time.Sleep(50 * time.Millisecond)
	}
	return due
}

// checkSlowest waits until all events are stored that were recorded at these times, and looks how
// long the slowest has waited.
func (s *timedSink) checkSlowest(t *testing.T, p *pace, who string, recorded map[string]time.Time) {
	t.Helper()
	awaitWithin(faultBound, func() bool { _, n := s.slowest(recorded); return n == len(recorded) })
	d, n := s.slowest(recorded)
	most := p.allow(5 * time.Second)
	t.Logf("%s: %d of %d stored, the slowest after %v; %v allowed", who, n, len(recorded), d.Round(time.Millisecond), most)
	if n != len(recorded) || d > most {
		t.Errorf("%s: %d of %d stored, the slowest after %v, expected at most %v", who, n, len(recorded), d, most)
	}
}

// checkEnd ends a party, and demands that it takes no longer than it may (pace).
func checkEnd(t *testing.T, c *cluster.Cluster, p party, most time.Duration) {
	t.Helper()
	others, begun := startPace(t, c), time.Now()
	err := endWithin(t, []party{p}, most+faultBound)[p.name]
	took := time.Since(begun).Round(time.Millisecond)
	most = others.allow(most)
	t.Logf("Shutdown took %v: %v; %v allowed", took, err, most)
	if took > most {
		t.Errorf("Shutdown took %v, expected at most %v", took, most)
	}
}

// TestAGroupThatIsGone restarts the server without events.k8s.io. An event that was created there
// is updated in its own form.
func TestAGroupThatIsGone(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	for _, args := range [][]string{nil, {"--runtime-config=events.k8s.io/v1=false"}} {
		t.Run(fmt.Sprint(args), func(t *testing.T) {
			namespace := newNamespace(t, clients)
			p := newPipeline(t, kube.Auto(c.RESTConfig()))
			record := func(object string, n int) {
				for range n {
					p.record(newPod(namespace, object), eventrt.Warning, "BackOff", "Back-off restarting failed container")
				}
			}
			record("old", 1)
			awaitAnswers(t, []party{p}, 1)
			if err := c.StopAPIServer(); err != nil {
				t.Fatal(err)
			}
			if err := c.StartAPIServer(t.Context(), args...); err != nil {
				t.Fatal(err)
			}
			record("old", 5)
			record("new", 1)
			checkEnd(t, c, p, 20*time.Second)
			var got []string
			for _, e := range coreEvents(t, clients, namespace) {
				series := int32(0)
				if e.Series != nil {
					series = e.Series.Count
				}
				got = append(got, fmt.Sprintf("%s: count %d, series %d", e.InvolvedObject.Name, e.Count, series))
			}
			want := []string{"old: count 0, series 6", "new: count 0, series 0"}
			if args != nil {
				want[1] = "new: count 1, series 0"
			}
			t.Logf("stored: %q; %+v", got, p.stats().Lost)
			checkSameTexts(t, want, got)
		})
	}
}

// removeNamespace does what a controller would, of which none runs: it finishes a namespace that is
// deleted.
func removeNamespace(t *testing.T, clients kubernetes.Interface, name string) {
	t.Helper()
	namespaces := clients.CoreV1().Namespaces()
	if err := namespaces.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := namespaces.Finalize(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// TestUpdatesMadeInvalid has a webhook change the note of an event that is updated, which the
// server's validation forbids. The next occurrences go into a new event.
func TestUpdatesMadeInvalid(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	for _, invalid := range []bool{false, true} {
		t.Run(fmt.Sprintf("invalid=%t", invalid), func(t *testing.T) {
			namespace := newNamespace(t, clients)
			h := newHook(t, clients, namespace)
			p := newPipeline(t, kube.EventsV1(c.RESTConfig()))
			h.Set(func(_ context.Context, operation admissionv1.Operation, _ string) (string, error) {
				if invalid && operation == admissionv1.Update {
					return `[{"op": "replace", "path": "/note", "value": "changed"}]`, nil
				}
				return "", nil
			})
			for range 40 { // updates are due after one second, and after three more
				p.record(newPod(namespace, "one"), eventrt.Warning, "BackOff", "Back-off restarting failed container")
				time.Sleep(100 * time.Millisecond)
			}
			checkEnd(t, c, p, 5*time.Second)
			var counts []int32
			for _, e := range eventsOf(t, clients, namespace) {
				if e.Regarding.Name == "one" {
					counts = append(counts, storedCount(e))
				}
			}
			s := p.stats()
			sum := uint64(0)
			for _, n := range counts {
				sum += uint64(n)
			}
			t.Logf("counts of the stored events: %v; %d written, %d refused of %d", counts, s.Written, s.Lost.Refused, s.Recorded)
			if sum != s.Written || s.Written+s.Lost.Refused != 40 || !invalid && (len(counts) != 1 || sum != 40) || invalid && (len(counts) < 2 || sum < 10) {
				t.Errorf("counts of the stored events: %v; %+v", counts, s)
			}
		})
	}
}
