package e2e

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// TestAMissingRight records without the right to, and grants it in the end. What is recorded waits for the doubt to end and is refused
// then; the log says so, and again every ten minutes; and the right is found once it is granted.
func TestAMissingRight(t *testing.T) {
	t.Parallel() // it waits for the most part
	c := startCluster(t)
	clients := newClientset(t, c)
	namespace := newNamespace(t, clients)
	config := c.UserConfig(cluster.LimitedUser)
	all := parties(t, config)
	fast, log := startFast(t, kube.EventsV1(config))
	begun := time.Now()
	record := func(objects string, until time.Duration) {
		for time.Since(begun) < until {
			recordSteadily(all, namespace, objects+time.Since(begun).String(), 1, 100*time.Millisecond)
			fast.record(newPod(namespace, "fast"), runtime.Normal, "Started", "it started")
		}
	}
	record("doubt-", runtime.ForbiddenDoubt-2*time.Second)
	for _, p := range all[:2] {
		if s := p.stats(); s.Lost.Total() != 0 || s.Written != 0 || s.Pending == 0 {
			t.Errorf("%s refuses before the end of the doubt: %+v", p.name, s)
		}
	}
	record("refused-", runtime.ForbiddenDoubt+8*time.Second)
	for _, p := range all[:2] {
		if s := p.stats(); s.Lost.Refused < 250 || s.Written != 0 {
			t.Errorf("%s does not refuse after the doubt: %+v", p.name, s)
		}
	}
	checkSaidAgain(t, log, time.Since(begun))
	allowAll(t, clients, cluster.LimitedUser)
	granted := time.Since(begun)
	record("granted-", granted+32*time.Second)
	end := time.Since(begun)
	record("found-", end+time.Second)
	endWithin(t, append(all, fast), 30*time.Second)
	stored := storedBy(t, c, namespace, func(key string) bool { return strings.Contains(key, "-found-") })
	lost := storedBy(t, c, namespace, func(key string) bool { return strings.Contains(key, "-doubt-") })
	t.Logf("of what was recorded half a minute after the right was granted, stored: %v; of what was recorded before it: %v", stored, lost)
	for _, p := range all[:2] {
		if s := p.stats(); stored[p.name] < 8 || lost[p.name] != 0 || s.Recorded != s.Written+s.Lost.Refused {
			t.Errorf("%s: %d stored after the right was granted, %d of before: %+v", p.name, stored[p.name], lost[p.name], s)
		}
	}
}

// checkSaidAgain demands a line for each ten minutes that a right has been missing.
func checkSaidAgain(t *testing.T, log *logLines, missing time.Duration) {
	t.Helper()
	want := 1 + int((missing*fastFactor-runtime.ForbiddenDoubt)/(10*time.Minute))
	if said := log.count("Events are lost for want of a right"); said < want-1 || said > want {
		t.Errorf("said %d times within %v, expected %d: %v", said, missing*fastFactor, want, log.all())
	}
}

// fastFactor is how much faster the clock of startFast runs.
const fastFactor = 40

// startFast starts a pipeline whose clock runs faster than others, with its log.
func startFast(t *testing.T, sink runtime.Sink) (party, *logLines) {
	t.Helper()
	log := &logLines{}
	b, err := broadcaster.New(broadcaster.Options{
		Sink: sink, Clock: fastClock{runtime.SystemClock(), time.Now()}, Logger: funcr.New(log.add, funcr.Options{}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return pipeline("fast", b), log
}

// fastClock is a clock that runs fastFactor times as fast.
type fastClock struct {
	runtime.Clock
	begun time.Time
}

func (c fastClock) Now() runtime.Instant {
	now := c.Clock.Now()
	now.Mono *= fastFactor
	return runtime.Instant{Mono: now.Mono, Wall: c.begun.Add(now.Mono)}
}

func (c fastClock) NewTimer(d time.Duration) runtime.Timer {
	return fastTimer{c.Clock.NewTimer(d / fastFactor)}
}

type fastTimer struct{ runtime.Timer }

func (t fastTimer) Reset(d time.Duration) { t.Timer.Reset(d / fastFactor) }

// logLines collects log lines.
type logLines struct {
	mu    sync.Mutex
	lines []string
}

func (l *logLines) add(prefix, args string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, prefix+args)
}

func (l *logLines) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.lines...)
}

func (l *logLines) count(text string) (n int) {
	for _, line := range l.all() {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}
