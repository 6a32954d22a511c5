package cluster

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

func TestServersEndWithTheProcessThatStartedThem(t *testing.T) {
	t.Parallel()
	holder := exec.Command(os.Args[0])
	holder.Env = append(os.Environ(), orphanVariable+"="+t.TempDir())
	out, err := holder.StdoutPipe()
	must(t, err)
	must(t, holder.Start())
	line, readErr := bufio.NewReader(out).ReadString('\n')
	must(t, holder.Process.Kill())
	_ = holder.Wait() // killed, as wanted
	must(t, readErr)
	for field := range strings.FieldsSeq(line) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatalf("expected process ids, got %q", line)
		}
		awaitGone(t, pid)
	}
}

// isAlive tells a running process from one that is gone, or dead and not reaped yet.
func isAlive(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return false
	}
	afterName := string(stat[strings.LastIndexByte(string(stat), ')')+1:])
	return !strings.HasPrefix(strings.TrimSpace(afterName), "Z")
}

// awaitGone waits until a process that is no child of this one has ended, reaped or not.
func awaitGone(t *testing.T, pid int) {
	t.Helper()
	err := wait.PollUntilContextCancel(bounded(t), 20*time.Millisecond, true, func(context.Context) (bool, error) {
		return !isAlive(pid), nil
	})
	if err != nil {
		t.Errorf("process %d: expected it to end with the process that started it: %v", pid, err)
	}
}
