package clientgo

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Accounted is what the broadcasters of this package have, and those of client-go lack.
type Accounted interface {
	// ShutdownWithContext ends recording: later events count as rejected. It writes pending events
	// and shows them to watchers, until all are written or ctx ends. The error has a
	// *broadcaster.ShutdownError for each sink with occurrences left; further calls return the same
	// error. Shutdown is ShutdownWithContext with a limit of 10 seconds.
	ShutdownWithContext(ctx context.Context) error
	// Stats returns a snapshot of the account.
	Stats() eventrt.Stats
}

// RecordBroadcaster implements client-go's record.EventBroadcaster, for events of the core group.
// It holds no goroutine until recording or watching is started, and is safe for concurrent use.
type RecordBroadcaster interface {
	record.EventBroadcaster
	Accounted
}

type coreBroadcaster struct {
	distributor *distributor

	mu      sync.Mutex
	servers map[any]*shared // recordings, by serverOf
}

// NewBroadcaster replaces record.NewBroadcaster. It panics on invalid options.
func NewBroadcaster(opts ...Option) RecordBroadcaster { return newBroadcaster(opts) }

func newBroadcaster(opts []Option) *coreBroadcaster {
	asObject := func(e *eventrt.Event) k8sruntime.Object { return coreEvent(e) }
	return &coreBroadcaster{distributor: newDistributor(newConfig(opts), false, asObject), servers: map[any]*shared{}}
}

// StartRecordingToSink writes events to a sink, with state of its own: all events recorded from now
// on, until the result is stopped or the broadcaster shut down. A sink other than client-go's has
// one call at a time (WithConcurrentSink). It takes no context, so a call that does not come back
// stays in flight.
//
// Sinks of one server share a recording, so that each event is stored once: sinks on client-go
// clients with equal addresses, and a sink that is started again. The recording ends when all of
// them are stopped.
func (b *coreBroadcaster) StartRecordingToSink(sink record.EventSink) watch.Interface {
	if sink == nil {
		panic("clientgo: StartRecordingToSink: expected a sink, found nil")
	}
	s, err := b.start(sink)
	if err != nil {
		b.distributor.log.Error(err, "Unable to start recording to a sink (will not retry!)")
		return watch.NewEmptyWatch()
	}
	return s
}

func (b *coreBroadcaster) start(sink record.EventSink) (*start, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.distributor.running(); err != nil {
		return nil, err
	}
	s := &start{owner: b, sink: &coreSink{sink: sink, message: b.distributor.config.correlator.MessageFunc}}
	server := serverOf(sink)
	if found := b.servers[server]; found != nil {
		found.starts++
		found.target.add(s.sink)
		s.shared = found
		return s, nil
	}
	s.shared = &shared{target: &target{sinks: []*coreSink{s.sink}}, starts: 1}
	opts, policy := b.distributor.config.corePipeline()
	opts.Sink = s.target
	_, isClients := sink.(*typedcorev1.EventSinkImpl)
	opts.Correlator.OneCall = !isClients && !b.distributor.config.concurrent
	var err error
	if s.recording, err = b.distributor.start(opts, policy); err != nil {
		return nil, err
	}
	if server != nil {
		b.servers[server] = s.shared
	}
	return s, nil
}

// StartEventWatcher calls a function with every event from now on, in the order of recording, until
// the result, a Watcher, is stopped. All watchers see the same event and must not change it.
func (b *coreBroadcaster) StartEventWatcher(eventHandler func(*corev1.Event)) watch.Interface {
	w, err := b.distributor.watchers.start(func(object k8sruntime.Object) { eventHandler(object.(*corev1.Event)) })
	if err != nil {
		b.distributor.log.Error(err, "Unable to start event watcher (will not retry!)")
		return watch.NewEmptyWatch()
	}
	return w
}

// StartLogging logs every event from now on by a function such as klog.Infof.
func (b *coreBroadcaster) StartLogging(logf func(format string, args ...any)) watch.Interface {
	return b.StartEventWatcher(func(e *corev1.Event) {
		logf("Event(%#v): type: '%v' reason: '%v' %v", e.InvolvedObject, e.Type, e.Reason, e.Message)
	})
}

// StartStructuredLogging logs every event from now on to the logger of the broadcaster's context
// (WithContext), else to klog.
func (b *coreBroadcaster) StartStructuredLogging(verbosity klog.Level) watch.Interface {
	logger := b.distributor.log.V(int(verbosity))
	return b.StartEventWatcher(func(e *corev1.Event) {
		o := &e.InvolvedObject
		logger.Info("Event occurred", "object", klog.KRef(o.Namespace, o.Name), "fieldPath", o.FieldPath, "kind", o.Kind,
			"apiVersion", o.APIVersion, "type", e.Type, "reason", e.Reason, "message", e.Message)
	})
}

// NewRecorder returns a recorder whose events name a source. The scheme finds the kinds of objects
// that do not carry their own.
func (b *coreBroadcaster) NewRecorder(scheme *k8sruntime.Scheme, from corev1.EventSource) record.EventRecorderLogger {
	return newRecorder(b.distributor, scheme, from, b.distributor.log)
}

// Shutdown is ShutdownWithContext with a limit of 10 seconds. It logs the occurrences that are left
// then.
func (b *coreBroadcaster) Shutdown() { b.distributor.shutdownInTime() }

func (b *coreBroadcaster) ShutdownWithContext(ctx context.Context) error {
	return b.distributor.shutdown(ctx)
}

// Stats accounts for all events, once for each server that they are written to. Events recorded
// before any sink was started count as rejected.
func (b *coreBroadcaster) Stats() eventrt.Stats { return b.distributor.stats() }
