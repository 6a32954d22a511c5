package e2e

import (
	"errors"
	"fmt"
	"net/http"
	goruntime "runtime"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/internal/plumbing/seed"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/test/e2e/cluster"
	"github.com/event-gen/event-gen/test/e2e/faults"
)

const (
	// patience bounds a write in the fault rig.
	patience = 700 * time.Millisecond
	// traffic is how long events are recorded at least.
	traffic = time.Second
	// faultBound is how long to wait for what must come: the last step of a script, a count, an
	// answer. Only what hangs takes as long.
	faultBound = time.Minute
	// heapSlack is what may be held after a scenario beyond what was before: caches, pools, buffers
	// of the test.
	heapSlack = 6 << 20
	// ownsServer is the goroutine of a server that was started again.
	ownsServer = "github.com/event-gen/event-gen/test/e2e/cluster.(*process).own"
)

// quick has schedules short enough for a test to see many writes.
func quick(o *broadcaster.Options) {
	o.WriteTimeout = patience
	o.Correlator = correlator.Options{MaxInterval: 400 * time.Millisecond}
}

// scenario is what the proxy between recorder and server does.
type scenario struct {
	name   string
	script []faults.Step
	// vain are the most tries that may fail after sixteen failures in a row; 0 is no bound.
	vain int
}

// storm is longer than the delays between tries, so that a recorder which does not hold back shows.
const storm = 1500 * time.Millisecond

// mostInStorm allows what else is in flight after eight failures in a row, and one probe after
// another. How many tries fail before depends on when the last good answers come.
const mostInStorm = 20

// proxied are scenarios after which all that was recorded has to be stored.
var proxied = []scenario{
	{name: "no fault"},
	{name: "latency", script: []faults.Step{{Fault: faults.Latency(10*time.Millisecond, 200*time.Millisecond), Requests: 150}}},
	{name: "latency beyond patience", script: []faults.Step{{Fault: faults.Latency(patience/2, 2*patience), Requests: 12}}},
	{name: "resets", script: []faults.Step{{Fault: faults.Reset(), Share: 0.3, Requests: 60}}},
	{name: "hangs", script: []faults.Step{{Fault: faults.Hang(), Requests: 10}}},
	{name: "cut requests", script: allThenSome(faults.CutRequest())},
	{name: "cut replies", script: allThenSome(faults.CutReply())},
	{name: "lost replies to creates", script: allThenSome(faults.LoseReply())},
	{name: "lost replies to updates", script: []faults.Step{{Requests: 120}, {Fault: faults.LoseReply(), Share: 0.5, Requests: 60}}},
	{name: "lost connections", script: []faults.Step{{Requests: 20}, {Fault: faults.LoseReplyAndConnection(), Share: 0.2, Requests: 60}}},
	{name: "churn", script: []faults.Step{{Fault: faults.Churn(), Requests: 100}}},
	{name: "429 storm", script: stormOf(http.StatusTooManyRequests, 0), vain: mostInStorm},
	{name: "429 storm with Retry-After", script: stormOf(http.StatusTooManyRequests, time.Second), vain: mostInStorm},
	{name: "500 storm", script: stormOf(http.StatusInternalServerError, 0), vain: mostInStorm},
	{name: "503 storm with Retry-After", script: stormOf(http.StatusServiceUnavailable, time.Second), vain: mostInStorm},
	{name: "late arrivals", script: []faults.Step{{Requests: 100}, {Fault: faults.Late(patience * 3 / 2), Requests: 8}}},
	{name: "lost replies and arrivals after the end", script: []faults.Step{{Requests: 100},
		{Fault: faults.LoseReply(), Share: 0.5, Requests: 100}, {Fault: faults.Late(time.Minute), Share: 0.5, Requests: 40}}},
}

// allThenSome plays a fault to a number of requests, and then to some of those that follow.
func allThenSome(f faults.Fault) []faults.Step {
	return []faults.Step{{Fault: f, Requests: 10}, {Fault: f, Share: 0.3, Requests: 50}}
}

// stormOf answers everything in the server's place for a while.
func stormOf(code int, retryAfter time.Duration) []faults.Step {
	return []faults.Step{{Requests: 20}, {Fault: faults.Status(code, retryAfter), For: storm}}
}

// TestFaults plays each scenario to a recorder of either group, in front of one server that is
// well.
func TestFaults(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	for _, s := range proxied {
		t.Run(s.name, func(t *testing.T) { playFaults(t, c, clients, 1, s) })
	}
	t.Run("shutdown while replies are lost", func(t *testing.T) { endWithoutReplies(t, c, clients) })
	t.Run("updates of an unknown version arrive after the end", func(t *testing.T) { playLateUpdates(t, c, clients) })
	t.Run("random", func(t *testing.T) {
		drawn := seed.Of(t)
		playFaults(t, c, clients, drawn, scenario{script: faults.Random(drawn, 15, patience)})
	})
}

// playFaults records while a scenario is played, and then looks whether all is stored and nothing
// is left behind.
func playFaults(t *testing.T, c *cluster.Cluster, clients kubernetes.Interface, seed uint64, s scenario) {
	atRest := restState(t, c)
	recordings := startRecordings(t, clients, throughProxy(c, seed, s.script))
	start := time.Now()
	until(t, recordings, func() bool { return time.Since(start) > traffic && scriptsOver(recordings) })
	endAll(t, recordings)
	for _, r := range recordings {
		r.proxy.Close()
		r.checkPlayed(t, s)
		r.checkExact(t, c)
	}
	atRest.check(t)
}

// playLateUpdates has updates of one event arrive when later ones have been acknowledged. The reply
// to the one before was lost, so that the recorder does not know which version of the event to
// expect.
func playLateUpdates(t *testing.T, c *cluster.Cluster, clients kubernetes.Interface) {
	s := scenario{script: []faults.Step{{Requests: 1}, {Fault: faults.LoseReply(), Requests: 1}, {Requests: 1},
		{Fault: faults.Late(time.Minute), Share: 0.6, Requests: 6}}}
	atRest := restState(t, c)
	recordings := newRecordings(t, clients, throughProxy(c, 1, s.script))
	for _, r := range recordings {
		r.emitters.Go(r.repeat)
	}
	until(t, recordings, func() bool { return scriptsOver(recordings) })
	endAll(t, recordings)
	for _, r := range recordings {
		r.proxy.Close() // this is when they arrive
		r.checkPlayed(t, s)
		r.checkExact(t, c)
	}
	atRest.check(t)
}

// repeat records one event again and again.
func (r *recording) repeat() {
	recorder, pod := eventrt.NewRecorder(r.b), newPod(r.namespace, "one")
	pace := time.NewTicker(10 * time.Millisecond)
	defer pace.Stop()
	for {
		r.record(recorder, pod, eventrt.Warning, "BackOff", "Back-off restarting container")
		select {
		case <-r.stop:
			return
		case <-pace.C:
		}
	}
}

// endWithoutReplies ends recording while writes are applied and nothing tells so.
func endWithoutReplies(t *testing.T, c *cluster.Cluster, clients kubernetes.Interface) {
	atRest := restState(t, c)
	recordings := startRecordings(t, clients, throughProxy(c, 1, []faults.Step{{Requests: 50}, {Fault: faults.LoseReply()}}))
	start := time.Now()
	until(t, recordings, func() bool { return time.Since(start) > traffic })
	for _, r := range recordings {
		r.endEarly(t)
		r.proxy.Close()
		r.checkBounds(t, c)
		if r.b.Stats().Lost.Unacknowledged == 0 {
			t.Errorf("%s: all was acknowledged", r.group)
		}
	}
	atRest.check(t)
}

func throughProxy(c *cluster.Cluster, seed uint64, script []faults.Step) connector {
	return func(t *testing.T) (*rest.Config, *faults.Proxy) {
		t.Helper()
		proxy, err := faults.New(c.RESTConfig(), seed)
		if err != nil {
			t.Fatal(err)
		}
		proxy.Play(script...)
		return proxy.Config(), proxy
	}
}

func scriptsOver(recordings []*recording) bool {
	for _, r := range recordings {
		if !r.proxy.Over() {
			return false
		}
	}
	return true
}

// until has events recorded until a moment comes, which it does not await for ever.
func until(t *testing.T, recordings []*recording, over func() bool) {
	t.Helper()
	ended := awaitWithin(faultBound, over)
	for _, r := range recordings {
		close(r.stop)
		r.emitters.Wait()
	}
	if !ended {
		t.Errorf("the faults were not over within %v", faultBound)
	}
}

func awaitWithin(bound time.Duration, met func() bool) bool {
	for end := time.Now().Add(bound); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if met() {
			return true
		}
	}
	return met()
}

// checkPlayed tells a scenario that did nothing, and a recorder that does not hold back.
func (r *recording) checkPlayed(t *testing.T, s scenario) {
	t.Helper()
	counts := r.proxy.Counts()
	t.Logf("%s: requests %v; %d tries in vain", r.group, counts, r.triesInVain())
	faulty := 0
	for name, n := range counts {
		if name != (faults.Fault{}).String() {
			faulty += n
		}
	}
	if len(s.script) > 0 && faulty == 0 {
		t.Errorf("%s: no fault was played", r.group)
	}
	if vain := r.triesInVain(); s.vain > 0 && vain > s.vain {
		t.Errorf("%s: %d tries in vain, expected at most %d", r.group, vain, s.vain)
	}
}

// triesInVain is how many tries failed after eight in a row; if there are no eight, all count.
func (r *recording) triesInVain() (vain int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	row, opened := 0, false
	for _, o := range r.outcomes {
		switch {
		case o != sink.Retry:
			row = 0
		case row == 7 && !opened:
			vain, opened = 0, true
		default:
			row, vain = row+1, vain+1
		}
	}
	return vain
}

// recording is a broadcaster with its own namespace, and traffic that goes on until stop is closed.
type recording struct {
	group     string
	namespace string
	b         *broadcaster.Broadcaster
	proxy     *faults.Proxy // nil where there is none
	recorded  tally
	mu        sync.Mutex
	outcomes  []sink.Outcome // of all tries, in the order in which they were answered
	stop      chan struct{}
	emitters  sync.WaitGroup
}

// startRecordings begins one recording for each group, and traffic.
func startRecordings(t *testing.T, clients kubernetes.Interface, connect connector) []*recording {
	t.Helper()
	all := newRecordings(t, clients, connect)
	for _, r := range all {
		for g := range 4 {
			r.emitters.Go(func() { r.emit(g) })
		}
		r.emitters.Go(func() { r.watchAccounts(t) })
	}
	return all
}

// connector says how to reach the server, through a proxy or not.
type connector func(*testing.T) (*rest.Config, *faults.Proxy)

// newRecordings are one for each group, in which nothing is recorded yet.
func newRecordings(t *testing.T, clients kubernetes.Interface, connect connector) []*recording {
	t.Helper()
	var all []*recording
	for group, newSink := range groups {
		config, proxy := connect(t)
		b := newBroadcaster(t, newSink(config), quick)
		r := &recording{group: group, namespace: newNamespace(t, clients), b: b, proxy: proxy,
			recorded: tally{counts: map[string]int32{}}, stop: make(chan struct{})}
		b.AttachObserver(broadcaster.Observer{Written: func(_ *sink.Write, a sink.Answer, _ time.Duration) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.outcomes = append(r.outcomes, a.Outcome)
		}})
		all = append(all, r)
	}
	return all
}

// emit records events about five objects of its own: repeats, texts that alternate, and texts that
// never come again.
func (r *recording) emit(g int) {
	recorder := eventrt.NewRecorder(r.b)
	pace := time.NewTicker(4 * time.Millisecond)
	defer pace.Stop()
	for n := 0; ; n++ {
		select {
		case <-r.stop:
			return
		case <-pace.C:
		}
		pod := newPod(r.namespace, fmt.Sprintf("pod-%d-%d", g, n%5))
		switch n % 3 {
		case 0:
			r.record(recorder, pod, eventrt.Normal, "Pulled", "Container image is present")
		case 1:
			r.record(recorder, pod, eventrt.Warning, "BackOff", fmt.Sprintf("Back-off restarting container %d", n%2))
		default:
			r.record(recorder, pod, eventrt.Normal, "Scaled", fmt.Sprintf("Scaled to %d", n))
		}
	}
}

func (r *recording) record(recorder *eventrt.Recorder, pod *corev1.Pod, eventType, reason, message string) {
	recorder.Forward(pod, eventType, reason, "Act", message)
	r.recorded.mu.Lock()
	defer r.recorded.mu.Unlock()
	r.recorded.counts[tallyKey(pod.Name, eventType, reason)]++
}

func newPod(namespace, name string) *corev1.Pod {
	return &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID("uid-of-" + name)}}
}

// watchAccounts looks at the accounts again and again while all is in motion.
func (r *recording) watchAccounts(t *testing.T) {
	for {
		checkConservation(t, r.b.Stats())
		select {
		case <-r.stop:
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func checkConservation(t *testing.T, s eventrt.Stats) {
	if s.Recorded != s.Written+s.Pending+s.Lost.Total() {
		t.Errorf("the accounts don't add up: %+v", s)
	}
}

// endAll shuts down at once, as one process would.
func endAll(t *testing.T, recordings []*recording) {
	t.Helper()
	var ending sync.WaitGroup
	for _, r := range recordings {
		ending.Go(func() { r.end(t) })
	}
	ending.Wait()
}

// end shuts down with time enough.
func (r *recording) end(t *testing.T) {
	t.Helper()
	ctx, cancel := contextWithin(t, time.Minute)
	defer cancel()
	start := time.Now()
	if err := r.b.Shutdown(ctx); err != nil {
		t.Errorf("%s: %v", r.group, err)
	}
	s := r.b.Stats()
	t.Logf("%s: %d occurrences in %d creates and %d updates, %d retries; drained in %v", r.group, s.Written, s.Creates, s.Updates, s.Retries,
		time.Since(start).Round(time.Millisecond))
}

// endEarly shuts down with too little time, and looks whether the error names what is left.
func (r *recording) endEarly(t *testing.T) {
	t.Helper()
	ctx, cancel := contextWithin(t, patience/4)
	defer cancel()
	var left *broadcaster.ShutdownError
	if err := r.b.Shutdown(ctx); !errors.As(err, &left) {
		t.Fatalf("%s: nothing was left, says %v", r.group, err)
	}
	s := r.b.Stats()
	if left.Left.Shutdown != s.Lost.Shutdown || left.Left.Unacknowledged != s.Lost.Unacknowledged {
		t.Errorf("%s: the error says %+v, the accounts say %+v", r.group, left.Left, s.Lost)
	}
	t.Logf("%s: recorded %d, written %d, unacknowledged %d, not sent %d", r.group, s.Recorded, s.Written, s.Lost.Unacknowledged, s.Lost.Shutdown)
}

// checkExact demands that every occurrence is stored.
func (r *recording) checkExact(t *testing.T, c *cluster.Cluster) {
	t.Helper()
	checkAllWritten(t, r.b.Stats())
	stored := r.checkBounds(t, c)
	for key, n := range r.recorded.counts {
		if stored[key] != n {
			t.Errorf("%s: %s: recorded %d, stored %d", r.group, key, n, stored[key])
		}
	}
}

// checkBounds demands what holds whatever has happened, and returns what is stored.
func (r *recording) checkBounds(t *testing.T, c *cluster.Cluster) map[string]int32 {
	t.Helper()
	s := r.b.Stats()
	checkConservation(t, s)
	if s.Pending != 0 || s.InFlight != 0 {
		t.Errorf("%s: not at rest: %+v", r.group, s)
	}
	counts := countStored(t, c, r.namespace)
	stored := uint64(0)
	for _, n := range counts {
		stored += uint64(n)
	}
	if stored < s.Written || stored > s.Written+s.Lost.Unacknowledged {
		t.Errorf("%s: stored %d, which is not between %d (written) and %d (and unacknowledged): %+v",
			r.group, stored, s.Written, s.Written+s.Lost.Unacknowledged, s)
	}
	t.Logf("%s: stored %d, written %d, unacknowledged %d", r.group, stored, s.Written, s.Lost.Unacknowledged)
	return counts
}

// rested is what there was before a scenario.
type rested struct {
	// to the server; client-go has one for all clients with the same certificates, while one is
	// held
	transport  http.RoundTripper
	goroutines []goleak.Option
	heap       uint64
}

func restState(t *testing.T, c *cluster.Cluster) rested {
	t.Helper()
	transport, err := rest.TransportFor(c.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	utilnet.CloseIdleConnectionsFor(transport)
	return rested{transport: transport, heap: heapInUse(), goroutines: []goleak.Option{
		goleak.IgnoreAnyFunction(ownsServer),
		goleak.IgnoreCurrent(),
	}}
}

func (r rested) check(t *testing.T) {
	t.Helper()
	utilnet.CloseIdleConnectionsFor(r.transport)
	if err := goleak.Find(r.goroutines...); err != nil {
		t.Errorf("goroutines are left: %v", err)
	}
	heap := heapInUse()
	t.Logf("heap %d KiB before, %d KiB after", r.heap>>10, heap>>10)
	if heap > r.heap+heapSlack {
		t.Errorf("the heap holds %d bytes, %d before", heap, r.heap)
	}
}

func heapInUse() uint64 {
	var m goruntime.MemStats
	goruntime.GC()
	goruntime.GC() // the first one only empties pools into their second chance
	goruntime.ReadMemStats(&m)
	return m.HeapAlloc
}
