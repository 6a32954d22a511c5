package cluster

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/event-gen/event-gen/test/e2e/internal/servers"
)

func TestStopLeavesNothing(t *testing.T) {
	before := goleak.IgnoreCurrent()
	dir := t.TempDir()
	c := newCluster(t, Options{Dir: dir})
	pids := []int{c.apiServer.pid(), c.etcd.pid()}
	must(t, c.Stop())
	for _, pid := range pids {
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d: expected it to be reaped, got %v", pid, err)
		}
	}
	expectEmpty(t, dir)
	if err := goleak.Find(before); err != nil {
		t.Error(err)
	}
	must(t, c.Stop())
}

func TestStopReportsAServerThatEndedByItself(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, err := Start(t.Context(), Options{Dir: dir})
	must(t, err)
	must(t, syscall.Kill(c.apiServer.pid(), syscall.SIGKILL))
	awaitExit(t, c.apiServer)
	expectMessage(t, c.PauseAPIServer(), "kube-apiserver ended by itself", "signal: killed")
	expectMessage(t, c.Stop(), "kube-apiserver ended by itself", "last lines of its log")
	expectEmpty(t, dir)
}

func TestAServerThatEndedByItselfCanBeStartedAgain(t *testing.T) {
	t.Parallel()
	c := newCluster(t, Options{})
	must(t, syscall.Kill(c.apiServer.pid(), syscall.SIGKILL))
	awaitExit(t, c.apiServer)
	expectMessage(t, c.KillAPIServer(), "kube-apiserver ended by itself")
	must(t, c.StartAPIServer(bounded(t)))
}

func TestStartFailureCarriesTheLog(t *testing.T) {
	dir := t.TempDir()
	_, err := Start(t.Context(), Options{Dir: dir, ExtraAPIServerArgs: []string{"--no-such-flag"}})
	expectMessage(t, err, "kube-apiserver ended before it was ready", "unknown flag: --no-such-flag")
	expectEmpty(t, dir)
}

func TestStartEndsWithItsContext(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	_, err := Start(ctx, Options{Dir: dir, Log: t.Output()})
	expectError(t, err, context.DeadlineExceeded)
	expectEmpty(t, dir)
}

func TestTakenPortsAreNoticed(t *testing.T) {
	t.Parallel()
	paths, err := servers.Find(t.Context(), t.Output())
	must(t, err)
	for name, take := range map[string]func(ports) int{
		"etcd":       func(p ports) int { return p.etcd },
		"etcd peers": func(p ports) int { return p.etcdPeer },
		"API server": func(p ports) int { return p.apiServer },
	} {
		t.Run(name, func(t *testing.T) {
			on, err := freePorts()
			must(t, err)
			listener, err := net.Listen("tcp", loopback(take(on)))
			must(t, err)
			defer listener.Close()
			dir := t.TempDir()
			if _, err := startOn(bounded(t), on, paths, Options{Dir: dir}); !isPortTaken(err) {
				t.Errorf("expected the error to be recognized as a taken port, got %v", err)
			}
			expectEmpty(t, dir)
		})
	}
}

func TestLogTail(t *testing.T) {
	got := sharedCluster(t).LogTail(3)
	if !strings.HasPrefix(got, "kube-apiserver:\n") || !strings.Contains(got, "\netcd:\n{") || strings.Count(got, "\n") != 7 {
		t.Errorf("expected three lines of each server, got:\n%s", got)
	}
}

func awaitExit(t *testing.T, p *process) {
	t.Helper()
	select {
	case <-p.done:
	case <-bounded(t).Done():
		t.Fatalf("%s did not end", p.name)
	}
}

func expectMessage(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("expected an error with %q, got %v", part, err)
		}
	}
}

func expectEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("expected nothing left in %s, got %v, %v", dir, entries, err)
	}
}
