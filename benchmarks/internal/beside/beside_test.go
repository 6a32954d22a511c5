package beside_test

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/event-gen/event-gen/benchmarks/internal/beside"
)

func TestMain(m *testing.M) {
	beside.Main(os.Args[1:])
	os.Exit(m.Run())
}

// TestStart sees the second process use a processor, and end with stop.
func TestStart(t *testing.T) {
	before := childrenCPU(t)
	stop, err := beside.Start()
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	stop() // and waits for it, or its time would not count here
	if used := childrenCPU(t) - before; used < 30*time.Millisecond {
		t.Errorf("the second process has used %v of a processor", used)
	}
}

// childrenCPU is the processor time of processes that have ended and were waited for.
func childrenCPU(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
