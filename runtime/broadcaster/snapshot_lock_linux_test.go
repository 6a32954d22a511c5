package broadcaster

import (
	"context"
	"fmt"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"syscall"
	"testing"
	"time"
	"unsafe"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// hanging takes nothing, so that all that is recorded waits.
type hanging struct{}

func (hanging) Write(ctx context.Context, _ *runtime.Write) runtime.Answer {
	<-ctx.Done()
	return runtime.Answer{Outcome: runtime.Retry, Err: ctx.Err()}
}

// TestASnapshotHoldsNoLockForLong has a page made of one full shard, and measures each of its steps under the shard's lock by the processor
// time of the thread, which other programs hardly change: none takes a millisecond, and none looks at more than lookStep records, whatever
// is asked for. The best of three passes counts.
func TestASnapshotHoldsNoLockForLong(t *testing.T) {
	const identities = 10_000
	b, err := New(Options{Sink: hanging{}, Shards: 1, Correlator: correlator.Options{MaxIdentities: 2 * identities, MaxBytes: 1 << 30}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		over, cancel := context.WithCancel(context.Background())
		cancel()
		_ = b.Shutdown(over)
	})
	r := runtime.NewRecorder(b)
	for n := range identities {
		r.Forward(&corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: fmt.Sprint("pod-", n)}, runtime.Warning, "Failed", "Run", "failed")
	}
	longest := time.Hour
	for range 3 {
		longest = min(longest, longestHold(t, b, identities))
	}
	t.Logf("the longest step under a lock took %v", longest)
	if longest >= time.Millisecond {
		t.Errorf("a lock was held for %v, want less than a millisecond", longest)
	}
	if all := b.Snapshot(2 * identities); len(all.Waiting) != identities || len(all.Objects) != identities {
		t.Errorf("a snapshot of all has %d that wait, and %d objects; want %d", len(all.Waiting), len(all.Objects), identities)
	}
}

// longestHold does what a snapshot does under locks, each time under one lock, and returns the longest time.
func longestHold(t *testing.T, b *Broadcaster, identities int) (longest time.Duration) {
	t.Helper()
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	hold := func(f func()) {
		begun := threadTime(t)
		f()
		longest = max(longest, threadTime(t)-begun)
	}
	s, now := &b.shards[0], b.clock.Now()
	var tickets []ticket
	step := make([]correlator.Glance, 0, lookStep)
	for from, more := uint32(0), true; more; more = from != 0 {
		hold(func() { from, step = s.look(from, step[:0], now) })
		if len(step) > lookStep {
			t.Fatalf("%d identities under one lock, want at most %d", len(step), lookStep)
		}
		for i := range step {
			tickets = append(tickets, ticket{step[i].Identity, step[i].Generation})
		}
	}
	if len(tickets) != identities {
		t.Fatalf("%d identities were shown, want %d", len(tickets), identities)
	}
	for step := range slices.Chunk(tickets, lookStep) {
		hold(func() { s.appendRegarding(nil, step) })
	}
	hold(func() { b.Stats() })
	return longest
}

// threadTime is the processor time of the calling thread.
func threadTime(t *testing.T) time.Duration {
	t.Helper()
	const clock = 3 // CLOCK_THREAD_CPUTIME_ID, clock_gettime(2)
	var now syscall.Timespec
	if _, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&now)), 0); err != 0 {
		t.Fatal(err)
	}
	return time.Duration(now.Nano())
}
