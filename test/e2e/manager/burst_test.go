package manager

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/event-gen/event-gen/examples/jobevents"
	"github.com/event-gen/event-gen/runtime/ctrlevents"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

const burst = 1000

// TestManagerStoppedInABurst stops a manager with three controllers while they record 1,000 events:
// each is stored once, with the count that it was recorded with, whether the manager was made by
// NewManager or wrapped. The same program runs on controller-runtime alone; what that stores is
// printed.
func TestManagerStoppedInABurst(t *testing.T) {
	for _, v := range []variant{ours, wrapped, alone} {
		t.Run(v.name, func(t *testing.T) {
			config, clients, namespace := server(t)
			m := v.newManager(t, config, namespace)
			ctx, stop := context.WithCancelCause(t.Context())
			var stopped time.Time
			addThree(t, m, &v, namespace, func() { stopped = time.Now(); stop(errStopped) })
			err := m.Start(ctx)
			took := time.Since(stopped)
			if err != nil {
				t.Fatal(err)
			}
			got := tally(t, clients, namespace)
			t.Logf("%s: %d of %d events stored, %d of them with the right count; %d of %d occurrences; %d events of leader election; Start returned after %v",
				v.name, got.events, burst, got.exact, got.occurrences, allOccurrences(), got.election, took.Round(time.Millisecond))
			t.Logf("kubectl get events --field-selector involvedObject.name=object-998 --output=%s\n%s", columns, kubectl(t, namespace))
			if v.name == alone.name {
				return
			}
			if got.events != burst || got.exact != burst || got.twice != 0 || v.election > 0 && got.election != v.election {
				t.Errorf("%+v; want %d events, each once, and %d of leader election", got, burst, v.election)
			}
			s := m.(*ctrlevents.Manager).Stats()
			if s.Pending != 0 || s.Lost.Total() != 0 || s.Written != uint64(allOccurrences()+v.election) {
				t.Errorf("account %+v", s)
			}
		})
	}
}

// columns are those of kubectl, and the count.
const columns = "custom-columns=TYPE:.type,REASON:.reason,OBJECT:.involvedObject.name,COUNT:.count,MESSAGE:.message"

// kubectl shows one of the last events.
func kubectl(t *testing.T, namespace string) string {
	t.Helper()
	out, err := started.Kubectl(t.Context(), "get", "events", "--namespace", namespace, "--field-selector", "involvedObject.name=object-998", "--output="+columns)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// times is how often the n-th event happens.
func times(n int) int { return n%3 + 1 }

func allOccurrences() (sum int) {
	for n := range burst {
		sum += times(n)
	}
	return sum
}

// addThree adds a controller with typed events and two with strings. The last event has stop
// called.
func addThree(t *testing.T, m manager.Manager, v *variant, namespace string, stop func()) {
	t.Helper()
	typed := jobevents.NewRecorder(v.on(m).WithReportingController("example.com/typed"))
	events, legacy := m.GetEventRecorder("example.com/events"), m.GetEventRecorderFor("example.com/legacy")
	pod := func(r reconcile.Request) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: r.Namespace, Name: r.Name, UID: types.UID("uid-" + r.Name)}}
	}
	var left atomic.Int64
	left.Store(burst)
	for k, record := range []func(reconcile.Request){
		func(r reconcile.Request) {
			typed.Suspended(&batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: r.Namespace, Name: r.Name, UID: types.UID("uid-" + r.Name)}})
		},
		func(r reconcile.Request) {
			events.Eventf(pod(r), nil, corev1.EventTypeNormal, "Scaled", "Scale", "Scaled %s", r.Name)
		},
		func(r reconcile.Request) {
			legacy.Eventf(pod(r), corev1.EventTypeWarning, "Failed", "Failed to scale %s", r.Name)
		},
	} {
		fill := source.Func(func(_ context.Context, q workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
			for n := k; n < burst; n += 3 {
				q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: namespace, Name: fmt.Sprintf("object-%d", n)}})
			}
			return nil
		})
		anyName := true
		err := ctrl.NewControllerManagedBy(m).Named(fmt.Sprint("burst-", k)).WatchesRawSource(fill).
			WithOptions(controller.Options{MaxConcurrentReconciles: 4, SkipNameValidation: &anyName}).
			Complete(reconcile.Func(func(_ context.Context, r reconcile.Request) (reconcile.Result, error) {
				var n int
				if _, err := fmt.Sscanf(r.Name, "object-%d", &n); err != nil {
					return reconcile.Result{}, err
				}
				for range times(n) {
					record(r)
				}
				if left.Add(-1) == 0 {
					stop()
				}
				return reconcile.Result{}, nil
			}))
		if err != nil {
			t.Fatal(err)
		}
	}
}

// counted is what is stored of a burst.
type counted struct {
	events, exact, twice, occurrences, election int
}

// tally counts what is stored, and demands that it is what was recorded.
func tally(t *testing.T, clients kubernetes.Interface, namespace string) (c counted) {
	t.Helper()
	seen := map[string]bool{}
	for _, e := range stored(t, clients, namespace) {
		var n int
		if _, err := fmt.Sscanf(e.Regarding.Name, "object-%d", &n); err != nil {
			c.election++
			continue
		}
		if seen[e.Regarding.Name] {
			c.twice++
		}
		seen[e.Regarding.Name] = true
		c.events++
		c.occurrences += cluster.Occurrences(&e)
		if cluster.Occurrences(&e) == times(n) {
			c.exact++
		}
		kind, controller := []string{"Job", "Pod", "Pod"}[n%3], []string{"job-controller", "example.com/events", "example.com/legacy"}[n%3]
		if e.Regarding.Kind != kind || e.ReportingController != controller && n%3 != 0 {
			t.Errorf("stored %+v, want one of %s about a %s", e, controller, kind)
		}
	}
	return c
}
