// Command program is an operator with one controller, whose reconciler records with raw calls only.
// The one file that makes its manager is chosen by a build tag: controller-runtime's own with
// "alone", ctrlevents.Wrap with "wrap", and ctrlevents.NewManager without a tag.
//
//	program -namespace=shop   reconciles, and ends with SIGTERM
//	program -measure          prints what the process costs before it records, and with 1,000 events that no server takes
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "program:", err)
		os.Exit(1)
	}
}

func run() error {
	namespace := flag.String("namespace", "", "where the lease is, and the objects that events are about")
	measured := flag.Bool("measure", false, "print what the process costs; no server is needed")
	flag.Parse()
	ctrl.SetLogger(logr.Discard())
	if *measured {
		return measure()
	}
	return reconcileAll(*namespace)
}

// reconcileAll has the reconciler make every recording once. It ends with SIGTERM.
func reconcileAll(namespace string) error {
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.QPS = -1
	m, err := newManager(config, manager.Options{
		Metrics:        metricsserver.Options{BindAddress: "0"},
		LeaderElection: true, LeaderElectionID: "lock", LeaderElectionNamespace: namespace, LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return err
	}
	if err := setUp(m, namespace); err != nil {
		return err
	}
	return m.Start(ctrl.SetupSignalHandler())
}
