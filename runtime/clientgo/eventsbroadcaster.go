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

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// EventsBroadcaster implements client-go's events.EventBroadcaster, for events of events.k8s.io/v1.
// It holds no goroutine until recording or watching is started, and is safe for concurrent use.
type EventsBroadcaster interface {
	events.EventBroadcaster
	Accounted
}

type eventsBroadcaster struct {
	distributor *distributor
	sink        sink.Sink // nil: none

	mu        sync.Mutex
	recording *recording
	starts    int // of the recording, that have not ended, one for each context
}

// NewEventsBroadcaster replaces events.NewBroadcaster. A nil sink is for watching only. It panics
// on invalid options.
func NewEventsBroadcaster(target events.EventSink, opts ...Option) EventsBroadcaster {
	c := newConfig(opts)
	if target == nil {
		return newEventsBroadcaster(c, nil)
	}
	return newEventsBroadcaster(c, &eventsSink{sink: target, message: c.correlator.MessageFunc})
}

func newEventsBroadcaster(c config, target sink.Sink) *eventsBroadcaster {
	asObject := func(e *eventrt.Event) k8sruntime.Object { return eventsEvent(e) }
	return &eventsBroadcaster{distributor: newDistributor(c, c.merged, asObject), sink: target}
}

// StartRecordingToSink is StartRecordingToSinkWithContext until stopCh is closed. An error is
// logged.
func (b *eventsBroadcaster) StartRecordingToSink(stopCh <-chan struct{}) {
	if err := b.StartRecordingToSinkWithContext(wait.ContextForChannel(stopCh)); err != nil {
		b.distributor.log.Error(err, "Failed to start recording to sink")
	}
}

// StartRecordingToSinkWithContext writes events to the sink: all events recorded from now on, until
// ctx ends or the broadcaster is shut down. It then writes pending events in the background, for up
// to 10 seconds; Shutdown waits for that. Several calls record events once, until all their
// contexts have ended.
func (b *eventsBroadcaster) StartRecordingToSinkWithContext(ctx context.Context) error {
	if b.sink == nil {
		return errors.New("the broadcaster was made without a sink")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.starts == 0 {
		opts, policy := b.distributor.config.eventsPipeline()
		opts.Sink = b.sink
		r, err := b.distributor.start(opts, policy)
		if err != nil {
			return err
		}
		b.recording = r
	}
	if err := b.distributor.running(); err != nil {
		return err
	}
	if b.distributor.until(ctx, b, b.stopped) {
		b.starts++
	}
	return nil
}

// stopped takes back one start.
func (b *eventsBroadcaster) stopped() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.starts--; b.starts == 0 {
		b.recording.Stop()
		b.recording = nil
	}
}

// StartEventWatcher calls a function with every event from now on, a *eventsv1.Event, in the order
// of recording, until the returned function is called. All watchers see the same event and must not
// change it.
func (b *eventsBroadcaster) StartEventWatcher(eventHandler func(event k8sruntime.Object)) (func(), error) {
	w, err := b.distributor.watchers.start(eventHandler)
	if err != nil {
		return nil, err
	}
	return w.Stop, nil
}

// StartLogging logs every event from now on.
func (b *eventsBroadcaster) StartLogging(logger klog.Logger) (func(), error) {
	return b.StartEventWatcher(func(object k8sruntime.Object) {
		e := object.(*eventsv1.Event)
		logger.Info("Event occurred", "object", klog.KRef(e.Regarding.Namespace, e.Regarding.Name), "kind", e.Regarding.Kind,
			"apiVersion", e.Regarding.APIVersion, "type", e.Type, "reason", e.Reason, "action", e.Action, "note", e.Note)
	})
}

// StartStructuredLogging is StartLogging to the logger of the broadcaster's context, else to klog.
func (b *eventsBroadcaster) StartStructuredLogging(verbosity klog.Level) func() {
	stop, err := b.StartLogging(b.distributor.log.V(int(verbosity)))
	if err != nil {
		b.distributor.log.Error(err, "Failed to start event watcher")
		return func() {}
	}
	return stop
}

// NewRecorder returns a recorder whose events name a reporting controller, a qualified name; it
// logs an error for a name that no API server takes. It also has a method AnnotatedEventf
// (client-go's events.AnnotatedEventRecorder since v0.37).
func (b *eventsBroadcaster) NewRecorder(scheme *k8sruntime.Scheme, reportingController string) events.EventRecorderLogger {
	checkController(reportingController, b.distributor.log)
	return &eventsRecorder{anyRecorder{
		to:         b.distributor,
		scheme:     scheme,
		controller: controllerSource(reportingController).controller(),
		maxNote:    eventrt.MaxNoteBytes,
		namespaces: true,
		log:        b.distributor.log,
	}}
}

// Shutdown is ShutdownWithContext with a limit of 10 seconds. It logs the occurrences that are left
// then.
func (b *eventsBroadcaster) Shutdown() { b.distributor.shutdownInTime() }

// ShutdownWithContext ends recording: later events count as rejected. It writes pending events and
// shows them to watchers, until all are written or ctx ends. The error, a
// *broadcaster.ShutdownError, gives the occurrences left; further calls return the same error.
func (b *eventsBroadcaster) ShutdownWithContext(ctx context.Context) error {
	return b.distributor.shutdown(ctx)
}

// Stats accounts for all events. Those that were recorded while recording was not started are
// rejected.
func (b *eventsBroadcaster) Stats() eventrt.Stats { return b.distributor.stats() }
