package cluster

import (
	"errors"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"github.com/event-gen/event-gen/test/e2e/internal/servers"
)

func TestStopLeavesNothing(t *testing.T) {
	before := goleak.IgnoreCurrent()
	dir := t.TempDir()
	c, err := Start(t.Context(), Options{Dir: dir})
	must(t, err)
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
	<-c.apiServer.done
	expectMessage(t, c.PauseAPIServer(), "kube-apiserver ended by itself", "signal: killed")
	expectMessage(t, c.Stop(), "kube-apiserver ended by itself", "last lines of its log")
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
