package cluster

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func TestOutages(t *testing.T) {
	t.Parallel()
	c := newCluster(t, Options{})
	client := newClient(t, c.RESTConfig())
	kept := createNamespace(t, client)

	t.Run("stop and start keep data and address", func(t *testing.T) {
		must(t, c.StopAPIServer())
		expectUnreachable(t, client)
		must(t, c.StartAPIServer(bounded(t)))
		expectNamespace(t, client, kept)
	})
	t.Run("kill and start keep data", func(t *testing.T) {
		must(t, c.KillAPIServer())
		expectUnreachable(t, client)
		must(t, c.StartAPIServer(bounded(t)))
		expectNamespace(t, client, kept)
	})
	t.Run("a paused server answers nobody until it is resumed", func(t *testing.T) {
		must(t, c.PauseAPIServer())
		expectNoAnswer(t, client)
		must(t, c.ResumeAPIServer())
		expectNamespace(t, client, kept)
	})
	t.Run("a killed etcd keeps data", func(t *testing.T) {
		must(t, c.KillEtcd())
		expectError(t, c.KillEtcd(), errNoEtcd)
		must(t, c.StartEtcd(bounded(t)))
		expectError(t, c.StartEtcd(t.Context()), errEtcdRuns)
		must(t, c.StopAPIServer()) // it need not find etcd again in time
		must(t, c.StartAPIServer(bounded(t)))
		expectNamespace(t, client, kept)
	})
	t.Run("a paused server can be stopped", func(t *testing.T) {
		must(t, c.PauseAPIServer())
		must(t, c.StopAPIServer())
		must(t, c.StartAPIServer(bounded(t)))
	})
}

func TestStopWithAnOpenWatch(t *testing.T) {
	t.Parallel()
	c := newCluster(t, Options{})
	watch, err := newClient(t, c.RESTConfig()).CoreV1().Namespaces().Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Stop()
	server := c.apiServer
	must(t, c.StopAPIServer())
	if status := server.cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		t.Errorf("expected the API server to end after SIGTERM by itself: %v", server.cmd.ProcessState)
	}
	for range watch.ResultChan() { // ends, because the server did
	}
}

func TestControlInTheWrongState(t *testing.T) {
	t.Parallel()
	c := newCluster(t, Options{})
	expectError(t, c.StartAPIServer(t.Context()), errRunning)
	must(t, c.StopAPIServer())
	expectError(t, c.StopAPIServer(), errNotRunning)
	expectError(t, c.KillAPIServer(), errNotRunning)
	expectError(t, c.PauseAPIServer(), errNotRunning)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	expectError(t, c.StartAPIServer(cancelled), context.Canceled)
	expectError(t, c.ResumeAPIServer(), errNotRunning)
	must(t, c.Stop())
	expectError(t, c.StartAPIServer(t.Context()), errStopped)
	expectError(t, c.StopAPIServer(), errStopped)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func expectError(t *testing.T, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("expected %q, got %v", want, got)
	}
}

func expectNamespace(t *testing.T, client kubernetes.Interface, name string) {
	t.Helper()
	if _, err := client.CoreV1().Namespaces().Get(bounded(t), name, metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
}

// expectUnreachable wants a failure to connect, which is not an answer of the server.
func expectUnreachable(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	_, err := client.CoreV1().Namespaces().Get(bounded(t), "default", metav1.GetOptions{})
	if err == nil || apierrors.ReasonForError(err) != metav1.StatusReasonUnknown {
		t.Errorf("expected no connection while the API server is down, got %v", err)
	}
}

func expectNoAnswer(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := client.CoreV1().Namespaces().Get(ctx, "default", metav1.GetOptions{})
	expectError(t, err, context.DeadlineExceeded)
}
