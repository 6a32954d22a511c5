package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// shared starts one cluster for all tests that neither stop it nor need options of their own.
// TestMain stops it.
var (
	shared = sync.OnceValues(func() (_ *Cluster, err error) {
		started, err = Start(context.Background(), Options{Users: []string{"second"}})
		return started, err
	})
	started *Cluster
)

func TestMain(m *testing.M) {
	if os.Getenv(orphanVariable) != "" {
		holdCluster()
	}
	code := m.Run()
	if err := errors.Join(stopShared(), goleak.Find()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func stopShared() error {
	if started == nil {
		return nil
	}
	return started.Stop()
}

func sharedCluster(t *testing.T) *Cluster {
	t.Helper()
	c, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// newCluster starts a cluster for one test, in a folder that the test may look at.
func newCluster(t *testing.T, opts Options) *Cluster {
	t.Helper()
	if opts.Dir == "" {
		opts.Dir = t.TempDir()
	}
	c, err := Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// newClient returns a client whose connections end with the test.
func newClient(t *testing.T, config *rest.Config) *kubernetes.Clientset {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(httpClient.CloseIdleConnections)
	client, err := kubernetes.NewForConfigAndClient(config, httpClient)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// bounded returns a context for what a healthy server does at once. It guards against hanging.
func bounded(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// createNamespace makes a namespace of a new name, because a shared cluster keeps what earlier runs
// of a test made.
func createNamespace(t *testing.T, client kubernetes.Interface) string {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	created, err := client.CoreV1().Namespaces().Create(bounded(t), namespace, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return created.Name
}
