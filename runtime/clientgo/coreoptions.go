package clientgo

import (
	"context"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
)

// CoreOptions returns the options of a broadcaster for recorders of RecorderOn, which merges and
// aggregates as RecordBroadcaster does and writes to a sink of the core group, such as kube.CoreV1.
// The caller may change the other options. CoreOptions panics on invalid options. Of WithContext it
// uses only the logger; WithFullWatchers changes nothing. The memory of thresholds and budgets, up
// to 1.8 MB with the default LRUCacheSize, is not part of the broadcaster's Stats.Bytes.
func CoreOptions(target sink.Sink, opts ...Option) broadcaster.Options {
	if target == nil {
		panic("clientgo: CoreOptions: expected a sink, found nil")
	}
	c := newConfig(opts)
	o, _ := c.corePipeline()
	o.Sink = &sourceSink{sink: target}
	if dry, ok := target.(sink.DryRunner); ok {
		o.Sink = &drySourceSink{sourceSink{sink: target}, dry}
	}
	return o
}

// sourceSink writes events whose controller is a source of two parts.
type sourceSink struct{ sink sink.Sink }

func (s *sourceSink) Write(ctx context.Context, w *sink.Write) sink.Answer {
	return s.sink.Write(ctx, written(w))
}

// drySourceSink is a sourceSink on a sink that can be asked what it would answer.
type drySourceSink struct {
	sourceSink
	dry sink.DryRunner
}

// DryRun implements sink.DryRunner.
func (s *drySourceSink) DryRun(ctx context.Context, w *sink.Write) sink.Answer {
	return s.dry.DryRun(ctx, written(w))
}

// Err returns the sink's error.
func (s *sourceSink) Err() error {
	if target, ok := s.sink.(interface{ Err() error }); ok {
		return target.Err()
	}
	return nil
}
