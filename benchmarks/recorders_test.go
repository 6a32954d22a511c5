package benchmarks

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	goruntime "runtime"
	"sync/atomic"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/examples/cronjobevents"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink"
)

func TestMain(m *testing.M) {
	klog.LogToStderr(false) // what client-go logs is made and thrown away
	klog.SetOutput(io.Discard)
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() != "" {
		checkLoad()
	}
	os.Exit(m.Run())
}

// busyVariable has benchmarks run on a busy machine, too.
const busyVariable = "EVENT_GEN_BUSY"

// checkLoad prints the load of the machine, and ends the process if benchmarks would measure that:
// rows in which goroutines wait for each other lose a half or more.
func checkLoad() {
	const most = 0.5 // for each processor
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return // not Linux
	}
	var load float64
	if _, err := fmt.Sscan(string(text), &load); err != nil {
		return
	}
	load /= float64(goruntime.NumCPU())
	fmt.Printf("load: %.2f a processor\n", load)
	if load > most && os.Getenv(busyVariable) == "" {
		fmt.Fprintf(os.Stderr, "benchmarks: expected a load of at most %v a processor, found %.2f; wait, or set %s=1\n", most, load, busyVariable)
		os.Exit(1)
	}
}

// recorder is one of the three that are compared.
type recorder interface {
	// Repeat records an event of constant text.
	Repeat(about *batchv1.CronJob)
	// Distinct records an event of a text of its own.
	Distinct(about *batchv1.CronJob, job string)
	// Settle waits until the background has dealt with so many calls of Distinct, or with as many
	// of Repeat as it will.
	Settle(repeats, distinct int)
	Shutdown(ctx context.Context) error
}

// options of a recorder. Unlimited switches aggregation and budgets off, and has it forget nothing.
type options struct{ unlimited bool }

// makers make the recorders, by the name that tables and chart show.
var makers = []struct {
	name string
	make func(*store, options) recorder
}{
	{"record", newRecord}, {"events", newEvents}, {"event-gen", newEventGen},
}

const (
	component    = "benchmarks"
	constantText = "Not starting job because prior execution is running and concurrency policy is Forbid"
	twoArgsText  = "Saw completed job: %s, condition: %v"
	patience     = 2 * time.Minute
)

// await polls until the background has come to rest.
func await(done func() bool) {
	for begun := time.Now(); !done(); time.Sleep(50 * time.Microsecond) {
		if time.Since(begun) > patience {
			panic("a recorder has not come to rest")
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

type eventGen struct {
	b *broadcaster.Broadcaster
	r cronjobevents.Recorder
}

func newEventGen(s *store, o options) recorder { return eventGenTo(s, o) }

func eventGenTo(target sink.Sink, o options) recorder {
	opts := broadcaster.Options{Sink: target, ReportingController: component, Host: "host"}
	if o.unlimited {
		opts.Correlator = correlator.Options{Burst: -1, MaxEvents: 1 << 24, MaxBytes: 1 << 33}
	}
	b, err := broadcaster.New(opts)
	must(err)
	return &eventGen{b: b, r: cronjobevents.NewRecorder(eventrt.NewRecorder(b))}
}

func (s *eventGen) Repeat(about *batchv1.CronJob) { s.r.JobAlreadyActive(about) }
func (s *eventGen) Distinct(about *batchv1.CronJob, job string) {
	s.r.SawCompletedJob(about, job, batchv1.JobComplete)
}
func (s *eventGen) Settle(_, distinct int) {
	await(func() bool { return s.b.Stats().Creates >= uint64(distinct) })
}
func (s *eventGen) Shutdown(ctx context.Context) error { return s.b.Shutdown(ctx) }

// coreRecord is tools/record. It counts what the correlator takes up by the function that it asks
// for an event's key.
type coreRecord struct {
	b      record.EventBroadcaster
	r      record.EventRecorder
	worked atomic.Int64
}

func newRecord(s *store, o options) recorder { return recordTo(coreSink{s}, o) }

func recordTo(target record.EventSink, o options) recorder {
	s := &coreRecord{}
	opts := record.CorrelatorOptions{KeyFunc: func(e *corev1.Event) (string, string) {
		s.worked.Add(1)
		return record.EventAggregatorByReasonFunc(e)
	}}
	if o.unlimited {
		opts.MaxEvents, opts.BurstSize, opts.QPS, opts.LRUCacheSize = math.MaxInt32, math.MaxInt32, math.MaxFloat32, 1<<20
	}
	s.b = record.NewBroadcaster(record.WithCorrelatorOptions(opts))
	s.b.StartRecordingToSink(target)
	s.r = s.b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component})
	return s
}

func (s *coreRecord) Repeat(about *batchv1.CronJob) {
	s.r.Event(about, corev1.EventTypeNormal, "JobAlreadyActive", constantText)
}
func (s *coreRecord) Distinct(about *batchv1.CronJob, job string) {
	s.r.Eventf(about, corev1.EventTypeNormal, "SawCompletedJob", twoArgsText, job, batchv1.JobComplete)
}
func (s *coreRecord) Settle(repeats, distinct int) {
	await(func() bool { return s.worked.Load() >= int64(repeats+distinct) })
}
func (s *coreRecord) Shutdown(context.Context) error {
	s.b.Shutdown()
	return nil
}

// eventsRecord is tools/events. It counts by a watcher.
type eventsRecord struct {
	b      events.EventBroadcaster
	r      events.EventRecorder
	cancel context.CancelFunc
	seen   atomic.Int64
}

func newEvents(s *store, _ options) recorder { return eventsTo(eventsSink{s}) }

func eventsTo(target events.EventSink) recorder {
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), klog.Logger{}))
	s := &eventsRecord{b: events.NewBroadcaster(target), cancel: cancel}
	must(s.b.StartRecordingToSinkWithContext(ctx))
	_, err := s.b.StartEventWatcher(func(runtime.Object) { s.seen.Add(1) })
	must(err)
	s.r = s.b.NewRecorder(scheme.Scheme, component)
	return s
}

func (s *eventsRecord) Repeat(about *batchv1.CronJob) {
	s.r.Eventf(about, nil, corev1.EventTypeNormal, "JobAlreadyActive", "JobAlreadyActive", constantText)
}

// Distinct tells events apart by their action, since the note is no part of this package's key.
func (s *eventsRecord) Distinct(about *batchv1.CronJob, job string) {
	s.r.Eventf(about, nil, corev1.EventTypeNormal, "SawCompletedJob", job, twoArgsText, job, batchv1.JobComplete)
}
func (s *eventsRecord) Settle(repeats, distinct int) {
	await(func() bool { return s.seen.Load() >= int64(repeats+distinct) })
}
func (s *eventsRecord) Shutdown(context.Context) error {
	s.cancel()
	s.b.Shutdown()
	return nil
}

// cronJob makes an object as an informer would hold it: a name of 30 bytes, a UID of 36, and no
// kind.
func cronJob(namespace string, n int) *batchv1.CronJob {
	return &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, Name: jobName(n), UID: types.UID(fmt.Sprintf("5f1c2e9a-7b3d-4c6e-9a10-%012d", n)), ResourceVersion: "123456",
	}}
}

func cronJobs(n int) []*batchv1.CronJob {
	all := make([]*batchv1.CronJob, n)
	for i := range all {
		all[i] = cronJob("benchmarks", i)
	}
	return all
}

func jobName(n int) string { return fmt.Sprintf("nightly-backup-of-shop-%07d", n) }

func jobNames(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = jobName(i)
	}
	return all
}
