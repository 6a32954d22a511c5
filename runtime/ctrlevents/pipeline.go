package ctrlevents

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel/trace"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cluster"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/eventdebug"
	"github.com/event-gen/event-gen/runtime/sink"
)

// pipeline is where a manager's events go, and those of further clusters.
type pipeline struct {
	*recorders // of the manager's cluster
	opts       Options
	election   *lazy               // events of leader election; core, unless on another server
	page       *eventdebug.Page    // nil: none
	own        cluster.Cluster     // the manager without the recorders
	base       broadcaster.Options // of the manager, which those of clusters are made of

	rejected atomic.Uint64   // events that a broadcaster rejected, or that came after its release
	ctx      context.Context // of the end of clusters; it is over with the manager's own end
	cancel   context.CancelFunc
	leaving  sync.WaitGroup

	// mu may be taken under process.mu and the mu of a lazy, so neither is taken under it.
	mu       sync.Mutex
	filter   broadcaster.Filter           // for clusters to come
	clusters map[cluster.Cluster]*further // by the cluster, and by what Cluster has returned
	past     broadcaster.Snapshot         // what metrics need of clusters that have left
	ended    bool
}

func newPipeline(config *rest.Config, scheme *k8sruntime.Scheme, logger logr.Logger, options ...Options) (*pipeline, error) {
	var opts Options
	switch len(options) {
	case 0:
	case 1:
		opts = options[0]
	default:
		return nil, fmt.Errorf("expected at most one Options, found %d", len(options))
	}
	if err := opts.validate(); err != nil {
		return nil, err
	}
	p := &pipeline{recorders: &recorders{logger: logger}, opts: opts, filter: opts.Broadcaster.Filter, clusters: map[cluster.Cluster]*further{}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	target := opts.Kube.Auto(config)
	b := opts.Broadcaster
	if b.Sink == nil {
		b.Sink = target
	}
	if b.Scheme == nil {
		b.Scheme = scheme
	}
	if b.Logger.IsZero() {
		b.Logger = logger
	}
	if b.TraceID == nil {
		b.TraceID = traceID
	}
	core := opts.CoreSink
	if core == nil {
		core = target.CoreV1()
	}
	r, err := p.newRecorders(b, core)
	if err != nil {
		return nil, err
	}
	r.scheme = scheme
	p.base, p.recorders, p.election = b, r, r.core
	return p, nil
}

// electOn has events of leader election go to another server.
func (p *pipeline) electOn(config *rest.Config) error {
	target := p.opts.CoreSink
	if target == nil {
		target = p.opts.Kube.CoreV1(config)
	}
	election, err := p.newLazy(coreOptions(target, &p.base))
	if err == nil {
		p.election = election
	}
	return err
}

// coreOptions returns the options of client-go's rules, with those of the caller's that are not
// about merging.
func coreOptions(target sink.Sink, from *broadcaster.Options) broadcaster.Options {
	o := clientgo.CoreOptions(target)
	o.Correlator.OneCall, o.WriteTimeout, o.Logger = from.Correlator.OneCall, from.WriteTimeout, from.Logger
	o.Disabled, o.Filter, o.Redact, o.Labels = from.Disabled, from.Filter, from.Redact, from.Labels
	return o
}

// traceID is OpenTelemetry's, as a reconciler has it whose work is traced.
func traceID(ctx context.Context) string {
	if s := trace.SpanContextFromContext(ctx); s.HasTraceID() {
		return s.TraceID().String()
	}
	return ""
}

// watch logs the events of a broadcaster as controller-runtime does, and has metrics and the page
// show it, the page until stop is called.
func (p *pipeline) watch(b *broadcaster.Broadcaster) (stop func()) {
	b.AttachObserver(broadcaster.Observer{Rejected: func(eventrt.Event, string) { p.rejected.Add(1) }})
	if logger := p.logger.WithName("events").V(1); logger.Enabled() {
		b.Attach(broadcaster.Subscriber{Name: "log", Show: func(e eventrt.Event) {
			logger.Info(e.Message(), "type", e.Type(), "object", e.RegardingReference(), "reason", e.Reason())
		}})
	}
	if !p.opts.NoMetrics {
		process.attach(p, b)
	}
	if p.page == nil {
		return nil
	}
	return p.page.Add(b)
}

// declare has the metrics of the process count the reasons of definitions one by one.
func (p *pipeline) declare(definitions []*eventrt.Definition) {
	if p.opts.NoMetrics {
		return
	}
	if err := process.declare(definitions); err != nil {
		p.logger.Error(err, "The reasons of events have no metrics of their own")
	}
}

// withoutRejected takes out the rejected events, which pipeline.rejected counts: also those that
// come when their broadcaster has been released.
func withoutRejected(s *broadcaster.Snapshot) {
	s.Stats.Recorded -= s.Stats.Lost.Rejected
	s.Stats.Lost.Rejected = 0
}

// setFilter sets the filter of all clusters, and of those to come.
func (p *pipeline) setFilter(f broadcaster.Filter) error {
	checked := p.base
	checked.Filter = f
	if err := checked.Validate(); err != nil {
		return err
	}
	p.mu.Lock()
	p.filter = f
	all := p.broadcasters()
	p.mu.Unlock()
	for _, s := range all {
		s.setFilter(f)
	}
	return nil
}

// broadcasters are all that differ, those of clusters last. The lock is held.
func (p *pipeline) broadcasters() []*lazy {
	all := p.recorders.broadcasters()
	if p.election != p.core {
		all = append(all, p.election)
	}
	for c, f := range p.clusters {
		if c == f.cluster { // each is there twice
			all = append(all, f.broadcasters()...)
		}
	}
	return all
}

// end writes what is pending in all broadcasters at once, until ctx ends.
func (p *pipeline) end(ctx context.Context) error {
	p.mu.Lock()
	p.ended = true
	all := p.broadcasters()
	for _, f := range p.clusters {
		f.stop()
	}
	p.mu.Unlock()
	stop := context.AfterFunc(ctx, p.cancel) // clusters that are leaving have no more time
	defer stop()
	err := shutdown(ctx, all)
	p.leaving.Wait()
	p.cancel()
	if !p.opts.NoMetrics {
		process.leave(p)
	}
	return err
}

// shutdown writes what is pending in broadcasters at once.
func shutdown(ctx context.Context, all []*lazy) error {
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	for i, s := range all {
		wg.Go(func() { errs[i] = s.shutdown(ctx) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// snapshot is what metrics need of all broadcasters, those of clusters that have left included.
func (p *pipeline) snapshot() (sum broadcaster.Snapshot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	join(&sum, &p.past)
	for _, s := range p.broadcasters() {
		one := s.snapshot()
		withoutRejected(&one)
		join(&sum, &one)
	}
	rejected := p.rejected.Load()
	sum.Stats.Recorded += rejected
	sum.Stats.Lost.Rejected += rejected
	return sum
}
