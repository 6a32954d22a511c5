package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// costsVariable names the file that TestServerCosts writes. Unset: it records a hundredth of the
// occurrences, and writes no file.
const costsVariable = "EVENT_GEN_SERVER_COSTS"

const costsIntro = `# What the servers pay

Written by ` + "`make bench SERVER=1`" + `. client-go's two recorders and event-gen record the same occurrences, one after the other, on one real kube-apiserver and
etcd (test/servers). No client has a limiter of its own. The recorders and the servers share %d processors (%s/%s). Ratios are what counts.

- CPU is the processor time of the server's process, all threads.
- "written to etcd's log" is etcd_disk_wal_write_bytes_total.
- What the servers use while nobody calls is taken off both: in a second %.0f ms of kube-apiserver, %.0f ms of etcd and %.0f bytes.
- Requests are those of apiserver_request_total for events.

tools/record loses what is beyond its budgets: 25 writes about an object, and one every 5 minutes after that. "no budgets" is tools/record with
its budgets off. It writes every occurrence by itself, so it gets the next one when its queue has room; the others get them at a fixed rate.
tools/events keeps the counts of repeats to itself for up to half an hour, and loses them when it ends. A recorder that stores less is not
cheaper: compare "occurrences stored" first.
`

// workload is what all contenders record. at returns the numbers of occurrence i's pod and text.
type workload struct {
	name, about       string
	occurrences, rate int // the rate is in occurrences a second
	at                func(i int) (pod, text int)
}

const (
	stormPods    = 10
	distinctPods = 2000
)

var workloads = []workload{
	{"A storm of repeats", "10 events, again and again", 100_000, 5000, func(i int) (pod, text int) { return i % stormPods, 0 }},
	{"Distinct events", "10,000 events on 2,000 pods, each once", 10_000, 250, func(i int) (pod, text int) { return i % distinctPods, i }},
	{"A mix", "10,000 distinct events on 2,000 pods among 90,000 repeats of 10 others", 100_000, 2500, func(i int) (pod, text int) {
		if i%10 == 0 {
			return i / 10 % distinctPods, i
		}
		return distinctPods + i%stormPods, 0
	}},
}

// contender makes a recorder: a function that records a Warning, and one that ends it when all is
// written.
type contender struct {
	name string
	// all says that the recorder writes each occurrence by itself, however many there are. It gets
	// the next one when its queue has room.
	all  bool
	make func(*testing.T, *rest.Config) (record func(pod *corev1.Pod, message string, text int), end func())
}

var contenders = []contender{
	{"record", false, recordWith(record.CorrelatorOptions{})},
	{"record, no budgets", true, recordWith(record.CorrelatorOptions{
		MaxEvents: math.MaxInt32, BurstSize: math.MaxInt32, QPS: math.MaxFloat32, LRUCacheSize: 1 << 20})},
	{"events", false, func(t *testing.T, config *rest.Config) (func(*corev1.Pod, string, int), func()) {
		b := events.NewBroadcaster(&events.EventSinkImpl{Interface: kubernetes.NewForConfigOrDie(config).EventsV1()})
		ctx, cancel := context.WithCancel(t.Context())
		if err := b.StartRecordingToSinkWithContext(ctx); err != nil {
			t.Fatal(err)
		}
		r := b.NewRecorder(scheme.Scheme, "example.com/costs")
		// this package's key has the action, but not the note
		return func(pod *corev1.Pod, message string, text int) {
			r.Eventf(pod, nil, corev1.EventTypeWarning, "BackOff", fmt.Sprint("Restart-", text), "%s", message)
		}, func() { b.Shutdown(); cancel() }
	}},
	{"event-gen", false, func(t *testing.T, config *rest.Config) (func(*corev1.Pod, string, int), func()) {
		b := newBroadcaster(t, kube.Options{QPS: -1}.EventsV1(config))
		r := eventrt.NewRecorder(b).WithReportingController("example.com/costs")
		return func(pod *corev1.Pod, message string, _ int) {
			r.Forward(pod, eventrt.Warning, "BackOff", "Restart", message)
		}, func() { shutdown(t, b) }
	}},
}

func recordWith(o record.CorrelatorOptions) func(*testing.T, *rest.Config) (func(*corev1.Pod, string, int), func()) {
	return func(_ *testing.T, config *rest.Config) (func(*corev1.Pod, string, int), func()) {
		b := record.NewBroadcaster(record.WithCorrelatorOptions(o))
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: kubernetes.NewForConfigOrDie(config).CoreV1().Events("")})
		r := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "example.com/costs"})
		return func(pod *corev1.Pod, message string, _ int) {
			r.Event(pod, corev1.EventTypeWarning, "BackOff", message)
		}, b.Shutdown
	}
}

// usage is what the servers have used, in all or by a turn.
type usage struct {
	recorded, stored, events int
	took                     time.Duration
	apiServer, etcd          time.Duration // of processors
	walBytes                 float64
	creates, writes          float64 // requests
}

// costRows are the lines of a table.
var costRows = []struct {
	name, form string
	value      func(usage) any
}{
	{"occurrences stored", "%d", func(u usage) any { return u.stored }},
	{"events stored", "%d", func(u usage) any { return u.events }},
	{"requests that write", "%.0f", func(u usage) any { return u.writes }},
	{"of them creates", "%.0f", func(u usage) any { return u.creates }},
	{"kube-apiserver, CPU s", "%.2f", func(u usage) any { return u.apiServer.Seconds() }},
	{"etcd, CPU s", "%.2f", func(u usage) any { return u.etcd.Seconds() }},
	{"written to etcd's log, MB", "%.2f", func(u usage) any { return u.walBytes / 1e6 }},
	{"took, s", "%.1f", func(u usage) any { return u.took.Seconds() }},
}

// TestServerCosts has client-go's recorders and ours record the same on one real server, and prints
// what that costs the server and etcd. Ours has to store all, and to write each repeated event as
// seldom as its schedule says.
func TestServerCosts(t *testing.T) {
	file, scale, rest := os.Getenv(costsVariable), 1, 20*time.Second
	if file == "" {
		t.Parallel() // it waits for the most part
		scale, rest = 100, time.Second
	}
	c := startCluster(t)
	m := meter{c, newClientset(t, c)}
	time.Sleep(rest)
	idle := m.used(t, func() { time.Sleep(rest) })
	var page strings.Builder
	perSecond := func(u float64) float64 { return u / idle.took.Seconds() }
	fmt.Fprintf(&page, costsIntro, goruntime.NumCPU(), goruntime.GOOS, goruntime.GOARCH,
		perSecond(1e3*idle.apiServer.Seconds()), perSecond(1e3*idle.etcd.Seconds()), perSecond(idle.walBytes))
	for _, w := range workloads {
		var all []usage
		for _, who := range contenders {
			u := m.turn(t, w, who, idle, scale)
			all = append(all, u)
			stores := who.all || who.name == "event-gen"
			if stores && u.stored != u.recorded || who.name == "event-gen" && u.writes > float64(u.events+10*stormPods) {
				t.Errorf("%s, %s: %+v", w.name, who.name, u)
			}
		}
		writeCosts(&page, w, all)
	}
	t.Log(page.String())
	if file != "" {
		if err := os.WriteFile(file, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func writeCosts(w io.Writer, load workload, all []usage) {
	fmt.Fprintf(w, "\n## %s\n\n%d occurrences: %s. Of the CPU of kube-apiserver with the peer that stores all of it, event-gen takes %.4f.\n\n|",
		load.name, all[0].recorded, load.about, all[3].apiServer.Seconds()/all[1].apiServer.Seconds())
	for _, who := range contenders {
		fmt.Fprintf(w, " | %s", who.name)
	}
	fmt.Fprintf(w, " |\n| ---%s |\n", strings.Repeat(" | ---:", len(contenders)))
	for _, row := range costRows {
		fmt.Fprintf(w, "| %s", row.name)
		for _, u := range all {
			fmt.Fprintf(w, " | "+row.form, row.value(u))
		}
		fmt.Fprint(w, " |\n")
	}
}

// meter reads what the servers use. Answering for the metrics costs the API server time, so
// processor time is read last before a turn, and first after it.
type meter struct {
	c       *cluster.Cluster
	clients *kubernetes.Clientset
}

// used is what the servers use while f runs.
func (m *meter) used(t *testing.T, f func()) (u usage) {
	t.Helper()
	before := m.metrics(t)
	time.Sleep(time.Second) // what answering leaves behind
	apiServer, etcd := m.processors(t)
	begun := time.Now()
	f()
	u.took = time.Since(begun)
	apiServerThen, etcdThen := m.processors(t)
	after := m.metrics(t)
	u.apiServer, u.etcd, u.walBytes = apiServerThen-apiServer, etcdThen-etcd, after.walBytes-before.walBytes
	u.creates, u.writes = after.creates-before.creates, after.writes-before.writes
	return u
}

func (m *meter) processors(t *testing.T) (apiServer, etcd time.Duration) {
	t.Helper()
	apiServer, etcd, err := m.c.ProcessorTime()
	if err != nil {
		t.Fatal(err)
	}
	return apiServer, etcd
}

func (m *meter) metrics(t *testing.T) (u usage) {
	t.Helper()
	text, err := m.clients.CoreV1().RESTClient().Get().AbsPath("/metrics").DoRaw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Get(m.c.EtcdURL() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	for _, verb := range []string{"POST", "PATCH", "PUT"} {
		n := sumOf(t, bytes.NewReader(text), "apiserver_request_total", map[string]string{"resource": "events", "verb": verb})
		u.writes += n
		if verb == "POST" {
			u.creates = n
		}
	}
	u.walBytes = sumOf(t, response.Body, "etcd_disk_wal_write_bytes_total", nil)
	return u
}

// sumOf adds up a counter's series that have these labels.
func sumOf(t *testing.T, text io.Reader, counter string, labels map[string]string) (sum float64) {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range families[counter].GetMetric() {
		found := 0
		for _, l := range m.Label {
			if want, ok := labels[l.GetName()]; ok && want == l.GetValue() {
				found++
			}
		}
		if found == len(labels) {
			sum += m.GetCounter().GetValue() + m.GetUntyped().GetValue()
		}
	}
	return sum
}

// turn has a contender record a workload in a namespace of its own, until it has no more to write
// and is ended.
func (m *meter) turn(t *testing.T, w workload, who contender, idle usage, scale int) usage {
	t.Helper()
	namespace := newNamespace(t, m.clients)
	var sent requestCount
	record, end := who.make(t, sent.config(m.c.RESTConfig()))
	recorded := 0
	u := m.used(t, func() {
		recorded = w.play(who.all, max(w.occurrences/scale, stormPods), &sent, namespace, record)
		sent.quiet(2 * time.Second)
		end()
	})
	share := u.took.Seconds() / idle.took.Seconds()
	u.apiServer = max(0, u.apiServer-time.Duration(share*float64(idle.apiServer)))
	u.etcd = max(0, u.etcd-time.Duration(share*float64(idle.etcd)))
	u.walBytes = max(0, u.walBytes-share*idle.walBytes)
	u.recorded = recorded
	for _, e := range eventsOf(t, m.clients, namespace) {
		u.events++
		u.stored += int(storedCount(e))
	}
	return u
}

// play records n occurrences, at the workload's rate or as fast as they are written.
func (w workload) play(all bool, n int, sent *requestCount, namespace string, record func(*corev1.Pod, string, int)) int {
	const room = 200 // how many may wait in a queue, which holds a thousand
	pods := make([]*corev1.Pod, distinctPods+stormPods)
	for i := range pods {
		pods[i] = newPod(namespace, fmt.Sprintf("web-5d9c7b8f6d-%05d", i))
	}
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	begun := time.Now()
	for i := range n {
		for all && int64(i)-sent.answered.Load() > room || !all && time.Since(begun) < time.Duration(i)*time.Second/time.Duration(w.rate) {
			<-ticker.C
		}
		pod, text := w.at(i)
		record(pods[pod], fmt.Sprintf("Back-off restarting failed container web, attempt %d", text), text)
	}
	return n
}

// requestCount counts the requests of a client.
type requestCount struct {
	begun, answered, last atomic.Int64 // last: Unix nanoseconds of the last beginning or answer
}

// config is a configuration without a limiter, with its requests counted.
func (s *requestCount) config(config *rest.Config) *rest.Config {
	c := rest.CopyConfig(config)
	c.QPS = -1
	c.Wrap(func(next http.RoundTripper) http.RoundTripper { return counting{s, next} })
	return c
}

type counting struct {
	*requestCount
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (c counting) RoundTrip(r *http.Request) (*http.Response, error) {
	c.begun.Add(1)
	c.last.Store(time.Now().UnixNano())
	defer func() { c.answered.Add(1); c.last.Store(time.Now().UnixNano()) }()
	return c.next.RoundTrip(r)
}

// quiet waits until no request was under way for a while.
func (s *requestCount) quiet(d time.Duration) {
	s.last.Store(time.Now().UnixNano())
	for s.begun.Load() > s.answered.Load() || time.Since(time.Unix(0, s.last.Load())) < d {
		time.Sleep(20 * time.Millisecond)
	}
}
