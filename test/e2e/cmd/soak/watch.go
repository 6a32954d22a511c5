package main

import (
	"bytes"
	"context"
	goruntime "runtime"
	"runtime/metrics"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
)

const (
	// longestWait is how soon an event of a healthy namespace is written.
	longestWait = 5 * time.Second
	// mostTries are the failed tries of a write that a trouble leaves behind. Any further try is
	// made during the grace after it.
	mostTries = 2
	// mostGoroutines are the calls that a broadcaster may have out, and its own few.
	mostGoroutines = 64 + 8
	// heapSlack is what this process may hold beside the broadcaster's state, of which heapFactor
	// is allowed: proxies, clients, buffers.
	heapSlack  = 96 << 20
	heapFactor = 3
	// heapOfKey is what the soak itself keeps of a key or an event.
	heapOfKey = 600
)

// sample is the state at one moment.
type sample struct {
	at         time.Duration
	stats      eventrt.Stats
	goroutines int
	heap       int64
	wait       time.Duration // the longest of healthy namespaces since the sample before
	operator   account
	memory     memory
}

// checks count what was compared, and keep the largest value of each.
type checks struct {
	mu    sync.Mutex
	order []string
	n     map[string]int
	most  map[string]float64
}

func (c *checks) add(name string, value float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n, c.most = map[string]int{}, map[string]float64{}
	}
	if c.n[name] == 0 {
		c.order = append(c.order, name)
	}
	c.n[name]++
	c.most[name] = max(c.most[name], value)
}

// watch looks once a second, until ctx ends.
func (s *soak) watch(ctx context.Context) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.look()
		}
	}
}

// slowCall is how long a call past the proxies takes if the server and the machine are well.
const slowCall = 500 * time.Millisecond

// control writes an event of its own once a second, past the proxies and without a recorder. While
// that is slow, no namespace is healthy: the server or the machine is not.
func (s *soak) control(ctx context.Context) {
	for ctx.Err() == nil {
		took := s.troubles.direct(func() error {
			within, cancel := context.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			_, err := s.clients.CoreV1().Events(metav1.NamespaceDefault).Create(within, &corev1.Event{
				ObjectMeta: metav1.ObjectMeta{GenerateName: "control-"}, InvolvedObject: corev1.ObjectReference{Namespace: metav1.NamespaceDefault, Name: "control"},
			}, metav1.CreateOptions{})
			return err
		})
		s.checks.add("a direct call, s", took.Seconds())
		wait(ctx, time.Second-took)
	}
}

func (s *soak) look() {
	p := sample{at: time.Since(s.began), stats: s.checkAccount(), goroutines: goroutines(), wait: s.checkWaits()}
	s.checkTries()
	s.checks.add("goroutines of the broadcaster", float64(p.goroutines))
	if p.goroutines > mostGoroutines {
		s.findings.add(s.since(), "goroutines", "the broadcaster has %d", p.goroutines)
	}
	p.heap = s.checkHeap(&p.stats)
	s.operator.look()
	s.operator.mu.Lock()
	p.operator, p.memory = s.operator.seen, s.operator.memory
	s.operator.mu.Unlock()
	s.samples = append(s.samples, p)
}

// checkAccount compares the account with itself, and with what was recorded by the recording side.
// One goroutine records, so that at most one occurrence is on its way.
func (s *soak) checkAccount() eventrt.Stats {
	_, least := s.plain.recordedNow()
	is := s.plain.stats()
	_, most := s.plain.recordedNow()
	s.checks.add("the account", float64(is.Pending))
	if is.Recorded != is.Written+is.Pending+is.Lost.Total() {
		s.findings.add(s.since(), "account", "recorded is not written + pending + lost: %+v", is)
	}
	if is.Recorded+1 < uint64(least) || is.Recorded > uint64(most) {
		s.findings.add(s.since(), "account", "recorded is %d, and was %d to %d", is.Recorded, least, most)
	}
	return is
}

// goroutines counts those of the broadcaster and of what it calls.
func goroutines() (n int) {
	var b bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&b, 2) // to memory
	for stack := range strings.SplitSeq(b.String(), "\n\n") {
		if strings.Contains(stack, "event-gen/runtime/broadcaster.") && !strings.Contains(stack, "main.(*soak)") {
			n++
		}
	}
	return n
}

func (s *soak) checkHeap(is *eventrt.Stats) int64 {
	read := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(read)
	heap := int64(read[0].Value.Uint64())
	s.plain.mu.Lock()
	kept := int64(len(s.plain.recorded)+len(s.plain.acked)+len(s.plain.counts)) * heapOfKey
	s.plain.mu.Unlock()
	s.checks.add("heap, MB", float64(heap)/1e6)
	if bound := heapSlack + heapFactor*is.Bytes + kept; heap > bound {
		goruntime.GC()
		s.findings.add(s.since(), "heap", "%d MB live, expected at most %d MB for a state of %d MB", heap>>20, bound>>20, is.Bytes>>20)
	}
	return heap
}

// checkWaits judges the canaries of namespaces that were healthy for their whole way.
func (s *soak) checkWaits() (longest time.Duration) {
	now := time.Now()
	for name, c := range s.waiting() {
		until := c.done
		if until.IsZero() {
			until = now
		}
		waited := until.Sub(c.at)
		if whose := s.troubles.concerning(c.namespace, c.at, until); whose != "" {
			if !c.done.IsZero() {
				s.checks.add("waits in a trouble of "+whose+", not judged, s", waited.Seconds())
			}
			continue
		}
		longest = max(longest, waited)
		s.checks.add("the wait of healthy namespaces, s", waited.Seconds())
		if waited > longestWait {
			s.findings.add(s.since(), "wait", "%s waited for %v, and its namespace was healthy; %s", name, waited.Round(time.Second/10), s.plain.describe(name))
			s.plain.forget(name)
		}
	}
	return longest
}

// checkTries holds that no write fails again and again in a healthy namespace. Events that have
// stepped aside are left out: their tries are up to a minute apart.
func (s *soak) checkTries() {
	now := time.Now()
	for _, w := range s.plain.waiting() {
		if w.InFlight || w.Failing || !s.troubles.healthy(w.Regarding.Namespace, now.Add(-longestWait), now) {
			continue
		}
		s.checks.add("failed tries of a pending event of a healthy namespace", float64(w.Attempts))
		if w.Attempts > mostTries {
			s.findings.add(s.since(), "tries", "%s of %s/%s (%s) has failed %d times and waits for %v, and its namespace is healthy",
				w.Name, w.Regarding.Namespace, w.Regarding.Name, w.Definition.Reason, w.Attempts, w.Waited.Round(time.Second))
		}
	}
}

// waiting are the canaries that were not judged yet; those on the server are forgotten.
func (s *soak) waiting() map[string]canary {
	s.plain.mu.Lock()
	defer s.plain.mu.Unlock()
	found := map[string]canary{}
	for name, c := range s.plain.canaries {
		found[name] = *c
		if !c.done.IsZero() {
			delete(s.plain.canaries, name)
		}
	}
	return found
}

func (p *plain) forget(canary string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.canaries, canary)
}

// sortedKeys are in the order in which reports list them.
func sortedKeys(m map[string]int) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
