package metrics_test

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/eventfilter"
	"github.com/event-gen/event-gen/runtime/metrics"
	"github.com/event-gen/event-gen/runtime/sink"
)

var (
	started = &eventrt.Definition{Name: "Started", Reason: "Started", Action: "Start", Type: eventrt.Normal,
		Subject: eventrt.Subject{ReportingController: "example.com/widgets"}, Message: []eventrt.Segment{{Text: "started"}}}
	startedLate = &eventrt.Definition{Name: "StartedLate", Reason: "Started", Action: "Start", Type: eventrt.Normal,
		Subject: eventrt.Subject{ReportingController: "example.com/widgets"}, Message: []eventrt.Segment{{Text: "started late"}}}
	failed = &eventrt.Definition{Name: "Failed", Reason: "Failed", Action: "Start", Type: eventrt.Warning,
		Message: []eventrt.Segment{{Text: "failed"}}}
	unlisted = &eventrt.Definition{Name: "Unlisted", Reason: "Unlisted", Action: "Start", Type: eventrt.Warning,
		Message: []eventrt.Segment{{Text: "unlisted"}}}
)

func about(name string) *corev1.ObjectReference {
	return &corev1.ObjectReference{APIVersion: "example.com/v1", Kind: "Widget", Namespace: "prod", Name: name}
}

func event(def *eventrt.Definition, name string) eventrt.Event {
	return eventrt.NewEvent(def, eventrt.ReferenceOf(about(name)), eventrt.ObjectRef{})
}

// sink takes a given time for each write and answers objects named refused and quiet so.
type target struct{ delay time.Duration }

func (s target) Write(_ context.Context, w *sink.Write) sink.Answer {
	if s.delay > 0 {
		time.Sleep(s.delay) // in a bubble of testing/synctest
	}
	switch w.Regarding.Name {
	case "refused":
		return sink.Answer{Outcome: sink.Refused}
	case "quiet":
		return sink.Answer{Outcome: sink.RefusedQuietly}
	}
	return sink.Answer{Outcome: sink.Done}
}

func start(t *testing.T, opts broadcaster.Options) *broadcaster.Broadcaster {
	t.Helper()
	opts.Logger = funcr.New(func(string, string) {}, funcr.Options{})
	b, err := broadcaster.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func collect(t *testing.T, b metrics.Source, opts metrics.Options) *metrics.Collector {
	t.Helper()
	c, err := metrics.New(b, opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func compare(t *testing.T, c prometheus.Collector, want string, names ...string) {
	t.Helper()
	if err := testutil.CollectAndCompare(c, strings.NewReader(want), names...); err != nil {
		t.Error(err)
	}
}

func TestTheAccountingIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, broadcaster.Options{Sink: target{delay: 20 * time.Millisecond}})
		c := collect(t, b, metrics.Options{Definitions: []*eventrt.Definition{started}})
		defer c.Close()
		b.Publish(event(started, "web"))
		time.Sleep(100 * time.Millisecond) // created; the others wait for the update
		b.Publish(event(started, "web"))
		b.Publish(event(started, "web"))
		b.Publish(event(started, "refused"))
		b.Publish(eventrt.Event{})
		b.SetEnabled(false)
		b.Publish(event(started, "web"))
		time.Sleep(time.Minute)
		compare(t, c, `
# HELP event_gen_events_lost_total Occurrences that will never be written, by cause.
# TYPE event_gen_events_lost_total counter
event_gen_events_lost_total{cause="disabled"} 1
event_gen_events_lost_total{cause="limited"} 0
event_gen_events_lost_total{cause="refused"} 1
event_gen_events_lost_total{cause="rejected"} 1
event_gen_events_lost_total{cause="evicted"} 0
event_gen_events_lost_total{cause="shutdown"} 0
event_gen_events_lost_total{cause="unacknowledged"} 0
# HELP event_gen_events_pending Occurrences that wait to be written, or are being written.
# TYPE event_gen_events_pending gauge
event_gen_events_pending 0
# HELP event_gen_events_recorded_total Occurrences recorded, those that were lost at once included.
# TYPE event_gen_events_recorded_total counter
event_gen_events_recorded_total 6
# HELP event_gen_events_written_total Occurrences that the sink acknowledged.
# TYPE event_gen_events_written_total counter
event_gen_events_written_total 3
# HELP event_gen_write_duration_seconds Time from handing a write to the sink until its answer, by operation and outcome.
# TYPE event_gen_write_duration_seconds histogram
`+after20ms("create", "done")+after20ms("create", "refused")+after20ms("update", "done")+`# HELP event_gen_write_failures_total Writes that the sink refused.
# TYPE event_gen_write_failures_total counter
event_gen_write_failures_total 1
# HELP event_gen_writes_in_flight Writes without an answer yet.
# TYPE event_gen_writes_in_flight gauge
event_gen_writes_in_flight 0
# HELP event_gen_writes_total Writes that the sink acknowledged, by operation.
# TYPE event_gen_writes_total counter
event_gen_writes_total{operation="create"} 1
event_gen_writes_total{operation="update"} 1
`, "event_gen_events_lost_total", "event_gen_events_pending", "event_gen_events_recorded_total", "event_gen_events_written_total",
			"event_gen_write_duration_seconds", "event_gen_write_failures_total", "event_gen_writes_in_flight", "event_gen_writes_total")
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// after20ms is the histogram of one write.
func after20ms(operation, outcome string) string {
	var b strings.Builder
	labels := fmt.Sprintf("operation=%q,outcome=%q", operation, outcome)
	for _, le := range strings.Fields("0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf") {
		n := 1
		if strings.HasPrefix(le, "0.00") || le == "0.01" {
			n = 0
		}
		fmt.Fprintf(&b, "event_gen_write_duration_seconds_bucket{%s,le=%q} %d\n", labels, le, n)
	}
	fmt.Fprintf(&b, "event_gen_write_duration_seconds_sum{%s} 0.02\nevent_gen_write_duration_seconds_count{%s} 1\n", labels, labels)
	return b.String()
}

// TestCallsInFlightAreShown: how many, and the age of the oldest.
func TestCallsInFlightAreShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, broadcaster.Options{Sink: target{delay: 3 * time.Second}})
		c := collect(t, b, metrics.Options{})
		defer c.Close()
		b.Publish(event(failed, "a"))
		time.Sleep(time.Second)
		b.Publish(event(failed, "b"))
		time.Sleep(1500 * time.Millisecond)
		compare(t, c, `
# HELP event_gen_oldest_write_in_flight_seconds How long the oldest write in flight has had no answer.
# TYPE event_gen_oldest_write_in_flight_seconds gauge
event_gen_oldest_write_in_flight_seconds 2.5
# HELP event_gen_writes_in_flight Writes without an answer yet.
# TYPE event_gen_writes_in_flight gauge
event_gen_writes_in_flight 2
`, "event_gen_oldest_write_in_flight_seconds", "event_gen_writes_in_flight")
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestReasonsAreBoundedByTheCatalog(t *testing.T) {
	b := start(t, broadcaster.Options{Sink: target{}})
	c := collect(t, b, metrics.Options{Definitions: []*eventrt.Definition{started, startedLate, failed}})
	recorder := eventrt.NewRecorder(b)
	recorder.Emit(event(started, "a"))
	recorder.Emit(event(startedLate, "a"))
	recorder.Emit(event(failed, "a"))
	recorder.Emit(event(unlisted, "a"))
	for _, reason := range []string{"Started", "Invented", "\xff", "{reason=\"x\"}"} {
		recorder.Forward(about("a"), eventrt.Normal, reason, "", "text")
	}
	recorder.Emit(eventrt.Event{}) // rejected
	b.SetEnabled(false)
	recorder.Emit(event(failed, "a"))
	b.SetEnabled(true)
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := `
# HELP event_gen_events_accepted_total Occurrences recorded and neither rejected nor disabled, by what the catalog says; forwarded reasons are other.
# TYPE event_gen_events_accepted_total counter
event_gen_events_accepted_total{controller="",reason="Failed",type="Warning"} 1
event_gen_events_accepted_total{controller="",reason="other",type="Normal"} 4
event_gen_events_accepted_total{controller="",reason="other",type="Warning"} 1
event_gen_events_accepted_total{controller="example.com/widgets",reason="Started",type="Normal"} 2
`
	compare(t, c, want, "event_gen_events_accepted_total")
	c.Close()
	compare(t, c, want, "event_gen_events_accepted_total")
}

func TestNothingIsCountedAfterClose(t *testing.T) {
	b := start(t, broadcaster.Options{Sink: target{}})
	c := collect(t, b, metrics.Options{})
	c.Close()
	c.Close()
	b.Publish(event(failed, "a"))
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := testutil.CollectAndCount(c, "event_gen_write_duration_seconds"); got != 0 {
		t.Errorf("%d series of latency", got)
	}
}

func TestSubscribersAreShownByName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := start(t, broadcaster.Options{Sink: target{}})
		c := collect(t, b, metrics.Options{})
		defer c.Close()
		release := make(chan struct{})
		b.Attach(broadcaster.Subscriber{Name: "slow", Buffer: 2, Show: func(eventrt.Event) { <-release }})
		b.Attach(broadcaster.Subscriber{Name: "broken", Show: func(eventrt.Event) { panic("oh") }})
		for range 2 { // two of one name are shown as one
			b.Attach(broadcaster.Subscriber{Show: func(eventrt.Event) {}})
		}
		b.Publish(event(failed, "a"))
		synctest.Wait()
		for range 4 {
			b.Publish(event(failed, "a"))
		}
		synctest.Wait()
		compare(t, c, `
# HELP event_gen_subscriber_dropped_events_total Events that subscribers missed because they were too slow.
# TYPE event_gen_subscriber_dropped_events_total counter
event_gen_subscriber_dropped_events_total{subscriber="broken"} 0
event_gen_subscriber_dropped_events_total{subscriber="function"} 0
event_gen_subscriber_dropped_events_total{subscriber="slow"} 2
# HELP event_gen_subscriber_events_total Events shown to subscribers.
# TYPE event_gen_subscriber_events_total counter
event_gen_subscriber_events_total{subscriber="broken"} 5
event_gen_subscriber_events_total{subscriber="function"} 10
event_gen_subscriber_events_total{subscriber="slow"} 0
# HELP event_gen_subscriber_panics_total Panics of subscribers.
# TYPE event_gen_subscriber_panics_total counter
event_gen_subscriber_panics_total{subscriber="broken"} 5
event_gen_subscriber_panics_total{subscriber="function"} 0
event_gen_subscriber_panics_total{subscriber="slow"} 0
# HELP event_gen_subscriber_waiting_events Events that wait for subscribers.
# TYPE event_gen_subscriber_waiting_events gauge
event_gen_subscriber_waiting_events{subscriber="broken"} 0
event_gen_subscriber_waiting_events{subscriber="function"} 0
event_gen_subscriber_waiting_events{subscriber="slow"} 2
`, "event_gen_subscriber_dropped_events_total", "event_gen_subscriber_events_total", "event_gen_subscriber_panics_total", "event_gen_subscriber_waiting_events")
		close(release)
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestNamesFollowTheConventions(t *testing.T) {
	b := start(t, broadcaster.Options{Sink: target{}})
	c := collect(t, b, metrics.Options{Definitions: []*eventrt.Definition{started, failed}})
	defer c.Close()
	b.Attach(broadcaster.Subscriber{Show: func(eventrt.Event) {}})
	b.Publish(event(failed, "a"))
	b.Publish(event(failed, "quiet"))
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	problems, err := testutil.CollectAndLint(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// TestEachScrapeIsConserved scrapes while events are recorded and written.
func TestEachScrapeIsConserved(t *testing.T) {
	b := start(t, broadcaster.Options{Sink: target{}})
	c := collect(t, b, metrics.Options{})
	defer c.Close()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)
	var recording sync.WaitGroup
	for g := range 2 {
		recording.Go(func() {
			for n := range 2000 {
				b.Publish(event(failed, string(rune('a'+(g+n)%20))))
				b.SetEnabled(n%100 < 90)
			}
		})
	}
	for range 50 {
		recorded, rest := sums(t, registry)
		if recorded != rest {
			t.Fatalf("%v recorded, %v written, pending and lost", recorded, rest)
		}
	}
	recording.Wait()
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if recorded, rest := sums(t, registry); recorded != 4000 || rest != 4000 {
		t.Errorf("%v recorded, %v written, pending and lost", recorded, rest)
	}
}

func sums(t *testing.T, g prometheus.Gatherer) (recorded, rest float64) {
	t.Helper()
	families, err := g.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			switch f.GetName() {
			case "event_gen_events_recorded_total":
				recorded += m.GetCounter().GetValue()
			case "event_gen_events_written_total", "event_gen_events_lost_total":
				rest += m.GetCounter().GetValue()
			case "event_gen_events_pending":
				rest += m.GetGauge().GetValue()
			}
		}
	}
	return recorded, rest
}

func TestOptionsAreChecked(t *testing.T) {
	b := start(t, broadcaster.Options{Sink: target{}})
	defer b.Shutdown(t.Context())
	tests := []struct {
		name   string
		source metrics.Source
		opts   metrics.Options
		want   string
	}{
		{"no source", nil, metrics.Options{}, "expected a broadcaster"},
		{"a nil definition", b, metrics.Options{Definitions: []*eventrt.Definition{nil}}, "option Definitions"},
	}
	for _, tt := range tests {
		if _, err := metrics.New(tt.source, tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// TestTheFilterIsShown: each rule in force has a count, those that dropped nothing included.
func TestTheFilterIsShown(t *testing.T) {
	var f eventfilter.Filter
	if err := f.Set(`drop name=web; keep name="a \"b\""; drop name=web`); err != nil {
		t.Fatal(err)
	}
	b := start(t, broadcaster.Options{Sink: target{}, Filter: &f})
	defer b.Shutdown(t.Context())
	c := collect(t, b, metrics.Options{})
	defer c.Close()
	b.Publish(event(started, "web"))
	compare(t, c, `
# HELP event_gen_filter_dropped_events_total Events that a rule of the filter dropped, for each rule in force.
# TYPE event_gen_filter_dropped_events_total counter
event_gen_filter_dropped_events_total{rule="drop name=web"} 1
event_gen_filter_dropped_events_total{rule="keep name=\"a \\\"b\\\"\""} 0
`, "event_gen_filter_dropped_events_total")
}

// A filter's file that can't be used is shown.
func TestTheFiltersErrorIsShown(t *testing.T) {
	var f eventfilter.Filter
	b := start(t, broadcaster.Options{Sink: target{}, Filter: &f})
	defer b.Shutdown(t.Context())
	c := collect(t, b, metrics.Options{})
	defer c.Close()
	const text = `
# HELP event_gen_filter_errors 1 while the followed file of the filter can't be used, so that an older filter is in force; else 0.
# TYPE event_gen_filter_errors gauge
event_gen_filter_errors `
	compare(t, c, text+"0\n", "event_gen_filter_errors")
	if err := f.Watch(t.Context(), filepath.Join(t.TempDir(), "missing"), logr.Discard()); err == nil {
		t.Error("a file that is missing has no error")
	}
	compare(t, c, text+"1\n", "event_gen_filter_errors")
}

// badRules is a filter whose rules can't be shown, or are no text.
type badRules struct{ panics bool }

func (badRules) Keep(eventrt.Event) bool { return true }

func (f badRules) Rules() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		if yield("\xff", 1) && f.panics {
			panic("oh")
		}
	}
}

func (badRules) Err() error { return nil }

// TestAScrapeEndsNoProcess: names and filters of the program may be anything.
func TestAScrapeEndsNoProcess(t *testing.T) {
	for _, panics := range []bool{true, false} {
		b := start(t, broadcaster.Options{Sink: target{}, Filter: badRules{panics}})
		b.Attach(broadcaster.Subscriber{Name: "\xff", Show: func(eventrt.Event) {}})
		c := collect(t, b, metrics.Options{})
		registry := prometheus.NewPedanticRegistry()
		registry.MustRegister(c)
		if _, err := registry.Gather(); err != nil {
			t.Error(err)
		}
		if got := testutil.ToFloat64(only{c, "event_gen_filter_errors"}); (got == 1) != panics {
			t.Errorf("panics %v: event_gen_filter_errors is %v", panics, got)
		}
		c.Close()
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// only is a collector of one metric of another.
type only struct {
	prometheus.Collector
	name string
}

func (o only) Collect(ch chan<- prometheus.Metric) {
	all := make(chan prometheus.Metric)
	go func() {
		o.Collector.Collect(all)
		close(all)
	}()
	for m := range all {
		if strings.Contains(m.Desc().String(), `"`+o.name+`"`) {
			ch <- m
		}
	}
}
