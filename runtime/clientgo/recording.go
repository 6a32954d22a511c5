package clientgo

import (
	"context"
	"math"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/watch"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// recording is a pipeline to one sink, with state of its own, as each StartRecordingToSink of
// client-go has.
type recording struct {
	distributor *distributor
	pipeline    *broadcaster.Broadcaster
	policy      *policy
	users       atomic.Int64 // who hand it an event right now; shut is added once it has ended
	ending      atomic.Bool
	result      chan watch.Event // nothing is sent; closed once the recording has ended
	err         error            // once result is closed
}

var _ watch.Interface = (*recording)(nil)

// shut is more than there can be users.
const shut = math.MinInt64 / 2

func newRecording(d *distributor, opts broadcaster.Options, policy *policy) (*recording, error) {
	pipeline, err := broadcaster.New(opts)
	if err != nil {
		return nil, err
	}
	return &recording{distributor: d, pipeline: pipeline, policy: policy, result: make(chan watch.Event)}, nil
}

// take records an event, unless the recording has ended.
func (r *recording) take(e *eventrt.Event) (taken bool) {
	defer r.leave() // also where a function of the host's ends the goroutine
	if r.users.Add(1) < 0 {
		return false
	}
	r.pipeline.Publish(*e)
	return true
}

// leave has the last one out, once the recording has ended, settle its accounts.
func (r *recording) leave() {
	if r.users.Add(-1) == shut {
		r.distributor.settle(r)
	}
}

// stats returns the recording's accounts and the memory that it holds.
func (r *recording) stats() eventrt.Stats {
	s := r.pipeline.Stats()
	s.Bytes += r.policy.held()
	return s
}

// Stop ends the recording. It writes pending events in the background, for up to drainTime;
// Shutdown waits for that.
func (r *recording) Stop() {
	if r.distributor.release(r) {
		go r.drain()
	}
}

// ResultChan returns a channel that is closed once everything pending at Stop is written or given
// up. No event comes out of it.
func (r *recording) ResultChan() <-chan watch.Event { return r.result }

func (r *recording) drain() {
	ctx, cancel := context.WithTimeout(r.distributor.drains, drainTime)
	defer cancel()
	if err := r.end(ctx); err != nil {
		r.distributor.log.Error(err, "Recording to a sink was stopped before all was written")
	}
}

// end writes pending events until ctx ends, or waits for an end that has begun already.
func (r *recording) end(ctx context.Context) error {
	if !r.ending.Swap(true) {
		r.err = r.pipeline.Shutdown(ctx)
		if r.users.Add(shut) == shut {
			r.distributor.settle(r)
		}
		close(r.result)
	}
	<-r.result
	return r.err
}
