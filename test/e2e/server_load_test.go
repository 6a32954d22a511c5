package e2e

import (
	"os"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

const (
	// loadVariable names how long TestRepeatsWatched records, such as 100s.
	loadVariable = "EVENT_GEN_LOAD"
	defaultLoad  = 20 * time.Second
	// loadRate is in events a second, recorded in one piece each loadTick.
	loadRate = 10_000
	loadTick = time.Millisecond
	// watchSlack is what a write and its way to the watcher may take beyond the schedule, on a machine with other work.
	watchSlack = 500 * time.Millisecond
)

// TestRepeatsWatched records one event 10,000 times a second, with the default options, while a client watches it.
func TestRepeatsWatched(t *testing.T) {
	load := loadTime(t)
	c := startCluster(t)
	clients := newClientset(t, c)
	namespace := newNamespace(t, clients)
	b := newBroadcaster(t, kube.Auto(c.RESTConfig()))
	seen := watchEvents(t, clients, namespace)
	recorded := recordRepeats(b, newPod(namespace, "busy"), load)
	shutdown(t, b)
	stats := b.Stats()
	checkAllWritten(t, stats)
	total := recorded.count()
	awaitWithin(10*time.Second, func() bool { return seen.last() == total })
	seen.stop()
	checkStored(t, c, namespace, map[string]int32{tallyKey("busy", runtime.Warning, "BackOff"): total})
	checkWrites(t, stats, load)
	seen.checkStaleness(t, recorded)
	t.Logf("%d occurrences in %v: %d writes, %d seen by the watcher", total, load, stats.Creates+stats.Updates, len(seen.counts))
}

func loadTime(t *testing.T) time.Duration {
	t.Helper()
	asked := os.Getenv(loadVariable)
	if asked == "" {
		return defaultLoad
	}
	d, err := time.ParseDuration(asked)
	if err != nil {
		t.Fatalf("%s: %v", loadVariable, err)
	}
	return d
}

// timeline says when occurrences were recorded.
type timeline struct{ pieces []piece }

// piece is occurrences that were recorded at once: up is how many there were after it.
type piece struct {
	at time.Time
	up int32
}

func (l *timeline) count() int32 { return l.pieces[len(l.pieces)-1].up }

// when is when the n-th occurrence was recorded, a little early.
func (l *timeline) when(n int32) time.Time {
	for _, p := range l.pieces {
		if p.up >= n {
			return p.at
		}
	}
	return time.Time{}
}

// recordRepeats records at loadRate, and catches up where the machine was busy.
func recordRepeats(b *broadcaster.Broadcaster, pod *corev1.Pod, load time.Duration) *timeline {
	recorder := runtime.NewRecorder(b)
	ticker := time.NewTicker(loadTick)
	defer ticker.Stop()
	var l timeline
	up, start := int32(0), time.Now()
	for now := start; now.Sub(start) < load; now = <-ticker.C {
		begin := time.Now()
		for want := int32(now.Sub(start).Seconds()*loadRate) + 1; up < want; up++ {
			recorder.Forward(pod, runtime.Warning, "BackOff", "Restart", "Back-off restarting failed container")
		}
		l.pieces = append(l.pieces, piece{begin, up})
	}
	return &l
}

// sightings are what a watcher saw when.
type sightings struct {
	mu     sync.Mutex
	counts []int32
	times  []time.Time
	watch  watch.Interface
	done   sync.WaitGroup
}

func watchEvents(t *testing.T, clients kubernetes.Interface, namespace string) *sightings {
	t.Helper()
	w, err := clients.EventsV1().Events(namespace).Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := &sightings{watch: w}
	s.done.Go(s.run)
	return s
}

func (s *sightings) run() {
	for change := range s.watch.ResultChan() {
		if e, ok := change.Object.(*eventsv1.Event); ok {
			s.mu.Lock()
			s.counts, s.times = append(s.counts, storedCount(*e)), append(s.times, time.Now())
			s.mu.Unlock()
		}
	}
}

func (s *sightings) last() int32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.counts) == 0 {
		return 0
	}
	return s.counts[len(s.counts)-1]
}

func (s *sightings) stop() {
	s.watch.Stop()
	s.done.Wait()
}

// checkStaleness compares how old the oldest occurrence was that the watcher did not know of, just before each change that it saw,
// with the schedule's interval of then.
func (s *sightings) checkStaleness(t *testing.T, recorded *timeline) {
	t.Helper()
	known, interval, worst := int32(0), time.Duration(0), time.Duration(0)
	for i, count := range s.counts {
		stale := s.times[i].Sub(recorded.when(known + 1))
		worst = max(worst, stale-interval)
		t.Logf("count %d seen %v after the first that was not known, schedule %v", count, stale.Round(time.Millisecond), interval)
		if stale > interval+watchSlack {
			t.Errorf("the watcher was %v behind where the schedule says %v", stale, interval)
		}
		known, interval = count, max(time.Second, 2*interval)
	}
	t.Logf("at most %v staler than the schedule's interval", worst.Round(time.Millisecond))
}

// checkWrites allows the writes of the schedule, at 0 s, 1 s, 3 s, 7 s … up to 5 min apart, one at the end, and no other.
func checkWrites(t *testing.T, s runtime.Stats, load time.Duration) {
	t.Helper()
	allowed := uint64(2) // at 0 s and at the end
	for at, interval := time.Second, time.Second; at < load; at += interval {
		allowed++
		interval = min(2*interval, 5*time.Minute)
	}
	if writes := s.Creates + s.Updates; writes > allowed || s.Retries > 0 {
		t.Errorf("%d writes and %d retries in %v, the schedule allows %d", writes, s.Retries, load, allowed)
	}
}

// checkStored demands these counts of {object, type, reason} in a namespace, and no others.
func checkStored(t *testing.T, c *cluster.Cluster, namespace string, want map[string]int32) {
	t.Helper()
	stored := countStored(t, c, namespace)
	for key, n := range want {
		if stored[key] != n {
			t.Errorf("%s: recorded %d, stored %d", key, n, stored[key])
		}
		delete(stored, key)
	}
	for key, n := range stored {
		t.Errorf("%s: stored %d, never recorded", key, n)
	}
}
