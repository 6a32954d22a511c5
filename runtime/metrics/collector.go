package metrics

import (
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// Source provides the account to expose; a *broadcaster.Broadcaster is a Source.
type Source interface {
	Snapshot() broadcaster.Snapshot
	AttachObserver(broadcaster.Observer) (stop func())
}

// Options of a collector. The zero value works.
type Options struct {
	// Definitions are the definitions of all catalogs in the program: the joined results of the
	// generated packages' Definitions functions. Their reasons are counted one by one, all others
	// together.
	Definitions []*eventrt.Definition
}

// buckets are in seconds; the last is the broadcaster's default time-out.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// Collector is a prometheus.Collector over a broadcaster. It is safe for concurrent use.
type Collector struct {
	source  Source
	latency latency
	reasons *reasons
	stop    func()
}

var _ prometheus.Collector = (*Collector)(nil)

// New returns a collector that counts reasons and measures writes from now on, until Close. The
// broadcaster counts everything else, from its start.
func New(source Source, opts Options) (*Collector, error) {
	if source == nil {
		return nil, errors.New("metrics: expected a broadcaster, found nil")
	}
	if slices.Contains(opts.Definitions, nil) {
		return nil, errors.New("metrics: option Definitions: found a nil definition")
	}
	c := &Collector{source: source, latency: newLatency(), reasons: newReasons(opts.Definitions)}
	c.stop = source.AttachObserver(broadcaster.Observer{Recorded: c.reasons.count, Written: c.latency.observe})
	return c, nil
}

// Declare adds definitions to Options.Definitions: their reasons are counted one by one from now
// on. If a definition is nil, it returns an error and adds nothing.
func (c *Collector) Declare(defs ...*eventrt.Definition) error {
	if slices.Contains(defs, nil) {
		return errors.New("metrics: Declare: found a nil definition")
	}
	c.reasons.declare(defs)
	return nil
}

// Close ends the counting of reasons and the measuring of writes. Collect still returns the counts
// so far.
func (c *Collector) Close() { c.stop() }

// Describe implements prometheus.Collector.
func (c *Collector) Describe(ch chan<- *prometheus.Desc) {
	for i := range counts {
		ch <- counts[i].desc
	}
	for i := range snapshotCounts {
		ch <- snapshotCounts[i].desc
	}
	for i := range subscriberCounts {
		ch <- subscriberCounts[i].desc
	}
	ch <- filterDesc
	ch <- errorDesc
	c.reasons.vec.Describe(ch)
	c.latency.vec.Describe(ch)
}

// Collect implements prometheus.Collector. It takes one snapshot of the account, which holds the
// broadcaster's locks for a moment.
func (c *Collector) Collect(ch chan<- prometheus.Metric) {
	s := c.source.Snapshot()
	for i := range counts {
		m := &counts[i]
		ch <- prometheus.MustNewConstMetric(m.desc, m.kind, m.value(&s.Stats), m.labels...)
	}
	for i := range snapshotCounts {
		m := &snapshotCounts[i]
		ch <- prometheus.MustNewConstMetric(m.desc, m.kind, m.value(&s))
	}
	for _, s := range s.Subscribers {
		for i := range subscriberCounts {
			m := &subscriberCounts[i]
			ch <- prometheus.MustNewConstMetric(m.desc, m.kind, m.value(&s), s.Name)
		}
	}
	collectFilters(ch, s.Filters)
	c.reasons.vec.Collect(ch)
	c.latency.vec.Collect(ch)
}

// ruled is a filter with rules to show, such as *eventfilter.Filter.
type ruled interface {
	Rules() iter.Seq2[string, uint64] // the text of each, and what it has dropped
	Err() error                       // of the file with the rules
}

// collectFilters counts what the rules of filters have dropped. A rule of several filters is one.
func collectFilters(ch chan<- prometheus.Metric, filters []broadcaster.Filter) {
	dropped, errors := map[string]uint64{}, 0.0
	for _, f := range filters {
		if f, ok := f.(ruled); ok && readRules(f, dropped) {
			errors = 1
		}
	}
	for rule, n := range dropped {
		ch <- prometheus.MustNewConstMetric(filterDesc, prometheus.CounterValue, float64(n), rule)
	}
	ch <- prometheus.MustNewConstMetric(errorDesc, prometheus.GaugeValue, errors)
}

// readRules adds what the rules of a filter have dropped, and reports whether it has an error. A
// filter of the program's that panics has one: a scrape would end the process.
func readRules(f ruled, dropped map[string]uint64) (failed bool) {
	failed = true
	defer func() { _ = recover() }()
	for rule, n := range f.Rules() {
		dropped[strings.ToValidUTF8(rule, "\uFFFD")] += n
	}
	return f.Err() != nil
}
