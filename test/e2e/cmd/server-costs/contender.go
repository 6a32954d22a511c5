package main

import (
	"context"
	"math"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/kube"
)

const (
	reason    = "BackOff"
	action    = "Restart"
	component = "example.com/server-costs"
)

// recorder records a Warning about a pod; end ends it, having written all that it writes when it is ended.
type recorder struct {
	record func(pod *corev1.Pod, message string, text int)
	end    func() error
}

// contender makes a recorder on a client.
type contender struct {
	name string
	// all says that the recorder writes each occurrence by itself, however many there are. It is not given the next one before there is
	// room in its queue, while the others record at the workload's rate.
	all  bool
	make func(*rest.Config) (recorder, error)
}

const ours = "event-gen"

// contenders stand in the order of the tables. The first is what ours is compared with where it stores everything.
var contenders = []contender{
	{name: "record", make: func(c *rest.Config) (recorder, error) { return newRecord(c, record.CorrelatorOptions{}) }},
	{name: "record, no budgets", all: true, make: func(c *rest.Config) (recorder, error) {
		return newRecord(c, record.CorrelatorOptions{MaxEvents: math.MaxInt32, BurstSize: math.MaxInt32, QPS: math.MaxFloat32, LRUCacheSize: 1 << 20})
	}},
	{name: "events", make: newEvents},
	{name: ours, make: newOurs},
}

func newRecord(cfg *rest.Config, o record.CorrelatorOptions) (recorder, error) {
	clients, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return recorder{}, err
	}
	b := record.NewBroadcaster(record.WithCorrelatorOptions(o))
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: clients.CoreV1().Events("")})
	r := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component})
	return recorder{
		record: func(pod *corev1.Pod, message string, _ int) { r.Event(pod, corev1.EventTypeWarning, reason, message) },
		end:    func() error { b.Shutdown(); return nil },
	}, nil
}

// newEvents tells events apart by their action, as the note is no part of this package's key.
func newEvents(cfg *rest.Config) (recorder, error) {
	clients, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return recorder{}, err
	}
	b := events.NewBroadcaster(&events.EventSinkImpl{Interface: clients.EventsV1()})
	ctx, cancel := context.WithCancel(context.Background())
	if err := b.StartRecordingToSinkWithContext(ctx); err != nil {
		cancel()
		return recorder{}, err
	}
	r := b.NewRecorder(scheme.Scheme, component)
	return recorder{
		record: func(pod *corev1.Pod, message string, text int) {
			r.Eventf(pod, nil, corev1.EventTypeWarning, reason, actionOf(text), "%s", message)
		},
		end: func() error { b.Shutdown(); cancel(); return nil },
	}, nil
}

func newOurs(cfg *rest.Config) (recorder, error) {
	b, err := broadcaster.New(broadcaster.Options{Sink: kube.Options{QPS: -1}.EventsV1(cfg)})
	if err != nil {
		return recorder{}, err
	}
	r := runtime.NewRecorder(b).WithReportingController(component)
	return recorder{
		record: func(pod *corev1.Pod, message string, _ int) { r.Forward(pod, runtime.Warning, reason, action, message) },
		end: func() error {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			return b.Shutdown(ctx)
		},
	}, nil
}

func actionOf(text int) string { return action + "-" + strconv.Itoa(text) }
