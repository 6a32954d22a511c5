package metrics

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
)

const namespace = "event_gen"

// count is a metric that is read from a snapshot.
type count[T any] struct {
	desc   *prometheus.Desc
	kind   prometheus.ValueType
	labels []string
	value  func(*T) float64
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
}

var (
	lostDesc   = describe("events_lost_total", "Occurrences that will never be written, by cause.", "cause")
	filterDesc = describe("filter_dropped_events_total", "Events that a rule of the filter dropped, for each rule in force.", "rule")
	errorDesc  = describe("filter_errors", "1 while the followed file of the filter can't be used, so that an older filter is in force; else 0.")
	writesDesc = describe("writes_total", "Writes that the sink acknowledged, by operation.", "operation")
)

var counts = []count[eventrt.Stats]{
	counter(describe("events_recorded_total", "Occurrences recorded, those that were lost at once included."),
		func(s *eventrt.Stats) uint64 { return s.Recorded }),
	counter(describe("events_written_total", "Occurrences that the sink acknowledged."),
		func(s *eventrt.Stats) uint64 { return s.Written }),
	gauge("events_pending", "Occurrences that wait to be written, or are being written.",
		func(s *eventrt.Stats) float64 { return float64(s.Pending) }),
	counter(lostDesc, func(s *eventrt.Stats) uint64 { return s.Lost.Rejected }, "rejected"),
	counter(lostDesc, func(s *eventrt.Stats) uint64 { return s.Lost.Evicted }, "evicted"),
	counter(lostDesc, func(s *eventrt.Stats) uint64 { return s.Lost.Refused }, "refused"),
	counter(lostDesc, func(s *eventrt.Stats) uint64 { return s.Lost.Unacknowledged }, "unacknowledged"),
	counter(lostDesc, func(s *eventrt.Stats) uint64 { return s.Lost.Shutdown }, "shutdown"),
	counter(lostDesc, func(s *eventrt.Stats) uint64 { return s.Lost.Limited }, "limited"),
	counter(lostDesc, func(s *eventrt.Stats) uint64 { return s.Lost.Disabled }, "disabled"),
	counter(writesDesc, func(s *eventrt.Stats) uint64 { return s.Creates }, operationLabel(sink.Create)),
	counter(writesDesc, func(s *eventrt.Stats) uint64 { return s.Updates }, operationLabel(sink.Update)),
	counter(describe("write_retries_total", "Writes that are tried again."),
		func(s *eventrt.Stats) uint64 { return s.Retries }),
	counter(describe("write_failures_total", "Writes that the sink refused."),
		func(s *eventrt.Stats) uint64 { return s.Failures }),
	counter(describe("labels_left_out_total", "Labels that new events lack, because the API server would refuse them."),
		func(s *eventrt.Stats) uint64 { return s.LabelsLeftOut }),
	gauge("failing_events", "Events whose write fails again and again; others of their object no longer wait for them.",
		func(s *eventrt.Stats) float64 { return float64(s.Failing) }),
	gauge("writes_in_flight", "Writes without an answer yet.",
		func(s *eventrt.Stats) float64 { return float64(s.InFlight) }),
	gauge("identities", "Distinct events that are remembered.",
		func(s *eventrt.Stats) float64 { return float64(s.Identities) }),
	gauge("objects", "Regarding objects that are remembered.",
		func(s *eventrt.Stats) float64 { return float64(s.Objects) }),
	gauge("state_bytes", "Estimated memory of what is remembered.",
		func(s *eventrt.Stats) float64 { return float64(s.Bytes) }),
}

var snapshotCounts = []count[broadcaster.Snapshot]{
	{desc: describe("oldest_write_in_flight_seconds", "How long the oldest write in flight has had no answer."), kind: prometheus.GaugeValue,
		value: func(s *broadcaster.Snapshot) float64 { return s.OldestCall.Seconds() }},
	{desc: describe("skipped_calls_total", "Calls of observers and log lines that were skipped because earlier ones had not returned."), kind: prometheus.CounterValue,
		value: func(s *broadcaster.Snapshot) float64 { return float64(s.Skipped) }},
}

var subscriberCounts = []count[broadcaster.SubscriberStats]{
	ofSubscriber("subscriber_events_total", "Events shown to subscribers.", prometheus.CounterValue,
		func(s *broadcaster.SubscriberStats) float64 { return float64(s.Seen) }),
	ofSubscriber("subscriber_dropped_events_total", "Events that subscribers missed because they were too slow.", prometheus.CounterValue,
		func(s *broadcaster.SubscriberStats) float64 { return float64(s.Dropped) }),
	ofSubscriber("subscriber_panics_total", "Panics of subscribers.", prometheus.CounterValue,
		func(s *broadcaster.SubscriberStats) float64 { return float64(s.Panics) }),
	ofSubscriber("subscriber_waiting_events", "Events that wait for subscribers.", prometheus.GaugeValue,
		func(s *broadcaster.SubscriberStats) float64 { return float64(s.Waiting) }),
}

func counter(desc *prometheus.Desc, value func(*eventrt.Stats) uint64, labels ...string) count[eventrt.Stats] {
	return count[eventrt.Stats]{
		desc:   desc,
		kind:   prometheus.CounterValue,
		labels: labels,
		value:  func(s *eventrt.Stats) float64 { return float64(value(s)) },
	}
}

func gauge(name, help string, value func(*eventrt.Stats) float64) count[eventrt.Stats] {
	return count[eventrt.Stats]{desc: describe(name, help), kind: prometheus.GaugeValue, value: value}
}

func ofSubscriber(name, help string, kind prometheus.ValueType, value func(*broadcaster.SubscriberStats) float64) count[broadcaster.SubscriberStats] {
	return count[broadcaster.SubscriberStats]{desc: describe(name, help, "subscriber"), kind: kind, value: value}
}

// latency is a histogram of the time that writes take; its counts are the writes by outcome.
type latency struct{ vec *prometheus.HistogramVec }

func newLatency() latency {
	return latency{prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: namespace,
		Name:      "write_duration_seconds",
		Help:      "Time from handing a write to the sink until its answer, by operation and outcome.",
		Buckets:   buckets,
	}, []string{"operation", "outcome"})}
}

func (l latency) observe(w *sink.Write, a sink.Answer, took time.Duration) {
	l.vec.WithLabelValues(operationLabel(w.Operation), outcomeLabel(a.Outcome)).Observe(took.Seconds())
}

func operationLabel(op sink.Operation) string {
	if op == sink.Create {
		return "create"
	}
	return "update"
}

func outcomeLabel(o sink.Outcome) string { return strings.ReplaceAll(o.String(), " ", "_") }
