package main

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCommandFindsTheCluster(t *testing.T) {
	var out bytes.Buffer
	script := `kubectl get namespace default -o name && test -f "$KUBECONFIG" && exit 7`
	code := run(t.Context(), []string{"--", "sh", "-c", script}, stdio{nil, &out, t.Output()})
	if code != 7 || out.String() != "namespace/default\n" {
		t.Errorf("expected the namespace and exit code 7, got %q and %d", out.String(), code)
	}
}

func TestKubectlItselfIsTheClusters(t *testing.T) {
	var out, errOut bytes.Buffer
	code := run(t.Context(), []string{"--print-build", "--", "kubectl", "get", "--raw=/readyz"}, stdio{nil, &out, &errOut})
	if code != 0 || out.String() != "ok" || !strings.Contains(errOut.String(), "kubectl\n") {
		t.Errorf("expected ok and the paths, got %d, %q, %q", code, out.String(), errOut.String())
	}
}

func TestInterruptReachesTheCommand(t *testing.T) {
	caught := make(chan os.Signal, 1)
	// as main does; else the command would inherit an interrupt that is ignored in background jobs
	signal.Notify(caught, os.Interrupt)
	defer signal.Stop(caught)
	ctx, cancel := context.WithCancel(t.Context())
	onReady := writerFunc(func(text []byte) (int, error) { cancel(); return len(text), nil })
	code := run(ctx, []string{"--", "sh", "-c", "echo ready; exec sleep 600"}, stdio{nil, onReady, t.Output()})
	if want := bySignal + 2; code != want {
		t.Errorf("expected %d for a command ended by an interrupt, got %d", want, code)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }

func TestCommandThatIsNotThere(t *testing.T) {
	var errOut bytes.Buffer
	if code := run(t.Context(), []string{"--", "no-such-command"}, stdio{nil, nil, &errOut}); code != notFound {
		t.Errorf("expected %d, got %d: %s", notFound, code, errOut.String())
	}
}

func TestBuildOnlyPrintsThePaths(t *testing.T) {
	var out bytes.Buffer
	if code := run(t.Context(), []string{"--build-only"}, stdio{nil, &out, t.Output()}); code != 0 {
		t.Fatalf("expected 0, got %d", code)
	}
	paths := strings.Fields(out.String())
	if len(paths) != 3 {
		t.Fatalf("expected three paths, got %q", out.String())
	}
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"--"}, {"--no-such-flag"}, {"--build-only", "--", "true"}} {
		var errOut bytes.Buffer
		if code := run(t.Context(), args, stdio{nil, nil, &errOut}); code != failed || !strings.Contains(errOut.String(), "usage:") {
			t.Errorf("%q: expected %d and the usage, got %d: %s", args, failed, code, errOut.String())
		}
	}
	if code := run(t.Context(), []string{"--help"}, stdio{nil, nil, t.Output()}); code != 0 {
		t.Errorf("--help: expected 0, got %d", code)
	}
}
