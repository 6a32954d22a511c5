package clientgo_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/record"
	testclock "k8s.io/utils/clock/testing"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
)

// said is an event about the pod.
type said struct{ reason, message string }

// TestCorrelatorOptionsHaveEffects shows for each field what it changes.
func TestCorrelatorOptionsHaveEffects(t *testing.T) {
	const prefix = eventrt.AggregatePrefix
	abc := []said{{"r", "a"}, {"r", "b"}, {"r", "c"}}
	tests := map[string]struct {
		options  record.CorrelatorOptions
		events   []said
		interval time.Duration
		want     map[string]int32
	}{
		"MaxEvents":     {record.CorrelatorOptions{MaxEvents: 3}, abc, 1, map[string]int32{"a": 1, "b": 1, prefix + "c": 1}},
		"MaxEvents one": {record.CorrelatorOptions{MaxEvents: 1}, abc, 1, map[string]int32{prefix + "c": 3}},
		"MaxIntervalInSeconds": {record.CorrelatorOptions{MaxEvents: 2, MaxIntervalInSeconds: 5}, abc, 6 * time.Second,
			map[string]int32{"a": 1, "b": 1, "c": 1}},
		"BurstSize, a repeat": {record.CorrelatorOptions{BurstSize: 1}, []said{abc[0], abc[0], abc[0]}, 1, map[string]int32{"a": 3}},
		// client-go: skipped
		"BurstSize, another reason": {record.CorrelatorOptions{BurstSize: 1}, []said{abc[0], {"other", "b"}}, 1, map[string]int32{"a": 1, "b": 1}},
		"BurstSize":                 {record.CorrelatorOptions{BurstSize: 2}, abc, 1, map[string]int32{"a": 1, "b": 1, prefix + "c": 1}},
		"QPS":                       {record.CorrelatorOptions{BurstSize: 1, QPS: 0.5}, abc, 2 * time.Second, map[string]int32{"a": 1, "b": 1, "c": 1}},
		"QPS too low": {record.CorrelatorOptions{BurstSize: 1, QPS: 0.25}, abc, 2 * time.Second,
			map[string]int32{"a": 1, prefix + "b": 1, "c": 1}},
		// each event makes the one before forgotten
		"LRUCacheSize": {record.CorrelatorOptions{LRUCacheSize: 1},
			[]said{abc[0], abc[1], abc[0]}, time.Minute, map[string]int32{"a": 2, "b": 1}},
		"KeyFunc": {record.CorrelatorOptions{MaxEvents: 2, KeyFunc: func(e *corev1.Event) (string, string) {
			return e.Reason + e.Message, "one" // each message is a group
		}}, abc, 1, map[string]int32{"a": 1, "b": 1, "c": 1}},
		"KeyFunc that merges": {record.CorrelatorOptions{MaxEvents: 2, KeyFunc: func(e *corev1.Event) (string, string) {
			return "all", e.Reason // messages are not distinct, reasons are
		}}, append(abc, said{"other", "d"}), 1, map[string]int32{"a": 1, "b": 1, "c": 1, prefix + "d": 1}},
		"SpamKeyFunc": {record.CorrelatorOptions{BurstSize: 1, SpamKeyFunc: func(e *corev1.Event) string { return e.Message }},
			abc, 1, map[string]int32{"a": 1, "b": 1, "c": 1}},
		"SpamKeyFunc by object": {record.CorrelatorOptions{BurstSize: 1, SpamKeyFunc: func(e *corev1.Event) string { return e.InvolvedObject.Name }},
			// client-go: skipped
			[]said{abc[0], {"other", "b"}}, 1, map[string]int32{"a": 1, prefix + "b": 1}},
		"SpamKeyFunc that panics": {record.CorrelatorOptions{BurstSize: 1, SpamKeyFunc: func(*corev1.Event) string { panic("no") }},
			abc, 1, map[string]int32{"a": 1, "b": 1, "c": 1}},
		"MessageFunc": {record.CorrelatorOptions{MaxEvents: 2, MessageFunc: func(e *corev1.Event) string { return "many: " + e.Message }},
			abc, 1, map[string]int32{"a": 1, "many: c": 2}},
		"MessageFunc that panics": {record.CorrelatorOptions{MaxEvents: 2, MessageFunc: func(*corev1.Event) string { panic("no") }},
			abc, 1, map[string]int32{"a": 1, prefix + "c": 2}},
		"Clock that stands still": {record.CorrelatorOptions{MaxEvents: 2, Clock: testclock.NewFakePassiveClock(time.Unix(0, 0))},
			abc, time.Hour, map[string]int32{"a": 1, prefix + "c": 2}},
	}
	for name, c := range tests {
		bubble(t, name, func(t *testing.T) {
			r := newCoreRig(t, clientgo.WithCorrelatorOptions(c.options))
			for _, e := range c.events {
				r.event(e.reason, e.message)
				later(c.interval)
			}
			if counts := r.stored(); !maps.Equal(counts, c.want) {
				t.Errorf("stored %v, want %v", counts, c.want)
			}
			if s := conserved(t, r.Stats()); s.Written != uint64(len(c.events)) {
				t.Errorf("accounts: %+v", s)
			}
		})
	}
}

func TestSleepDurationIsTheRetryDelay(t *testing.T) {
	for _, c := range []struct {
		opts []clientgo.Option
		want []time.Duration
	}{
		{nil, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 10 * time.Second, 10 * time.Second}},
		{[]clientgo.Option{clientgo.WithSleepDuration(4 * time.Second)}, []time.Duration{4 * time.Second, 8 * time.Second, 10 * time.Second}},
		{[]clientgo.Option{clientgo.WithSleepDuration(time.Minute)}, []time.Duration{time.Minute, time.Minute}},
		{[]clientgo.Option{clientgo.WithSleepDuration(0)}, []time.Duration{time.Millisecond, time.Millisecond, time.Millisecond}},
	} {
		bubble(t, fmt.Sprint(c.want[0]), func(t *testing.T) {
			r := newCoreRig(t, c.opts...)
			var at []time.Time
			r.sink.before = func(string, *corev1.Event) error {
				if at = append(at, time.Now()); len(at) > len(c.want) {
					return nil
				}
				return apierrors.NewInternalError(errors.New("not now"))
			}
			r.event("r", "a")
			later(time.Hour)
			for i, want := range c.want {
				if got := at[i+1].Sub(at[i]); got != want {
					t.Errorf("delay %d: %v, want %v", i, got, want)
				}
			}
		})
	}
}

func TestConcurrentSink(t *testing.T) {
	// a sink that is not client-go's own is called by one
	for want, opts := range map[int32][]clientgo.Option{1: nil, 9: {clientgo.WithConcurrentSink()}} {
		bubble(t, fmt.Sprint(want), func(t *testing.T) {
			var busy, most atomic.Int32
			sink := &slowSink{enter: func() {
				most.Store(max(most.Load(), busy.Add(1)))
				// beside one that takes longer others may be called, unless one may be in flight
				if time.Sleep(900 * time.Millisecond); want == 1 {
					time.Sleep(time.Minute / 20)
				}
				busy.Add(-1)
			}}
			b := clientgo.NewBroadcaster(opts...)
			b.StartRecordingToSink(sink)
			recorder := b.NewRecorder(nil, testSource)
			for i := range 9 {
				pod := podNamed(fmt.Sprint("pod-", i))
				pod.Namespace = fmt.Sprint("ns-", i) // one namespace has half of them
				recorder.Event(pod, corev1.EventTypeNormal, "r", "x")
			}
			later(time.Minute)
			b.Shutdown()
			if most.Load() != want {
				t.Errorf("%d calls at once, want %d", most.Load(), want)
			}
		})
	}
}

// slowSink calls a function outside of any lock.
type slowSink struct{ enter func() }

func (s *slowSink) Create(e *corev1.Event) (*corev1.Event, error) { s.enter(); return e, nil }
func (s *slowSink) Update(e *corev1.Event) (*corev1.Event, error) { s.enter(); return e, nil }
func (s *slowSink) Patch(e *corev1.Event, _ []byte) (*corev1.Event, error) {
	s.enter()
	return e, nil
}

func TestOptionsThatMakeNoSensePanic(t *testing.T) {
	for name, opt := range map[string]clientgo.Option{
		"CorrelatorOptions.LRUCacheSize":         clientgo.WithCorrelatorOptions(record.CorrelatorOptions{LRUCacheSize: -1}),
		"CorrelatorOptions.BurstSize":            clientgo.WithCorrelatorOptions(record.CorrelatorOptions{BurstSize: -1}),
		"CorrelatorOptions.QPS":                  clientgo.WithCorrelatorOptions(record.CorrelatorOptions{QPS: -1}),
		"CorrelatorOptions.MaxEvents":            clientgo.WithCorrelatorOptions(record.CorrelatorOptions{MaxEvents: -1}),
		"CorrelatorOptions.MaxIntervalInSeconds": clientgo.WithCorrelatorOptions(record.CorrelatorOptions{MaxIntervalInSeconds: -1}),
		"WithSleepDuration":                      clientgo.WithSleepDuration(-1),
		"WithFullWatchers":                       clientgo.WithFullWatchers(watch.FullChannelBehavior(7)),
	} {
		for _, construct := range []func(){
			func() { clientgo.NewBroadcaster(opt) },
			func() { clientgo.NewEventsBroadcaster(nil, opt) },
		} {
			if said := panicOf(construct); !strings.Contains(said, name) || !strings.Contains(said, "found") {
				t.Errorf("%s: panicked with %q", name, said)
			}
		}
	}
	//lint:ignore SA1012 client-go takes a nil context too
	b := clientgo.NewBroadcaster(clientgo.WithContext(nil))
	defer b.Shutdown()
	for what, call := range map[string]func(){
		"StartRecordingToSink": func() { b.StartRecordingToSink(nil) },
	} {
		if said := panicOf(call); !strings.Contains(said, what) {
			t.Errorf("%s(nil): panicked with %q", what, said)
		}
	}
}

func panicOf(f func()) (said string) {
	defer func() { said = fmt.Sprint(recover()) }()
	f()
	return ""
}

// TestAKeyFuncThatPanicsIsNamed in the log, once, and budgets hold all the same.
func TestAKeyFuncThatPanicsIsNamed(t *testing.T) {
	bubble(t, "", func(t *testing.T) {
		r := newCoreRig(t, clientgo.WithCorrelatorOptions(record.CorrelatorOptions{
			KeyFunc: func(*corev1.Event) (string, string) { panic("oh") },
		}))
		const budget = 25
		for n := range budget + 10 {
			r.event("Started", fmt.Sprint("message ", n))
		}
		later(time.Minute)
		if n := len(r.sink.list()); n != budget+1 {
			t.Errorf("%d events are stored, expected those of the budget and one for the rest", n)
		}
		if said := r.log.all(); strings.Count(said, `"function"="KeyFunc"`) != 1 {
			t.Errorf("logged %s", said)
		}
	})
}
