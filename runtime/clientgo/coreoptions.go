package clientgo

import (
	"context"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// CoreOptions returns the options of a broadcaster for recorders of RecorderOn, which merges and
// folds as Broadcaster does and writes to a sink of the core group, such as kube.CoreV1. The caller
// may change the other options. CoreOptions panics on invalid options. Of WithContext it uses only
// the logger; WithFullWatchers changes nothing.
func CoreOptions(sink eventrt.Sink, opts ...Option) broadcaster.Options {
	if sink == nil {
		panic("clientgo: CoreOptions: expected a sink, found nil")
	}
	c := newConfig(opts)
	o, _ := c.corePipeline()
	o.Sink = &sourceSink{sink: sink}
	if dry, ok := sink.(eventrt.DryRunner); ok {
		o.Sink = &drySourceSink{sourceSink{sink: sink}, dry}
	}
	return o
}

// sourceSink writes events whose controller is a source of two parts.
type sourceSink struct{ sink eventrt.Sink }

func (s *sourceSink) Write(ctx context.Context, w *eventrt.Write) eventrt.Answer {
	return s.sink.Write(ctx, written(w))
}

// drySourceSink is a sourceSink on a sink that can be asked what it would answer.
type drySourceSink struct {
	sourceSink
	dry eventrt.DryRunner
}

// DryRun implements eventrt.DryRunner.
func (s *drySourceSink) DryRun(ctx context.Context, w *eventrt.Write) eventrt.Answer {
	return s.dry.DryRun(ctx, written(w))
}

// Err returns the sink's error.
func (s *sourceSink) Err() error {
	if sink, ok := s.sink.(interface{ Err() error }); ok {
		return sink.Err()
	}
	return nil
}
