package clientgo

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// shutdown ends recording, watchers and recordings. The error gives the occurrences left; it is the same for all callers.
func (h *hub) shutdown(ctx context.Context) error {
	recordings, first := h.close()
	if !first {
		return h.wait(ctx)
	}
	h.watchers.close()
	hurry := context.AfterFunc(ctx, h.cancelDrains)
	defer hurry()
	errs := endAll(ctx, recordings)
	errs = append(errs, h.watchers.wait(ctx))
	h.cancelDrains()
	h.result = errors.Join(errs...)
	close(h.done)
	return h.result
}

// close keeps further events out. It returns all recordings that have not ended, also those that were stopped before.
func (h *hub) close() (recordings []*recording, first bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return nil, false
	}
	h.ended = true
	for _, stop := range h.detach {
		stop()
	}
	h.detach = nil
	for _, r := range h.recordings {
		h.stopping[r] = struct{}{}
	}
	h.recordings = nil
	h.current.Store(nil)
	return slices.Collect(maps.Keys(h.stopping)), true
}

// endAll ends recordings side by side and waits for them. A recording that was stopped before keeps its own time, bounded by ctx.
func endAll(ctx context.Context, recordings []*recording) []error {
	for _, r := range recordings {
		go func() { _ = r.end(ctx) }()
	}
	errs := make([]error, 0, len(recordings))
	for _, r := range recordings {
		<-r.result
		errs = append(errs, r.err)
	}
	return errs
}

// wait is the shutdown of all but the first.
func (h *hub) wait(ctx context.Context) error {
	select {
	case <-h.done:
		return h.result
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// shutdownInTime is a shutdown with a time limit, which logs the occurrences left.
func (h *hub) shutdownInTime() { inTime(h.say, h.shutdown) }

func inTime(say voice, shutdown func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	if err := shutdown(ctx); err != nil {
		say.error(err, "Event recording has ended before all was written")
	}
}
