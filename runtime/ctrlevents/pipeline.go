package ctrlevents

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel/trace"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/eventdebug"
	"github.com/event-gen/event-gen/runtime/sink"
)

// pipeline is where a manager's events go.
type pipeline struct {
	opts   Options
	scheme *k8sruntime.Scheme
	logger logr.Logger
	page   *eventdebug.Page // nil: none

	auto     *lazy // typed events, and those of GetEventRecorder
	core     *lazy // events of GetEventRecorderFor
	election *lazy // events of leader election: core, unless that goes to another server
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
	p := &pipeline{opts: opts, scheme: scheme, logger: logger}
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
	if b.TraceAnnotation.Value == nil {
		b.TraceAnnotation.Value = traceID
	}
	var err error
	if p.auto, err = newLazy(b, p.watch, p.declare); err != nil {
		return nil, err
	}
	core := opts.CoreSink
	if core == nil {
		core = target.CoreV1()
	}
	if p.core, err = newLazy(coreOptions(core, &b), p.watch, p.declare); err != nil {
		return nil, err
	}
	p.election = p.core
	return p, nil
}

func (p *pipeline) clock() eventrt.Clock {
	if c := p.opts.Broadcaster.Clock; c != nil {
		return c
	}
	return eventrt.SystemClock()
}

// electOn has events of leader election go to another server.
func (p *pipeline) electOn(config *rest.Config) error {
	target := p.opts.CoreSink
	if target == nil {
		target = p.opts.Kube.CoreV1(config)
	}
	election, err := newLazy(coreOptions(target, &p.auto.opts), p.watch, p.declare)
	if err == nil {
		p.election = election
	}
	return err
}

// coreOptions returns the options of client-go's rules, with those of the caller's that are not
// about merging.
func coreOptions(target sink.Sink, from *broadcaster.Options) broadcaster.Options {
	o := clientgo.CoreOptions(target)
	o.MaxInFlight, o.WriteTimeout, o.Clock, o.Logger = from.MaxInFlight, from.WriteTimeout, from.Clock, from.Logger
	o.Disabled, o.Filter = from.Disabled, from.Filter
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
// show it.
func (p *pipeline) watch(b *broadcaster.Broadcaster) {
	if logger := p.logger.WithName("events").V(1); logger.Enabled() {
		b.Attach(broadcaster.Subscriber{Name: "log", Show: func(e eventrt.Event) {
			logger.Info(e.Message(), "type", e.Type(), "object", e.RegardingReference(), "reason", e.Reason())
		}})
	}
	if p.page != nil {
		p.page.Add(b)
	}
	if !p.opts.NoMetrics {
		process.attach(p, b)
	}
}

// declare has the metrics of the process count the reasons of definitions one by one, and the check
// ask for their controllers.
func (p *pipeline) declare(definitions ...*eventrt.Definition) {
	for _, def := range definitions {
		if def != nil && def.ReportingController != "" {
			p.auto.made(def.ReportingController)
		}
	}
	if p.opts.NoMetrics {
		return
	}
	if err := process.declare(definitions); err != nil {
		p.logger.Error(err, "The reasons of events have no metrics of their own")
	}
}

// broadcasters are all that differ.
func (p *pipeline) broadcasters() []*lazy {
	if p.election != p.core {
		return []*lazy{p.auto, p.core, p.election}
	}
	return []*lazy{p.auto, p.core}
}

// shutdown writes what is pending in all broadcasters at once.
func (p *pipeline) shutdown(ctx context.Context) error {
	all := p.broadcasters()
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	for i, s := range all {
		wg.Go(func() { errs[i] = s.shutdown(ctx) })
	}
	wg.Wait()
	if !p.opts.NoMetrics {
		process.leave(p)
	}
	return errors.Join(errs...)
}

func (p *pipeline) stats() (sum eventrt.Stats) {
	for _, s := range p.broadcasters() {
		stats := s.stats()
		sum.Add(&stats)
	}
	return sum
}
