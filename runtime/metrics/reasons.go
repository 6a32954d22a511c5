package metrics

import (
	"maps"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// other is the label for reasons that no definition of the options declares.
const other = "other"

// reasons counts events by what their catalog says. Definitions that agree in controller, type and
// reason share a counter.
type reasons struct {
	vec *prometheus.CounterVec
	// the map never changes
	byDefinition    atomic.Pointer[map[*eventrt.Definition]prometheus.Counter]
	normal, warning prometheus.Counter // of other reasons
}

func newReasons(defs []*eventrt.Definition) *reasons {
	vec := prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: namespace,
		Name:      "events_accepted_total",
		Help:      "Occurrences recorded and neither rejected nor disabled, by what the catalog says; forwarded reasons are other.",
	}, []string{"controller", "type", "reason"})
	r := &reasons{
		vec:     vec,
		normal:  vec.WithLabelValues("", eventrt.Normal, other),
		warning: vec.WithLabelValues("", eventrt.Warning, other),
	}
	r.declare(defs)
	return r
}

// declare adds definitions whose reasons are counted one by one from now on.
func (r *reasons) declare(defs []*eventrt.Definition) {
	for {
		old := r.byDefinition.Load()
		byDefinition := make(map[*eventrt.Definition]prometheus.Counter, len(defs))
		if old != nil {
			maps.Copy(byDefinition, *old)
		}
		for _, s := range defs {
			if !s.Forwarded {
				byDefinition[s] = r.vec.WithLabelValues(valid(s.ReportingController), typeLabel(s), valid(s.Reason))
			}
		}
		if r.byDefinition.CompareAndSwap(old, &byDefinition) {
			return
		}
	}
}

// valid makes a text valid as a Prometheus label.
func valid(s string) string { return eventrt.Clean(s, eventrt.MaxReasonBytes) }

func typeLabel(s *eventrt.Definition) string {
	if s.Type == eventrt.Warning {
		return eventrt.Warning
	}
	return eventrt.Normal
}

func (r *reasons) count(s *eventrt.Definition) {
	c, ok := (*r.byDefinition.Load())[s]
	switch {
	case ok:
	case s.Type == eventrt.Warning:
		c = r.warning
	default:
		c = r.normal
	}
	c.Inc()
}
