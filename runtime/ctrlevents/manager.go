package ctrlevents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// Manager is a manager.Manager whose events go through this pipeline. It is safe for concurrent use
// as far as the manager in it is.
type Manager struct {
	manager.Manager // with the recorders of this package
	events          *pipeline
	started         atomic.Bool
}

var _ manager.Manager = (*Manager)(nil)

// NewManager is ctrl.NewManager (manager.New of controller-runtime) for a manager with this
// pipeline. Events of leader election go through it too, unless options have a lock of their own.
// The error comes from manager.New, or names the unusable event option; options must not have an
// EventBroadcaster, since it would see no event. At most one Options may be given.
func NewManager(config *rest.Config, options manager.Options, eventOptions ...Options) (*Manager, error) {
	if config == nil {
		return nil, errors.New("ctrlevents: expected a rest.Config, found nil")
	}
	if options.EventBroadcaster != nil { //nolint:staticcheck // it is deprecated, and refused
		return nil, errors.New("ctrlevents: expected no EventBroadcaster in manager.Options, found one: events would not go through it. " +
			"Leave it out; in place of StartEventWatcher, attach a Subscriber to Manager.Broadcaster(); in place of CorrelatorOptions, set ctrlevents.Options.Broadcaster; " +
			"for a sink of your own, set ctrlevents.Options.Broadcaster.Sink and CoreSink")
	}
	if options.Scheme == nil {
		options.Scheme = scheme.Scheme // as manager.New does
	}
	if options.Logger.GetSink() == nil {
		options.Logger = log.Log
	}
	p, err := newPipeline(config, options.Scheme, options.Logger, eventOptions...)
	if err != nil {
		return nil, fmt.Errorf("ctrlevents: %w", err)
	}
	if options.LeaderElection && options.LeaderElectionResourceLockInterface == nil {
		if options.LeaderElectionResourceLockInterface, err = p.lock(config, &options); err != nil {
			return nil, err
		}
	}
	inner, err := manager.New(config, options)
	if err != nil {
		return nil, err
	}
	metrics := &options.Metrics
	if _, taken := metrics.ExtraHandlers[debugPath]; taken || metrics.BindAddress == "0" {
		p.opts.NoDebug = true
	}
	return p.wrap(inner, metrics.FilterProvider != nil)
}

// Wrap gives an existing manager this pipeline. The manager must not have been started. Use the
// result in its place: code that has the manager itself goes on to use the manager's recorders. So
// does leader election, because the manager has already made its lock. An EventBroadcaster of
// manager.Options is ignored: its watchers see no event of this pipeline, and its correlator's
// options have no effect.
func Wrap(existing manager.Manager, eventOptions ...Options) (*Manager, error) {
	if existing == nil {
		return nil, errors.New("ctrlevents: expected a manager, found nil")
	}
	if _, wrapped := existing.(*Manager); wrapped {
		return nil, errors.New("ctrlevents: the manager has these events already")
	}
	p, err := newPipeline(existing.GetConfig(), existing.GetScheme(), existing.GetLogger(), eventOptions...)
	if err != nil {
		return nil, fmt.Errorf("ctrlevents: %w", err)
	}
	return p.wrap(existing, false)
}

func (p *pipeline) wrap(inner manager.Manager, authenticated bool) (*Manager, error) {
	if err := p.serveDebug(inner, authenticated); err != nil {
		return nil, fmt.Errorf("ctrlevents: %w", err)
	}
	if !p.opts.NoMetrics {
		if err := process.join(); err != nil {
			p.logger.Error(err, "Events have no metrics: the program has registered such itself; set NoMetrics")
		}
	}
	if p.opts.ReadyCheck {
		if err := p.serveReadiness(inner); err != nil {
			return nil, fmt.Errorf("ctrlevents: %w", err)
		}
	}
	p.own = inner
	return &Manager{Manager: recordingManager(inner, inner.GetEventRecorder, p), events: p}, nil
}

// Start runs the manager. The manager returns after the last reconciler, unless its grace period
// ran out. Then Start writes what is pending, for up to Options.ShutdownTimeout, and returns the
// errors of both. If occurrences are left, that is a *broadcaster.ShutdownError. After a lost lease
// Start writes for at most a second, because the program must exit then.
func (m *Manager) Start(ctx context.Context) error {
	if m.started.Swap(true) {
		return m.Manager.Start(ctx) // which says that it was started
	}
	err := m.Manager.Start(ctx)
	if left := m.drain(err); left != nil {
		return errors.Join(err, left)
	}
	return err
}

func (m *Manager) drain(cause error) error {
	timeout := cmp.Or(m.events.opts.ShutdownTimeout, defaultShutdownTimeout)
	if hasLostLease(cause) {
		timeout = min(timeout, lostLeaseTimeout)
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return m.events.end(ctx)
}

// Events returns a recorder that NewRecorder of a generated package wraps. Where only a
// ctrl.Manager is at hand, use For of the generated package: it finds the same pipeline, and also
// declares the package's events to the metrics.
func (m *Manager) Events() *eventrt.Recorder { return eventrt.NewRecorder(m.events.auto) }

// SetFilter sets the filter of all events of the manager; see broadcaster.Broadcaster.SetFilter.
// Options.Broadcaster.Filter has one from the start.
func (m *Manager) SetFilter(f broadcaster.Filter) error { return m.events.setFilter(f) }

// Check asks the API server whether the events of these namespaces would be stored, and stores
// nothing; see broadcaster.Broadcaster.Check. It asks for typed events and for those of
// GetEventRecorder with the names of all recorders made so far and of the definitions of packages
// whose For was called, and for those of GetEventRecorderFor if a recorder was made.
func (m *Manager) Check(ctx context.Context, namespaces ...string) error {
	return m.events.check(ctx, namespaces)
}

// Stats accounts for all events of the manager and of further clusters.
func (m *Manager) Stats() eventrt.Stats { return m.events.snapshot().Stats }

// Broadcaster returns the broadcaster of typed events and of GetEventRecorder, for subscribers and
// switches, and starts it. It must not be shut down: Start does that. It is nil once Start has
// returned without an event.
func (m *Manager) Broadcaster() *broadcaster.Broadcaster { return m.events.auto.broadcaster() }
