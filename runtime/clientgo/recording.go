package clientgo

import (
	"context"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/watch"

	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// recording is a pipeline to one sink, with state of its own, as each StartRecordingToSink of client-go has.
type recording struct {
	hub      *hub
	pipeline *broadcaster.Broadcaster
	ending   atomic.Bool
	result   chan watch.Event // nothing is sent; closed once the recording has ended
	err      error            // once result is closed
}

var _ watch.Interface = (*recording)(nil)

func newRecording(h *hub, opts broadcaster.Options) (*recording, error) {
	pipeline, err := broadcaster.New(opts)
	if err != nil {
		return nil, err
	}
	return &recording{hub: h, pipeline: pipeline, result: make(chan watch.Event)}, nil
}

// Stop ends the recording. What is pending is written in the background, for up to drainTime, for which Shutdown waits.
func (r *recording) Stop() {
	if r.hub.release(r) {
		go r.drain()
	}
}

// ResultChan is closed once all that was pending at Stop is written or given up. No event comes out of it.
func (r *recording) ResultChan() <-chan watch.Event { return r.result }

func (r *recording) drain() {
	ctx, cancel := context.WithTimeout(r.hub.drains, drainTime)
	defer cancel()
	if err := r.end(ctx); err != nil {
		r.hub.logger.Error(err, "Recording to a sink was stopped before all was written")
	}
}

// end writes what is pending until ctx ends, or waits for the end that has begun.
func (r *recording) end(ctx context.Context) error {
	if !r.ending.Swap(true) {
		r.err = r.pipeline.Shutdown(ctx)
		r.hub.settle(r)
		close(r.result)
	}
	<-r.result
	return r.err
}
