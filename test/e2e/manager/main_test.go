package manager

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/ctrlevents"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// shared is a cluster for all tests. TestMain stops it.
var (
	shared = sync.OnceValues(func() (_ *cluster.Cluster, err error) {
		started, err = cluster.Start(context.Background(), cluster.Options{})
		return started, err
	})
	started *cluster.Cluster
	// programs is the folder of the programs that tests build. TestMain removes it.
	programs string
)

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	var err error
	if programs, err = os.MkdirTemp("", "event-gen-programs-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(programs)
	if started != nil {
		if err := started.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// server is the shared cluster, a client for looking at it, and a new namespace.
func server(t *testing.T) (config *rest.Config, clients *kubernetes.Clientset, namespace string) {
	t.Helper()
	c, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	config = c.RESTConfig()
	config.QPS = -1
	if clients, err = kubernetes.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	ns, err := clients.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "manager-"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return config, clients, ns.Name
}

// unhurried leaves a busy machine time to write all.
var unhurried = ctrlevents.Options{ShutdownTimeout: 2 * time.Minute}

// variant makes managers, and what typed events are recorded on.
type variant struct {
	name string
	make func(*rest.Config, manager.Options) (manager.Manager, error)
	on   func(manager.Manager) *eventrt.Recorder
	// election is how many events of leader election go through ctrlevents.
	election int
}

var (
	ours = variant{
		"ctrlevents",
		func(c *rest.Config, o manager.Options) (manager.Manager, error) {
			return ctrlevents.NewManager(c, o, unhurried)
		},
		func(m manager.Manager) *eventrt.Recorder { return m.(*ctrlevents.Manager).Events() },
		2,
	}
	wrapped = variant{
		"ctrlevents.Wrap",
		func(c *rest.Config, o manager.Options) (manager.Manager, error) {
			m, err := ctrl.NewManager(c, o)
			if err != nil {
				return nil, err
			}
			return ctrlevents.Wrap(m, unhurried)
		},
		ours.on, 0,
	}
	alone = variant{
		"controller-runtime alone", ctrl.NewManager,
		func(m manager.Manager) *eventrt.Recorder {
			return eventrt.FromEvents(m.GetEventRecorder("example.com/typed"))
		},
		0,
	}
)

// newManager makes a manager that opens no port, with leader election in a namespace.
func (v *variant) newManager(t *testing.T, config *rest.Config, namespace string) manager.Manager {
	t.Helper()
	m, err := v.make(config, manager.Options{
		Metrics:        metricsserver.Options{BindAddress: "0"},
		LeaderElection: true, LeaderElectionID: "lock", LeaderElectionNamespace: namespace, LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// stored are the events of a namespace as events.k8s.io shows them, whichever group they came
// through.
func stored(t *testing.T, clients kubernetes.Interface, namespace string) []eventsv1.Event {
	t.Helper()
	list, err := clients.EventsV1().Events(namespace).List(context.WithoutCancel(t.Context()), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return list.Items
}

var errStopped = errors.New("the test has stopped the manager")
