package explain_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/output/explain"
)

const stored = `{"kind": "List", "items": [
	{"reason": "Scaled", "message": "Scaled from 1 to 2", "reportingComponent": "test-controller", "count": 3, "lastTimestamp": "2026-01-01T10:00:00Z"},
	{"reason": "Scaled", "note": "Scaled from 2 to 3", "reportingController": "test-controller", "eventTime": "2026-01-01T09:00:00.000001Z",
		"series": {"count": 5, "lastObservedTime": "2026-01-01T11:00:00.000001Z"}},
	{"reason": "Up", "message": "Pod web-0 is up", "source": {"component": "test-controller"}, "metadata": {"creationTimestamp": "2026-01-01T11:30:00Z"},
		"involvedObject": {"kind": "Pod", "name": "web-0"}},
	{"reason": "Up", "message": "Pod web-1 is up", "reportingComponent": "test-controller", "lastTimestamp": "2026-01-01T08:00:00Z"},
	{"reason": "Scaled", "message": "Scaled to 3", "reportingComponent": "test-controller", "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "web-0"},
		"count": 2, "lastTimestamp": "2026-01-01T10:00:00Z"},
	{"reason": "Grown", "message": "It grew\u001b[31m", "reportingComponent": "more", "lastTimestamp": "2026-01-01T10:00:00Z"},
	{"reason": "Legacy", "message": "It is old", "reportingComponent": "test-controller", "lastTimestamp": "2026-01-01T10:00:00Z"},
	{"reason": "Pulled", "message": "Pulled", "source": {"component": "kubelet"}, "lastTimestamp": "2026-01-01T10:00:00Z"}
]}`

func summary(t testing.TB, since time.Time) *explain.Summary {
	return explain.NewSummary(entries(t), []string{"more"}, since, func(reason string) bool { return reason == "Legacy" })
}

func TestSummary(t *testing.T) {
	m := summary(t, time.Date(2026, 1, 1, 9, 30, 0, 0, time.UTC))
	if err := explain.ReadJSON(strings.NewReader(stored), func(s explain.Stored) error { m.Add(s); return nil }); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	const want = `ENTRY         AT                 EVENTS  OCCURRENCES  LAST SEEN
Failed        catalog.yaml:9:5   0       0            -
FailedCreate  catalog.yaml:10:5  0       0            -
Scaled        catalog.yaml:11:5  2       8            2026-01-01T11:00:00Z
Ended         catalog.yaml:16:5  0       0            -
Blocked       catalog.yaml:22:5  0       0            -
Up            catalog.yaml:23:5  1       1            2026-01-01T11:30:00Z
Counted       catalog.yaml:24:5  0       0            -
Hinted        catalog.yaml:25:5  0       0            -
Quoted        catalog.yaml:26:5  0       0            -

No entry knows these events:
REASON  CONTROLLER       EVENTS  OCCURRENCES  LAST SEEN             EXAMPLE
Scaled  test-controller  1       2            2026-01-01T10:00:00Z  Pod shop/web-0 "Scaled to 3", unlike catalog.yaml:11:5 Scaled
Grown   more             1       1            2026-01-01T10:00:00Z  "It grew [31m"

events read: 8; known to no entry: 2; of raw calls that calls.allow permits: 1; of other controllers: 1; older than --since: 1
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Reasons without end are capped, and all of their events are counted.
func TestSummaryOfManyReasons(t *testing.T) {
	m := summary(t, time.Time{})
	for n := range 5000 {
		m.Add(explain.Stored{Controller: "more", Reason: fmt.Sprint("Reason", n%1000), Message: "m"})
	}
	var b strings.Builder
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(b.String(), "\nReason"); lines != 100 || m.Unknown() != 5000 || !strings.Contains(b.String(), "(further ones)") {
		t.Errorf("%d reasons are listed, %d events counted:\n%s", lines, m.Unknown(), b.String())
	}
}

// The memory that a summary needs does not grow with the number of events.
func TestSummaryMemory(t *testing.T) {
	const events, early = 40_000, 10_000
	m := summary(t, time.Time{})
	var atEarly, most uint64
	n := 0
	err := explain.ReadJSON(many(events), func(s explain.Stored) error {
		m.Add(s)
		if n++; n%early == 0 {
			var stats runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&stats)
			if n == early {
				atEarly = stats.HeapAlloc
			}
			most = max(most, stats.HeapAlloc)
		}
		return nil
	})
	if err != nil || n != events {
		t.Fatal(n, err)
	}
	if most > atEarly+1<<20 {
		t.Errorf("%d KiB live after %d events, %d KiB after more", atEarly>>10, early, most>>10)
	}
	runtime.KeepAlive(m)
}

// many returns a list of events as kubectl prints it. Half of them have an entry; the reasons of
// the others are all different, with long texts.
func many(events int) io.Reader {
	r, w := io.Pipe()
	go func() {
		fmt.Fprint(w, `{"apiVersion": "v1", "items": [`)
		for n := range events {
			reason, message := "Scaled", fmt.Sprintf("Scaled from %d to %d", n, n+1)
			if n%2 == 1 {
				reason, message = fmt.Sprint("Reason", n), strings.Repeat("long ", 200)
			}
			if n > 0 {
				fmt.Fprint(w, ",")
			}
			fmt.Fprintf(w, `{"apiVersion": "v1", "kind": "Event", "metadata": {"name": "web-%d.1", "namespace": "shop", "creationTimestamp": "2026-01-01T10:00:00Z"},
				"involvedObject": {"kind": "Pod", "namespace": "shop", "name": "web-%d"}, "reason": %q, "message": %q, "type": "Normal", "count": 3,
				"reportingComponent": "test-controller", "source": {"component": "test-controller"}, "lastTimestamp": "2026-01-01T10:00:00Z"}`, n, n, reason, message)
		}
		fmt.Fprint(w, `], "kind": "List"}`)
		w.Close()
	}()
	return r
}

func BenchmarkSummary(b *testing.B) {
	for b.Loop() {
		m := summary(b, time.Time{})
		if err := explain.ReadJSON(many(1000), func(s explain.Stored) error { m.Add(s); return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
