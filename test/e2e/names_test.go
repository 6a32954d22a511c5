package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/internal/plumbing/seed"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/faults"
)

// looper is a program that records the same facts again and again, until it is killed. The test
// binary runs as one if loopVariable holds its configuration.
type looper struct{ Kubeconfig, Namespace, Party string }

const loopVariable = "EVENT_GEN_E2E_LOOP"

func TestMain(m *testing.M) {
	if text := os.Getenv(loopVariable); text != "" {
		var l looper
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			panic(err)
		}
		l.run()
	}
	// client-go logs each event that it gives up; among these lines nobody finds a failure.
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// loopFacts are recorded, five about each of ten Pods.
const loopFacts = 50

// recordFacts records each fact once.
func recordFacts(p party, namespace string) {
	for n := range loopFacts {
		p.record(newPod(namespace, fmt.Sprint(p.name, "-", n%10)), "Warning", fmt.Sprint("Reason", n/10), "it failed")
	}
}

func (l looper) run() {
	config, err := clientcmd.BuildConfigFromFlags("", l.Kubeconfig)
	if err != nil {
		panic(err)
	}
	config.QPS = -1
	p := newPeer(&typedcorev1.EventSinkImpl{Interface: kubernetes.NewForConfigOrDie(config).CoreV1().Events("")})
	if l.Party != peer {
		target := kube.EventsV1(config)
		if l.Party == coreParty {
			target = kube.CoreV1(config)
		}
		b, err := broadcaster.New(broadcaster.Options{Sink: told{target}, ReportingController: "example.com/loop", ReportingInstance: "host-1"})
		if err != nil {
			panic(err)
		}
		p = pipeline(l.Party, b)
	}
	for {
		recordFacts(p, l.Namespace)
		time.Sleep(20 * time.Millisecond)
	}
}

// coreParty is the pipeline through core/v1.
const coreParty = "core"

// told is a sink that reports which occurrences of its process are sent, and which are certainly
// stored.
type told struct{ sink sink.Sink }

func (s told) Write(ctx context.Context, w *sink.Write) sink.Answer {
	own := ownCount(w.Annotations)
	if own != "" {
		fmt.Println("sent", w.Name, own)
	}
	a := s.sink.Write(ctx, w)
	if a.Outcome == sink.Done && own != "" {
		fmt.Println("stored", w.Name, own)
	}
	return a
}

func ownCount(list []eventrt.Annotation) string {
	for _, a := range list {
		if strings.HasPrefix(a.Key, sink.WriterAnnotation) {
			return a.Value
		}
	}
	return ""
}

// loopFor runs a looper, kills it after a while, and returns what it has told.
func (l looper) loopFor(t *testing.T, d time.Duration) (sent, stored map[string]int32) {
	text, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), loopVariable+"="+string(text))
	program.Stderr = os.Stderr
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	killed := time.AfterFunc(d, func() { _ = program.Process.Kill() })
	defer killed.Stop()
	sent, stored = map[string]int32{}, map[string]int32{}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) != 3 {
			continue // the last line of a process that is killed
		}
		n, err := strconv.ParseInt(f[2], 10, 32)
		if err != nil {
			t.Errorf("%q: %v", lines.Text(), err)
		}
		into := map[string]map[string]int32{"sent": sent, "stored": stored}[f[0]]
		into[f[1]] = max(into[f[1]], int32(n))
	}
	_ = program.Wait() // it was killed
	return sent, stored
}

// TestKilledAgainAndAgain kills a program twenty times and starts it again as the same host: in
// both groups, with client-go beside it.
func TestKilledAgainAndAgain(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	rng := rand.New(rand.NewPCG(seed.Of(t), 0))
	lives := make([]time.Duration, 20)
	for i := range lives {
		lives[i] = 400*time.Millisecond + time.Duration(rng.IntN(1600))*time.Millisecond
	}
	for _, name := range []string{ours, coreParty, peer} {
		t.Run(name, func(t *testing.T) {
			l := looper{Kubeconfig: c.Kubeconfig(), Namespace: newNamespace(t, clients), Party: name}
			least, most := map[string]int32{}, map[string]int32{}
			for _, life := range lives {
				sent, stored := l.loopFor(t, life)
				for event, n := range stored {
					least[event] += n
				}
				for event, n := range sent {
					most[event] += max(n, stored[event])
				}
			}
			time.Sleep(time.Second) // for requests that are still on their way
			events := listEvents(t, clients, l.Namespace)
			t.Logf("%d events of %d facts after %d kills", len(events), loopFacts, len(lives))
			if name == peer {
				return
			}
			checkBetween(t, events, len(lives), least, most)
			if len(events) != loopFacts {
				t.Errorf("%d events of %d facts", len(events), loopFacts)
			}
		})
	}
}

func listEvents(t *testing.T, clients kubernetes.Interface, namespace string) []eventsv1.Event {
	t.Helper()
	list, err := clients.EventsV1().Events(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return list.Items
}

// checkBetween compares counts with what was certainly stored, and with what was sent. Each life
// has at most one annotation in an event.
func checkBetween(t *testing.T, events []eventsv1.Event, lives int, least, most map[string]int32) {
	t.Helper()
	sum, certain, possible, exact := int32(0), int32(0), int32(0), 0
	for _, e := range events {
		n := storedCount(e)
		sum, certain, possible = sum+n, certain+least[e.Name], possible+most[e.Name]
		if n < least[e.Name] || n > most[e.Name] {
			t.Errorf("%s: count %d, expected %d to %d; %v", e.Name, n, least[e.Name], most[e.Name], e.Annotations)
		}
		if least[e.Name] == most[e.Name] {
			exact++
		}
		if keys := len(writersOf(e)); keys > lives {
			t.Errorf("%s has the annotations of %d writers, after %d lives", e.Name, keys, lives)
		}
	}
	t.Logf("counts add up to %d; %d were acknowledged, %d sent; nothing was in flight at any death of %d events", sum, certain, possible, exact)
}

func writersOf(e eventsv1.Event) (keys []string) {
	for key := range maps.Keys(e.Annotations) {
		if strings.HasPrefix(key, sink.WriterAnnotation) {
			keys = append(keys, key)
		}
	}
	return keys
}

// counted counts the calls of a sink, by operation and outcome.
type counted struct {
	sink.Sink
	mu    sync.Mutex
	calls map[string]int
}

func (s *counted) Write(ctx context.Context, w *sink.Write) sink.Answer {
	a := s.Sink.Write(ctx, w)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[[...]string{sink.Create: "create", sink.Update: "update", sink.Read: "read"}[w.Operation]+": "+a.Outcome.String()]++
	return a
}

// TestFailover: one leader follows another, on other hosts. With Controller the second goes on with
// the first one's events.
func TestFailover(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	for name, newSink := range map[string]func(*rest.Config) *kube.Sink{ours: kube.EventsV1, coreParty: kube.CoreV1} {
		for identity, want := range map[correlator.Identity]int{correlator.Controller: loopFacts, correlator.Instance: 2 * loopFacts, correlator.Unique: 2 * loopFacts} {
			t.Run(fmt.Sprint(name, " ", identity), func(t *testing.T) {
				namespace := newNamespace(t, clients)
				for leader := range 2 {
					s := &counted{Sink: newSink(c.RESTConfig()), calls: map[string]int{}}
					p := pipeline(name, newBroadcaster(t, s, func(o *broadcaster.Options) {
						o.Identity, o.ReportingController, o.ReportingInstance = identity, "example.com/leader", fmt.Sprint("leader-", leader)
					}))
					begun := time.Now()
					recordFacts(p, namespace)
					awaitWritten(t, p, loopFacts)
					t.Logf("leader %d: first writes of %d facts took %v: %v", leader, loopFacts, time.Since(begun).Round(time.Millisecond), s.calls)
					recordFacts(p, namespace)
					checkEnd(t, c, p, time.Minute)
				}
				events := listEvents(t, clients, namespace)
				sum := int32(0)
				for _, e := range events {
					sum += storedCount(e)
					if want == loopFacts && storedCount(e) != 4 {
						t.Errorf("%s: count %d", e.Name, storedCount(e))
					}
				}
				if len(events) != want || sum != 4*loopFacts {
					t.Errorf("%d events that stand for %d occurrences, expected %d for %d", len(events), sum, want, 4*loopFacts)
				}
			})
		}
	}
}

func awaitWritten(t *testing.T, p party, n uint64) {
	t.Helper()
	if !awaitWithin(faultBound, func() bool { return p.stats().Written >= n }) {
		t.Fatalf("%+v", p.stats())
	}
}

// TestProxiesThatRepeat: a proxy sends every request twice, or a tenth of them. 200 events are 200.
func TestProxiesThatRepeat(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	const n = 200
	for name, share := range map[string]float64{"every request": 1, "a tenth": 0.1} {
		t.Run(name, func(t *testing.T) {
			config, proxy := throughProxy(c, 1, []faults.Step{{Fault: faults.Twice(), Share: share}})(t)
			defer proxy.Close()
			namespace := newNamespace(t, clients)
			all := append(parties(t, config), pipeline(coreParty, newBroadcaster(t, kube.CoreV1(config))))
			for range 2 {
				for i := range n {
					each(all, namespace, fmt.Sprint(i), "Warning", "Failed", "it failed")
				}
				for _, p := range all {
					if p.stats != nil {
						awaitWritten(t, p, n)
					}
				}
			}
			awaitAll(t, c, namespace, 2*n)
			endWithin(t, all, time.Minute)
			byParty := map[string]int{}
			for _, e := range listEvents(t, clients, namespace) {
				party, _, _ := strings.Cut(e.Regarding.Name, "-")
				byParty[party]++
				if party != peer && storedCount(e) != 2 {
					t.Errorf("%s: count %d", e.Name, storedCount(e))
				}
			}
			t.Logf("of %d events each, stored: %v", n, byParty)
			for _, party := range []string{ours, dropin, coreParty} {
				if byParty[party] != n {
					t.Errorf("%s: %d events of %d", party, byParty[party], n)
				}
			}
		})
	}
}

// TestRestartWithManyLiveEvents measures the calls for the first writes of a process that finds
// 1,000 events of the one before.
func TestRestartWithManyLiveEvents(t *testing.T) {
	c := startCluster(t)
	namespace := newNamespace(t, newClientset(t, c))
	const n = 1000
	for _, identity := range []correlator.Identity{correlator.Instance, correlator.Unique} {
		for process := range 2 {
			s := &counted{Sink: kube.EventsV1(c.RESTConfig()), calls: map[string]int{}}
			p := pipeline(fmt.Sprint("many", identity), newBroadcaster(t, s, func(o *broadcaster.Options) { o.Identity, o.ReportingInstance = identity, "host-1" }))
			begun := time.Now()
			for i := range n {
				p.record(newPod(namespace, fmt.Sprint(p.name, "-", i)), "Warning", "Failed", "it failed")
			}
			awaitWritten(t, p, n)
			t.Logf("identity %d, process %d: %d first writes took %v: %v", identity, process, n, time.Since(begun).Round(time.Millisecond), s.calls)
			want := map[string]int{"create: done": n}
			if process == 1 && identity == correlator.Instance {
				want = map[string]int{"create: exists": n, "read: done": n, "update: done": n}
			}
			checkEnd(t, c, p, time.Minute)
			if !maps.Equal(s.calls, want) {
				t.Errorf("calls %v, expected %v", s.calls, want)
			}
		}
	}
	for _, keys := range storedWriters(t, newClientset(t, c), namespace) {
		if keys > 2 {
			t.Errorf("%d writers", keys)
		}
	}
}

func storedWriters(t *testing.T, clients kubernetes.Interface, namespace string) (counts []int) {
	t.Helper()
	for _, e := range listEvents(t, clients, namespace) {
		counts = append(counts, len(writersOf(e)))
	}
	slices.Sort(counts)
	return counts
}
