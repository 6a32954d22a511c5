package ctrlevents

import (
	"errors"
	"fmt"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/kube"
)

// DefaultShutdownTimeout bounds how long Start writes what is pending after the manager has stopped.
const DefaultShutdownTimeout = 10 * time.Second

// lostLeaseTimeout bounds the same when the manager has lost its lease: the program must exit at once then.
const lostLeaseTimeout = time.Second

// Options of a manager's events. The zero value works.
type Options struct {
	// ShutdownTimeout bounds how long Start goes on, after the manager has stopped, to write what is pending. Zero:
	// DefaultShutdownTimeout. After a lost lease it is a second at the most. A Pod is killed terminationGracePeriodSeconds
	// (30) after SIGTERM: that should exceed manager.Options.GracefulShutdownTimeout (30 s) and this together.
	ShutdownTimeout time.Duration
	// Definitions are those of all catalogs in the program (the Definitions functions of generated packages, joined). Metrics
	// count their reasons one by one, all others together.
	Definitions []*eventrt.Definition
	// NoMetrics leaves the metrics of package metrics out of controller-runtime's registry.
	NoMetrics bool
	// NoDebug leaves the page of package eventdebug out of the metrics server, where it is at DebugPath.
	NoDebug bool
	// DebugUnauthenticated has the page served to everybody who reaches the metrics server. Else it is refused unless NewManager
	// was given a FilterProvider for that server; Wrap can't know of one. The page names objects, and no text of a message.
	DebugUnauthenticated bool
	// Broadcaster holds further options of the broadcaster of typed events and of GetEventRecorder. An empty Sink is
	// kube.Auto on the manager's rest.Config; Scheme and Logger are the manager's unless set. TraceAnnotation.Value is
	// OpenTelemetry's trace id of the context unless set. Of its options, Workers, WriteTimeout, Disabled, NamespaceFilter, Clock and Logger
	// hold for the events of GetEventRecorderFor too.
	Broadcaster broadcaster.Options
	// Kube are options of the client that writes events.
	Kube kube.Options
	// CoreSink stores the events of GetEventRecorderFor and of leader election. Nil: the core group of the manager's API
	// server. It is for tests.
	CoreSink eventrt.Sink
}

func (o *Options) validate() error {
	var errs []error
	if o.ShutdownTimeout < 0 {
		errs = append(errs, fmt.Errorf("option ShutdownTimeout: expected more than 0, or 0 for %v, found %v", DefaultShutdownTimeout, o.ShutdownTimeout))
	}
	for i, def := range o.Definitions {
		if def == nil {
			errs = append(errs, fmt.Errorf("option Definitions: the definition at %d is nil", i))
		}
	}
	return errors.Join(errs...)
}

func (o *Options) shutdownTimeout() time.Duration {
	if o.ShutdownTimeout == 0 {
		return DefaultShutdownTimeout
	}
	return o.ShutdownTimeout
}
