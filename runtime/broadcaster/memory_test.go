package broadcaster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/race"
	"github.com/event-gen/event-gen/runtime/sink"
)

func TestMemoryLimit(t *testing.T) {
	const none = math.MaxInt64
	v2, v1 := limitFiles[0], limitFiles[1]
	for _, c := range []struct {
		name       string
		gomemlimit int64
		files      map[string]string
		want, all  int64
	}{
		{"none", none, nil, none, 64 << 20},
		{"GOMEMLIMIT", 100 << 20, map[string]string{v2: "1000000000\n"}, 100 << 20, 100 << 20 / 8},
		{"a container", none, map[string]string{v2: "134217728\n"}, 128 << 20, 16 << 20},
		{"a small container", none, map[string]string{v2: "33554432\n"}, 32 << 20, 8 << 20},
		{"a container without a limit", none, map[string]string{v2: "max\n"}, none, 64 << 20},
		{"version 1", none, map[string]string{v1: "134217728\n"}, 128 << 20, 16 << 20},
		{"version 1 without a limit", none, map[string]string{v1: "9223372036854771712\n"}, 9223372036854771712, 64 << 20},
	} {
		got := memoryLimit(c.gomemlimit, func(name string) ([]byte, error) {
			if text, ok := c.files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		})
		if got != c.want || memoryFor(got) != c.all {
			t.Errorf("%s: limit %d, want %d; %d for events, want %d", c.name, got, c.want, memoryFor(got), c.all)
		}
	}
}

// TestMemoryIsShared by broadcasters that come and go; all together have no more, however many.
func TestMemoryIsShared(t *testing.T) {
	m := memory{users: map[*Broadcaster]struct{}{}, limit: func() int64 { return 128 << 20 }}
	var all []*Broadcaster
	for range 200 {
		b, err := New(Options{Sink: failing{}, Correlator: correlator.Options{MaxBytes: 1 << 30}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Shutdown(t.Context()) })
		all = append(all, b)
	}
	share := func(b *Broadcaster) int64 { return b.Snapshot().MaxBytes >> 20 }
	m.join(all[0])
	m.join(all[1])
	m.leave(all[2])
	if share(all[0]) != 8 || share(all[1]) != 8 || share(all[2]) != 1024 {
		t.Errorf("two of 16 MiB: %d, %d; another has %d", share(all[0]), share(all[1]), share(all[2]))
	}
	m.leave(all[0])
	if share(all[1]) != 16 {
		t.Errorf("the rest: %d", share(all[1]))
	}
	for _, b := range all {
		m.join(b)
	}
	var sum int64
	for _, b := range all {
		sum += b.Snapshot().MaxBytes
	}
	if sum > 16<<20 || sum < 15<<20 {
		t.Errorf("200 have %d bytes together", sum)
	}
}

type failing struct{}

func (failing) Write(context.Context, *sink.Write) sink.Answer {
	return sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeServer, Err: errors.New("away")}
}

// outageVariable makes this test binary the process in an outage, with so many distinct events.
const outageVariable = "EVENT_GEN_OUTAGE"

// TestMemoryInAnOutage holds that a process with a limit of 100 MiB stays within 128 MiB, while the
// server is away and two million distinct events are recorded.
func TestMemoryInAnOutage(t *testing.T) {
	if n, err := strconv.Atoi(os.Getenv(outageVariable)); err == nil {
		recordDistinct(t, n)
		return
	}
	if testing.Short() || race.Enabled {
		t.Skip("it takes some ten seconds; the race detector holds memory of its own")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestMemoryInAnOutage$", "-test.v")
	cmd.Env = append(os.Environ(), "GOMEMLIMIT=100MiB", outageVariable+"=2000000")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	peak := regexp.MustCompile(`peak (\d+) KiB`).FindSubmatch(out)
	if peak == nil {
		t.Skipf("no peak is known here:\n%s", out)
	}
	kib, _ := strconv.Atoi(string(peak[1]))
	t.Logf("%s", out)
	if kib > 128<<10 {
		t.Errorf("at most %d KiB were resident, 131,072 may be", kib)
	}
}

func recordDistinct(t *testing.T, n int) {
	b, err := New(Options{Sink: failing{}, ReportingController: "example.com/outage"})
	if err != nil {
		t.Fatal(err)
	}
	r := eventrt.NewRecorder(b)
	for i := range n {
		pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metav1.ObjectMeta{
			Namespace: fmt.Sprint("ns-", i%50), Name: fmt.Sprint("pod-", i), UID: types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i))}}
		r.Forward(pod, eventrt.Normal, "Started", "Start", fmt.Sprint("started for the ", i, "th time"))
	}
	s := b.Snapshot()
	t.Logf("limit %d, at most %d bytes of events; %d held in %d bytes", debug.SetMemoryLimit(-1), s.MaxBytes, s.Stats.Identities, s.Stats.Bytes)
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		if peak := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status); peak != nil {
			t.Logf("peak %s KiB", peak[1])
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = b.Shutdown(ctx)
}
