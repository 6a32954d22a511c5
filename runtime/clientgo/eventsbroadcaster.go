package clientgo

import (
	"context"
	"errors"
	"sync"

	eventsv1 "k8s.io/api/events/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/runtime"
)

// EventsBroadcaster implements client-go's events.EventBroadcaster, for events of events.k8s.io/v1. It holds no goroutine
// until recording or watching is started, and is safe for concurrent use.
type EventsBroadcaster struct {
	hub  *hub
	sink runtime.Sink // nil: none

	mu        sync.Mutex
	recording *recording
	starts    int // of the recording, that have not ended, one for each context
}

var _ events.EventBroadcaster = (*EventsBroadcaster)(nil)

// NewEventsBroadcaster returns what events.NewBroadcaster does. A nil sink is for watching only. It panics on options that
// make no sense.
func NewEventsBroadcaster(sink events.EventSink, opts ...Option) *EventsBroadcaster {
	c := newConfig(opts)
	if sink == nil {
		return newEventsBroadcaster(c, nil)
	}
	return newEventsBroadcaster(c, &eventsSink{sink: sink, message: c.correlator.MessageFunc})
}

func newEventsBroadcaster(c config, sink runtime.Sink) *EventsBroadcaster {
	asObject := func(e *runtime.Event) k8sruntime.Object { return eventsEvent(e) }
	return &EventsBroadcaster{hub: newHub(c, c.merged, asObject), sink: sink}
}

// StartRecordingToSink is StartRecordingToSinkWithContext until stopCh is closed. An error is logged.
func (b *EventsBroadcaster) StartRecordingToSink(stopCh <-chan struct{}) {
	if err := b.StartRecordingToSinkWithContext(wait.ContextForChannel(stopCh)); err != nil {
		b.hub.say.error(err, "Failed to start recording to sink")
	}
}

// StartRecordingToSinkWithContext has events written to the sink: what is recorded from now on, until ctx ends or the
// broadcaster is shut down. What is pending then is written in the background, for up to 10 seconds, for which Shutdown
// waits. Events are recorded once, however often this is called, and until all contexts have ended.
func (b *EventsBroadcaster) StartRecordingToSinkWithContext(ctx context.Context) error {
	if b.sink == nil {
		return errors.New("the broadcaster was made without a sink")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.starts == 0 {
		opts, folds := b.hub.config.eventsPipeline()
		opts.Sink = b.sink
		r, err := b.hub.start(opts, folds)
		if err != nil {
			return err
		}
		b.recording = r
	}
	if err := b.hub.running(); err != nil {
		return err
	}
	if b.hub.until(ctx, b, b.stopped) {
		b.starts++
	}
	return nil
}

// stopped takes back one start.
func (b *EventsBroadcaster) stopped() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.starts--; b.starts == 0 {
		b.recording.Stop()
		b.recording = nil
	}
}

// StartEventWatcher has a function called with every event from now on, a *eventsv1.Event, in the order of recording, until
// the function that is returned is called. All watchers see the same event, which must not be changed.
func (b *EventsBroadcaster) StartEventWatcher(eventHandler func(event k8sruntime.Object)) (func(), error) {
	w, err := b.hub.watchers.start(eventHandler)
	if err != nil {
		return nil, err
	}
	return w.Stop, nil
}

// StartLogging has every event from now on logged.
func (b *EventsBroadcaster) StartLogging(logger klog.Logger) (func(), error) {
	return b.StartEventWatcher(func(object k8sruntime.Object) {
		e := object.(*eventsv1.Event)
		logger.Info("Event occurred", "object", klog.KRef(e.Regarding.Namespace, e.Regarding.Name), "kind", e.Regarding.Kind,
			"apiVersion", e.Regarding.APIVersion, "type", e.Type, "reason", e.Reason, "action", e.Action, "note", e.Note)
	})
}

// StartStructuredLogging is StartLogging to the logger of the broadcaster's context, else to klog.
func (b *EventsBroadcaster) StartStructuredLogging(verbosity klog.Level) func() {
	stop, err := b.StartLogging(b.hub.say.logger.V(int(verbosity)))
	if err != nil {
		b.hub.say.error(err, "Failed to start event watcher")
		return func() {}
	}
	return stop
}

// NewRecorder returns a recorder whose events name a reporting controller. It has a method AnnotatedEventf too (client-go's
// events.AnnotatedEventRecorder since v0.37).
func (b *EventsBroadcaster) NewRecorder(scheme *k8sruntime.Scheme, reportingController string) events.EventRecorderLogger {
	return &eventsRecorder{
		to:         b.hub,
		scheme:     scheme,
		controller: controllerSource(reportingController).controller(),
		maxNote:    runtime.MaxNoteBytes,
		say:        b.hub.say,
	}
}

// Shutdown is ShutdownWithContext for 10 seconds. What is left then is logged.
func (b *EventsBroadcaster) Shutdown() { b.hub.shutdownInTime() }

// ShutdownWithContext ends recording: what comes later is counted as rejected. What is pending is written, and shown to
// watchers, until all is or ctx ends. The error says what is left, in a *broadcaster.ShutdownError; further calls return
// the same.
func (b *EventsBroadcaster) ShutdownWithContext(ctx context.Context) error {
	return b.hub.shutdown(ctx)
}

// Stats accounts for all events. Those that were recorded while recording was not started are rejected.
func (b *EventsBroadcaster) Stats() runtime.Stats { return b.hub.stats() }
