package e2e

import (
	"context"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/event-gen/event-gen/runtime/ctrlevents"
)

// newManaged is a party whose recorder is that of a manager of ctrlevents. Its end stops the
// manager, which writes what is pending for as long as its own ShutdownTimeout.
func newManaged(t *testing.T, config *rest.Config, timeout time.Duration) party {
	t.Helper()
	config = rest.CopyConfig(config)
	config.QPS = -1
	m, err := ctrlevents.NewManager(config, manager.Options{Metrics: metricsserver.Options{BindAddress: "0"}}, ctrlevents.Options{ShutdownTimeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	p := party{name: "managed", stats: m.Stats, end: func(context.Context) error { stop(); return <-ended }}
	p.record = func(pod *corev1.Pod, eventType, reason, message string) {
		m.Events().Forward(pod, eventType, reason, "Act", message)
	}
	return p
}

// TestShutdownAfterAnOutage ends the programs when the server was away for 40 s, and begins again a
// moment later: within their ten seconds all is stored.
func TestShutdownAfterAnOutage(t *testing.T) {
	t.Parallel() // it waits for the most part
	const patience, soon = 10 * time.Second, 8 * time.Second
	c := startCluster(t)
	namespace := newNamespace(t, newClientset(t, c))
	all := append(parties(t, c.RESTConfig())[:2], newManaged(t, c.RESTConfig(), patience))
	recordSteadily(all, namespace, "before", 5, 100*time.Millisecond)
	awaitAnswers(t, all, 5)
	if err := c.KillAPIServer(); err != nil {
		t.Fatal(err)
	}
	recordSteadily(all, namespace, "away", 200, 200*time.Millisecond)
	var ending sync.WaitGroup
	errs := make([]error, len(all))
	for n := range all {
		ending.Go(func() {
			ctx, cancel := contextWithin(t, patience)
			defer cancel()
			errs[n] = all[n].end(ctx)
		})
	}
	inTime, cancel := contextWithin(t, soon)
	err := c.StartAPIServer(inTime)
	isLate := inTime.Err() != nil
	cancel()
	ending.Wait()
	switch {
	case isLate:
		t.Skipf("the server needs more than %v to begin: the machine is busy", soon)
	case err != nil:
		t.Fatal(err)
	}
	for n, p := range all {
		if errs[n] != nil {
			t.Errorf("%s: %v", p.name, errs[n])
		}
	}
	checkNothingLost(t, c, namespace, all, 205)
}
