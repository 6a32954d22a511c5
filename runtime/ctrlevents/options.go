package ctrlevents

import (
	"errors"
	"fmt"
	"time"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/kube"
)

// defaultShutdownTimeout is the default of Options.ShutdownTimeout.
const defaultShutdownTimeout = 10 * time.Second

// lostLeaseTimeout bounds the same when the manager has lost its lease: the program must exit at
// once then.
const lostLeaseTimeout = time.Second

// Options of a manager's events. The zero value works.
type Options struct {
	// ShutdownTimeout bounds the time for which Start writes what is pending, after the manager has
	// stopped. Zero: 10 s. After a lost lease it is at most a second. A Pod is
	// killed terminationGracePeriodSeconds (30) after SIGTERM: that should exceed
	// manager.Options.GracefulShutdownTimeout (30 s) and this together.
	ShutdownTimeout time.Duration
	// NoMetrics leaves the metrics of package metrics out of controller-runtime's registry.
	NoMetrics bool
	// NoDebug leaves the page of package eventdebug, at /debug/events, out of the metrics server.
	NoDebug bool
	// DebugUnauthenticated serves the page to everybody who reaches the metrics server. Otherwise
	// the server refuses the page, unless NewManager got a FilterProvider for that server; Wrap
	// can't know of one. The page names objects, and holds no text of a message.
	DebugUnauthenticated bool
	// ReadyCheck adds the readiness check "events" to the manager
	// (manager.Options.HealthProbeBindAddress): not ready, with the reason, until Manager.Check has
	// found once that events would be stored in CheckNamespaces. Start asks at once, then every 10
	// s until it succeeds. A request takes the last result. A "" in CheckNamespaces stands for
	// events about cluster-scoped objects; empty: for these alone.
	ReadyCheck      bool
	CheckNamespaces []string
	// Broadcaster holds further options of the broadcaster of typed events and of GetEventRecorder.
	// An empty Sink is kube.Auto on the manager's rest.Config; Scheme and Logger are the manager's
	// unless set. TraceID is OpenTelemetry's trace id of the context unless set. Of its options,
	// OneCall, WriteTimeout, Disabled, Filter, Redact, Labels and Logger hold for the events
	// of GetEventRecorderFor too. Manager.Cluster says which hold for further clusters.
	Broadcaster broadcaster.Options
	// Kube are options of the client that writes events.
	Kube kube.Options
	// CoreSink stores the events of GetEventRecorderFor and of leader election. Nil: the core group
	// of the manager's API server. It is for tests.
	CoreSink sink.Sink
}

func (o *Options) validate() error {
	var errs []error
	if o.ShutdownTimeout < 0 {
		errs = append(errs, fmt.Errorf("option ShutdownTimeout: expected more than 0, or 0 for %v, found %v", defaultShutdownTimeout, o.ShutdownTimeout))
	}
	return errors.Join(errs...)
}
