package e2e

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	ctrlcluster "sigs.k8s.io/controller-runtime/pkg/cluster"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/event-gen/event-gen/runtime/ctrlevents"
)

// TestTwoClusters: a manager on one real server, with a further cluster on another. Each server has
// the events that were recorded for it, those of GetEventRecorder and of GetEventRecorderFor. The
// cluster leaves in a burst, and comes back under the manager: nothing is lost.
func TestTwoClusters(t *testing.T) {
	t.Parallel()
	home, away := startCluster(t), startCluster(t)
	m, err := ctrlevents.NewManager(home.RESTConfig(), manager.Options{Logger: logr.Discard(), Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		t.Fatal(err)
	}
	inner, err := ctrlcluster.New(away.RESTConfig(), func(o *ctrlcluster.Options) { o.Logger = logr.Discard() })
	if err != nil {
		t.Fatal(err)
	}
	const burst = 40
	record := func(c ctrlcluster.Cluster, reason string) {
		for n := range burst {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("pod-", n), UID: types.UID(fmt.Sprint("uid-", n))}}
			c.GetEventRecorder("example.com/raw").Eventf(pod, nil, corev1.EventTypeNormal, reason, "Do", "in events.k8s.io")
			c.GetEventRecorderFor("old").Event(pod, corev1.EventTypeNormal, reason, "in the core group")
		}
	}
	life, leaves := context.WithCancel(t.Context())
	first, err := m.Cluster(context.Background(), inner)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := m.Cluster(context.Background(), inner); err != nil || again != first {
		t.Errorf("the same cluster again: %v", err)
	}
	left := make(chan error, 1)
	go func() { left <- first.Start(life) }()
	err = m.Add(manager.RunnableFunc(func(context.Context) error {
		record(first, "Away")
		record(m, "Home")
		leaves()
		if err := <-left; err != nil {
			return err
		}
		back, err := m.Cluster(context.Background(), inner)
		if err != nil {
			return err
		}
		record(back, "Back")
		return errStop
	}))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Start(t.Context()); err == nil || !strings.Contains(err.Error(), errStop.Error()) || strings.Contains(err.Error(), "not known to be written") {
		t.Fatal(err)
	}
	for c, want := range map[*kubernetes.Clientset][]string{
		newClientset(t, home): {"Home"},
		newClientset(t, away): {"Away", "Back"},
	} {
		for reason, counts := range storedByReason(t, c) {
			if !slices.Contains(want, reason) || counts != [2]int{burst, burst} {
				t.Errorf("%v of %s are stored where %q are expected", counts, reason, want)
			}
			want = slices.DeleteFunc(want, func(w string) bool { return w == reason })
		}
		if len(want) > 0 {
			t.Errorf("%q are not stored", want)
		}
	}
	if s := m.Stats(); s.Recorded != 6*burst || s.Written != 6*burst {
		t.Errorf("account %+v", s)
	}
}

// errStop ends a manager.
var errStop = errors.New("the test is over")

// storedByReason counts the events of a server about the test's pods: those with an event time,
// which were written to events.k8s.io, and others.
func storedByReason(t *testing.T, clients kubernetes.Interface) map[string][2]int {
	t.Helper()
	list, err := clients.EventsV1().Events("default").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][2]int{}
	for i := range list.Items {
		e := &list.Items[i]
		if e.Regarding.Kind != "Pod" {
			continue
		}
		counts := found[e.Reason]
		if e.EventTime.IsZero() {
			counts[1]++
		} else {
			counts[0]++
		}
		found[e.Reason] = counts
	}
	return found
}
