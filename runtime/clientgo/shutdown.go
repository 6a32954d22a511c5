package clientgo

import (
	"context"
	"errors"
	"maps"
	"slices"

	"k8s.io/klog/v2"
)

// shutdown ends recording, watchers and recordings. The error gives the occurrences left; it is the
// same for all callers.
func (d *distributor) shutdown(ctx context.Context) error {
	recordings, first := d.close()
	if !first {
		return d.wait(ctx)
	}
	d.watchers.close()
	hurry := context.AfterFunc(ctx, d.cancelDrains)
	defer hurry()
	errs := endAll(ctx, recordings)
	errs = append(errs, d.watchers.wait(ctx))
	d.cancelDrains()
	d.result = errors.Join(errs...)
	close(d.done)
	return d.result
}

// close keeps further events out. It returns all recordings that have not ended, also those that
// were stopped before.
func (d *distributor) close() (recordings []*recording, first bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ended {
		return nil, false
	}
	d.ended = true
	for _, stop := range d.detach {
		stop()
	}
	d.detach = nil
	for _, r := range d.recordings {
		d.stopping[r] = struct{}{}
	}
	d.recordings = nil
	d.current.Store(nil)
	return slices.Collect(maps.Keys(d.stopping)), true
}

// endAll ends recordings side by side and waits for them. A recording that was stopped before keeps
// its own time, bounded by ctx.
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
func (d *distributor) wait(ctx context.Context) error {
	select {
	case <-d.done:
		return d.result
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// shutdownInTime is a shutdown with a time limit, which logs the occurrences left.
func (d *distributor) shutdownInTime() { inTime(d.log, d.shutdown) }

func inTime(log klog.Logger, shutdown func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	if err := shutdown(ctx); err != nil {
		log.Error(err, "Event recording has ended before all was written")
	}
}
