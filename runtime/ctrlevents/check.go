package ctrlevents

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// check asks for the events of all recorders made so far.
func (p *pipeline) check(ctx context.Context, namespaces []string) error {
	err := p.auto.opts.Check(ctx, p.auto.recorders(), namespaces...)
	if len(p.core.recorders()) > 0 {
		err = errors.Join(err, p.core.opts.Check(ctx, nil, namespaces...))
	}
	return err
}

var errNotChecked = errors.New("whether events will arrive was not checked yet")

// checkInterval is the time between two checks that fail.
const checkInterval = 10 * time.Second

// readiness checks until it succeeds. It is a manager.Runnable, and safe for concurrent use.
type readiness struct {
	p  *pipeline
	mu sync.Mutex
	// last is the last result; nil: events would be stored.
	last error
}

var _ manager.LeaderElectionRunnable = (*readiness)(nil)

// serveReadiness gives a manager the check.
func (p *pipeline) serveReadiness(m manager.Manager) error {
	r := &readiness{p: p, last: errNotChecked}
	if err := m.AddReadyzCheck("events", r.ready); err != nil {
		return err
	}
	return m.Add(r)
}

// NeedLeaderElection is false: a replica that waits for the lease should be ready too.
func (r *readiness) NeedLeaderElection() bool { return false }

// Start checks until it succeeds or ctx ends, and logs each new reason why it does not.
func (r *readiness) Start(ctx context.Context) error {
	timer := time.NewTimer(checkInterval)
	defer timer.Stop()
	for {
		err := r.p.check(ctx, r.p.opts.CheckNamespaces)
		if ctx.Err() != nil {
			return nil
		}
		if before := r.set(err); err == nil {
			return nil
		} else if before.Error() != err.Error() {
			r.p.logger.Error(err, "Events will not arrive; the program is not ready until they would")
		}
		timer.Reset(checkInterval)
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
	}
}

// set keeps a result, and returns the one before.
func (r *readiness) set(err error) (before error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, r.last = r.last, err
	return before
}

// ready is the check: it returns the last result.
func (r *readiness) ready(*http.Request) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}
