package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/event-gen/event-gen/runtime"
)

// other stands for the reasons that no catalog of the options declares.
const other = "other"

// reasons counts events by what their catalog says. Definitions that agree in controller, type and reason share a counter.
type reasons struct {
	vec             *prometheus.CounterVec
	byDefinition    map[*runtime.Definition]prometheus.Counter // never changed
	normal, warning prometheus.Counter                         // of other reasons
}

func newReasons(defs []*runtime.Definition) reasons {
	vec := prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: namespace,
		Name:      "events_accepted_total",
		Help:      "Occurrences recorded and neither rejected nor disabled, by what the catalog says; forwarded reasons are other.",
	}, []string{"controller", "type", "reason"})
	r := reasons{
		vec:          vec,
		byDefinition: make(map[*runtime.Definition]prometheus.Counter, len(defs)),
		normal:       vec.WithLabelValues("", runtime.Normal, other),
		warning:      vec.WithLabelValues("", runtime.Warning, other),
	}
	for _, s := range defs {
		if !s.Forwarded {
			r.byDefinition[s] = vec.WithLabelValues(valid(s.ReportingController), typeLabel(s), valid(s.Reason))
		}
	}
	return r
}

// valid keeps what Prometheus takes as a label.
func valid(s string) string { return runtime.Clean(s, runtime.MaxReasonBytes) }

func typeLabel(s *runtime.Definition) string {
	if s.Type == runtime.Warning {
		return runtime.Warning
	}
	return runtime.Normal
}

func (r *reasons) count(s *runtime.Definition) {
	c, ok := r.byDefinition[s]
	switch {
	case ok:
	case s.Type == runtime.Warning:
		c = r.warning
	default:
		c = r.normal
	}
	c.Inc()
}
