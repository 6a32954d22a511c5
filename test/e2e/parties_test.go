package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// Names of parties, which their objects' names begin with.
const (
	ours   = "ours"   // the pipeline
	dropin = "dropin" // package clientgo
	peer   = "peer"   // client-go
)

// party is a recorder that plays beside others against one server.
type party struct {
	name   string
	record func(pod *corev1.Pod, eventType, reason, message string)
	end    func(context.Context) error // client-go's is over at once, without its backlog
	stats  func() eventrt.Stats        // nil: client-go keeps no accounts
}

// parties are the pipeline, the drop-in, and client-go's tools/record. The clients of the latter
// two have no limit of their own, and client-go's correlator drops nothing, so that what it loses
// it loses to the server's trouble.
func parties(t *testing.T, config *rest.Config) []party {
	t.Helper()
	config = rest.CopyConfig(config)
	config.QPS = -1
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	target := &typedcorev1.EventSinkImpl{Interface: clients.CoreV1().Events("")}
	return []party{newPipeline(t, kube.Auto(config)), newDropIn(target), newPeer(target)}
}

// newBroadcaster starts a broadcaster with its defaults, unless a function changes them.
func newBroadcaster(t *testing.T, target sink.Sink, change ...func(*broadcaster.Options)) *broadcaster.Broadcaster {
	t.Helper()
	o := broadcaster.Options{Sink: target}
	for _, f := range change {
		f(&o)
	}
	b, err := broadcaster.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newPipeline(t *testing.T, target sink.Sink) party {
	return pipeline(ours, newBroadcaster(t, target))
}

func pipeline(name string, b *broadcaster.Broadcaster) party {
	r := eventrt.NewRecorder(b)
	return party{
		name: name, end: b.Shutdown, stats: b.Stats,
		record: func(pod *corev1.Pod, eventType, reason, message string) {
			r.Forward(pod, eventType, reason, "Act", message)
		},
	}
}

func newDropIn(target record.EventSink) party {
	b := clientgo.NewBroadcaster()
	b.StartRecordingToSink(target)
	r := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: dropin})
	return party{
		name: dropin, end: b.ShutdownWithContext, stats: b.Stats,
		record: func(pod *corev1.Pod, eventType, reason, message string) { r.Event(pod, eventType, reason, message) },
	}
}

func newPeer(target record.EventSink) party {
	b := record.NewBroadcaster(record.WithCorrelatorOptions(record.CorrelatorOptions{BurstSize: 1_000_000, QPS: 1000}))
	b.StartRecordingToSink(target)
	r := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: peer})
	return party{
		name: peer, end: func(context.Context) error { b.Shutdown(); return nil },
		record: func(pod *corev1.Pod, eventType, reason, message string) { r.Event(pod, eventType, reason, message) },
	}
}

// each records one event of every party, about objects of their own.
func each(all []party, namespace, object, eventType, reason, message string) {
	for _, p := range all {
		p.record(newPod(namespace, p.name+"-"+object), eventType, reason, message)
	}
}

// endWithin ends every party, and returns the errors by name.
func endWithin(t *testing.T, all []party, d time.Duration) map[string]error {
	t.Helper()
	errs := map[string]error{}
	for _, p := range all {
		ctx, cancel := contextWithin(t, d)
		errs[p.name] = p.end(ctx)
		cancel()
	}
	return errs
}

// storedBy adds up the counts of a namespace's events by party, of those that are kept: nil keeps
// all.
func storedBy(t *testing.T, c *cluster.Cluster, namespace string, keep func(key string) bool) map[string]int32 {
	t.Helper()
	sums := map[string]int32{}
	for key, n := range countStored(t, c, namespace) {
		name, _, _ := strings.Cut(key, "-")
		if keep == nil || keep(key) {
			sums[name] += n
		}
	}
	return sums
}

// awaitAll waits until each of our parties has so many occurrences stored in a namespace, and logs
// what client-go has by then. It fails if nothing more is stored for a minute: how long all takes
// depends on what else the machine does.
func awaitAll(t *testing.T, c *cluster.Cluster, namespace string, want int32) {
	t.Helper()
	begun, progress, last := time.Now(), time.Now(), int32(0)
	for {
		got := storedBy(t, c, namespace, nil)
		if got[ours] == want && got[dropin] == want {
			t.Logf("of %d each, stored after %v more: %v", want, time.Since(begun).Round(100*time.Millisecond), got)
			return
		}
		if sum := got[ours] + got[dropin]; sum > last {
			progress, last = time.Now(), sum
		}
		if time.Since(progress) > faultBound {
			t.Errorf("of %d each, stored after %v, the last of them %v ago: %v", want, time.Since(begun), faultBound, got)
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// awaitAnswers waits until our parties have the answers to all their writes.
func awaitAnswers(t *testing.T, all []party, want uint64) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		waits := false
		for _, p := range all {
			if p.stats == nil {
				continue
			}
			s := p.stats()
			waits = waits || s.Written != want || s.InFlight > 0
		}
		if !waits {
			return
		}
		if time.Since(begun) > faultBound {
			t.Errorf("the answers to %d writes are not there after %v: %+v, %+v", want, faultBound, all[0].stats(), all[1].stats())
			return
		}
	}
}

// checkNothingLost demands that all of so many occurrences were stored by our parties, and logs
// what client-go has stored.
func checkNothingLost(t *testing.T, c *cluster.Cluster, namespace string, all []party, recorded int) {
	t.Helper()
	stored := storedBy(t, c, namespace, nil)
	t.Logf("%d recorded by each; stored: %v", recorded, stored)
	for _, p := range all {
		if p.stats == nil {
			continue
		}
		if s := p.stats(); stored[p.name] != int32(recorded) || s.Lost.Total() != 0 || s.Written != uint64(recorded) {
			t.Errorf("%s: stored %d of %d: %+v", p.name, stored[p.name], recorded, s)
		}
	}
}

// recordSteadily records n events of as many objects, one each pause.
func recordSteadily(all []party, namespace, objects string, n int, pause time.Duration) {
	for i := range n {
		each(all, namespace, fmt.Sprint(objects, "-", i), eventrt.Normal, "Started", "it started")
		time.Sleep(pause)
	}
}

func storedOccurrences(t *testing.T, c *cluster.Cluster, namespace string) (sum int32) {
	t.Helper()
	for _, n := range countStored(t, c, namespace) {
		sum += n
	}
	return sum
}
