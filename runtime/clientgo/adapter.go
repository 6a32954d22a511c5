package clientgo

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// EventBroadcasterAdapter implements client-go's events.EventBroadcasterAdapter. Its recorders
// write events.k8s.io/v1, or the core group if RBAC forbids that; its legacy recorders write the
// core group.
type EventBroadcasterAdapter interface {
	// The methods of client-go's interface are declared here, so that "event-gen scan --rbac" tells
	// their rights from those of client-go's own.
	StartRecordingToSink(stopCh <-chan struct{})
	NewRecorder(name string) events.EventRecorderLogger
	DeprecatedNewLegacyRecorder(name string) record.EventRecorderLogger
	Shutdown()
	Accounted
}

type adapter struct {
	events   *eventsBroadcaster
	core     *coreBroadcaster
	coreSink record.EventSink
}

// NewEventBroadcasterAdapter replaces events.NewEventBroadcasterAdapterWithContext. It does not use
// discovery: all supported servers have both groups, and rights decide which group accepts an
// event. The end of ctx is a Shutdown, as with WithContext. The requests count against the limits
// of the clientset; a clientset of the recorder's own does not slow down the controller. It panics
// on invalid options.
func NewEventBroadcasterAdapter(ctx context.Context, client kubernetes.Interface, opts ...Option) EventBroadcasterAdapter {
	opts = append([]Option{WithContext(ctx)}, opts...)
	coreSink := &typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}
	c := newConfig(opts)
	return &adapter{
		events:   newEventsBroadcaster(c, newFallbackSink(&c, client, coreSink)),
		core:     newBroadcaster(opts),
		coreSink: coreSink,
	}
}

// fallbackSink writes events.k8s.io/v1, and the core group where the server does not let it.
type fallbackSink struct {
	events *eventsSink
	core   *coreSink
	choice *apiserver.Groups
}

func newFallbackSink(c *config, client kubernetes.Interface, core record.EventSink) *fallbackSink {
	message, log := c.correlator.MessageFunc, c.log
	return &fallbackSink{
		events: &eventsSink{sink: &events.EventSinkImpl{Interface: client.EventsV1()}, message: message},
		core:   &coreSink{sink: core, message: message, asEvents: true},
		choice: apiserver.NewGroups(nil, func(err error) {
			log.Info("Events are written through the core group from now on", "because", err.Error())
		}),
	}
}

func (s *fallbackSink) Write(ctx context.Context, w *sink.Write) sink.Answer {
	return s.choice.Write(w, func(via, shape form.Form, w *sink.Write) sink.Answer {
		if via == form.CoreV1 {
			return s.core.write(ctx, shape, w)
		}
		return s.events.Write(ctx, w)
	})
}

// StartRecordingToSink writes the events of all recorders until stopCh is closed.
func (a *adapter) StartRecordingToSink(stopCh <-chan struct{}) {
	a.events.StartRecordingToSink(stopCh)
	recording := a.core.StartRecordingToSink(a.coreSink)
	if !a.core.distributor.until(wait.ContextForChannel(stopCh), a, recording.Stop) {
		recording.Stop() // the same channel was given before
	}
}

// NewRecorder returns a recorder whose events name a reporting controller. It also has a method
// AnnotatedEventf.
func (a *adapter) NewRecorder(name string) events.EventRecorderLogger {
	return a.events.NewRecorder(scheme.Scheme, name)
}

// DeprecatedNewLegacyRecorder returns a recorder of the core group, whose events name a component.
func (a *adapter) DeprecatedNewLegacyRecorder(name string) record.EventRecorderLogger {
	return a.core.NewRecorder(scheme.Scheme, corev1.EventSource{Component: name})
}

// Shutdown is ShutdownWithContext with a limit of 10 seconds. It logs the occurrences that are left
// then.
func (a *adapter) Shutdown() { inTime(a.events.distributor.log, a.ShutdownWithContext) }

// ShutdownWithContext ends recording in both groups; see RecordBroadcaster.ShutdownWithContext.
func (a *adapter) ShutdownWithContext(ctx context.Context) error {
	core := make(chan error, 1)
	go func() { core <- a.core.ShutdownWithContext(ctx) }()
	return errors.Join(a.events.ShutdownWithContext(ctx), <-core)
}

// Stats accounts for the events of all recorders.
func (a *adapter) Stats() eventrt.Stats {
	sum, core := a.events.Stats(), a.core.Stats()
	sum.Add(&core)
	return sum
}
