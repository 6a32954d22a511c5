package metrics_test

import (
	"context"
	"math"
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
		c := collect(t, b, metrics.Options{Definitions: []*eventrt.Definition{started}, Buckets: []float64{.01, .1}})
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
event_gen_write_duration_seconds_bucket{operation="create",outcome="done",le="0.01"} 0
event_gen_write_duration_seconds_bucket{operation="create",outcome="done",le="0.1"} 1
event_gen_write_duration_seconds_bucket{operation="create",outcome="done",le="+Inf"} 1
event_gen_write_duration_seconds_sum{operation="create",outcome="done"} 0.02
event_gen_write_duration_seconds_count{operation="create",outcome="done"} 1
event_gen_write_duration_seconds_bucket{operation="create",outcome="refused",le="0.01"} 0
event_gen_write_duration_seconds_bucket{operation="create",outcome="refused",le="0.1"} 1
event_gen_write_duration_seconds_bucket{operation="create",outcome="refused",le="+Inf"} 1
event_gen_write_duration_seconds_sum{operation="create",outcome="refused"} 0.02
event_gen_write_duration_seconds_count{operation="create",outcome="refused"} 1
event_gen_write_duration_seconds_bucket{operation="update",outcome="done",le="0.01"} 0
event_gen_write_duration_seconds_bucket{operation="update",outcome="done",le="0.1"} 1
event_gen_write_duration_seconds_bucket{operation="update",outcome="done",le="+Inf"} 1
event_gen_write_duration_seconds_sum{operation="update",outcome="done"} 0.02
event_gen_write_duration_seconds_count{operation="update",outcome="done"} 1
# HELP event_gen_write_failures_total Writes that the sink refused.
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
		{"falling buckets", b, metrics.Options{Buckets: []float64{1, .5}}, "option Buckets"},
		{"a bucket of 0", b, metrics.Options{Buckets: []float64{0, 1}}, "option Buckets"},
		{"no number", b, metrics.Options{Buckets: []float64{math.NaN()}}, "option Buckets"},
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
