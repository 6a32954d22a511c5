// Command operator creates the copies that widgets ask for. It is a kubebuilder program except for
// one line, which creates the manager.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/event-gen/event-gen/examples/operator/api/v1alpha1"
	"github.com/event-gen/event-gen/examples/operator/internal/controller"
	"github.com/event-gen/event-gen/examples/operator/internal/events/widgetevents"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/ctrlevents"
	"github.com/event-gen/event-gen/runtime/eventfilter"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "operator:", err)
		os.Exit(1)
	}
}

func run() error {
	var metrics, probes, namespace string
	var lease time.Duration
	var page bool
	var filter eventfilter.Filter
	var filterFile string
	flag.StringVar(&metrics, "metrics-bind-address", "0", "the address that serves metrics; 0: none")
	flag.StringVar(&probes, "health-probe-bind-address", "0", "the address that serves /readyz, which is ready once events can be stored; 0: none")
	flag.BoolVar(&page, "debug-events", false, "also serve /debug/events on the address for metrics, without authorization")
	flag.StringVar(&namespace, "leader-election-namespace", "", "the namespace of the lease; empty: the Pod's own")
	flag.DurationVar(&lease, "lease-duration", 15*time.Second, "how long other replicas wait for the lease of a leader that is gone")
	flag.Var(&filter, "event-filter", "the filter of events, such as \"drop reason=CopyCreated; every=5m reason=CopyFailed\"")
	flag.StringVar(&filterFile, "event-filter-file", "", "a file with such a filter, for example of a mounted ConfigMap; its changes take effect")
	flag.Parse()
	ctrl.SetLogger(zap.New())

	scheme := k8sruntime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return err
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	renew, retry := lease*2/3, lease/8
	m, err := ctrlevents.NewManager(config, manager.Options{ // was ctrl.NewManager
		Scheme:                 scheme,
		HealthProbeBindAddress: probes,
		Metrics:                metricsserver.Options{BindAddress: metrics},
		LeaderElection:         true, LeaderElectionID: "widget-operator", LeaderElectionNamespace: namespace, LeaderElectionReleaseOnCancel: true,
		LeaseDuration: &lease, RenewDeadline: &renew, RetryPeriod: &retry,
	}, ctrlevents.Options{DebugUnauthenticated: page, ReadyCheck: true, Broadcaster: broadcaster.Options{Filter: &filter}})
	if err != nil {
		return err
	}
	ctx := ctrl.SetupSignalHandler()
	if filterFile != "" {
		if err := filter.Watch(ctx, filterFile, m.GetLogger()); err != nil {
			return err
		}
	}
	r := controller.Reconciler{Client: m.GetClient(), Events: widgetevents.For(m)}
	if err := r.SetupWithManager(m); err != nil {
		return err
	}
	return m.Start(ctx)
}
