package metrics

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// latency is a histogram of the time that writes take; its counts are the writes by outcome.
type latency struct{ vec *prometheus.HistogramVec }

func newLatency(buckets []float64) latency {
	return latency{prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: namespace,
		Name:      "write_duration_seconds",
		Help:      "Time from handing a write to the sink until its answer, by operation and outcome.",
		Buckets:   buckets,
	}, []string{"operation", "outcome"})}
}

func (l latency) observe(r broadcaster.WriteReport) {
	l.vec.WithLabelValues(operationLabel(r.Operation), outcomeLabel(r.Outcome)).Observe(r.Duration.Seconds())
}

func operationLabel(op runtime.Operation) string {
	if op == runtime.Create {
		return "create"
	}
	return "update"
}

func outcomeLabel(o runtime.Outcome) string { return strings.ReplaceAll(o.String(), " ", "_") }
