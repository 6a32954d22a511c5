//go:build !race

// The race detector holds memory of its own, which would count here.

package correlator

import (
	"fmt"
	stdruntime "runtime"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// podEvent is an event about a pod with a UUID and a name of 30 bytes.
func podEvent(def *eventrt.Definition, namespace string, n int, args ...eventrt.Arg) eventrt.Event {
	return eventrt.NewEvent(def, eventrt.ReferenceOf(&corev1.ObjectReference{
		APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: fmt.Sprintf("a-pod-with-a-name-of-30b-%06d", n),
		UID: types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n)), ResourceVersion: "12345678",
	}), eventrt.ObjectRef{}, args...)
}

// TestAnIdleIdentityIsSmall measures the heap that 100,000 idle events take, each about an object
// of its own.
func TestAnIdleIdentityIsSmall(t *testing.T) {
	const identities, most = 100_000, 512
	def := &eventrt.Definition{Name: "Idle", Reason: "Idle", Action: "Idle", Type: eventrt.Normal, Message: []eventrt.Segment{{Text: "idle"}}}
	def.Regarding.APIVersion, def.Regarding.Kind = "v1", "Pod"
	before := heapBytes()
	c := newCorrelator(Options{MaxEvents: identities, MaxBytes: 1 << 30})
	for n := range identities {
		e := podEvent(def, "default", n)
		writeNow(c, &e, eventrt.Instant{Mono: time.Duration(n) * time.Microsecond, Wall: time.Unix(1_700_000_000, int64(n))})
	}
	grown := heapBytes() - before
	t.Logf("%d bytes of heap each, %d are counted", grown/identities, c.Stats().Bytes/identities)
	if grown > most*identities {
		t.Errorf("%d bytes each, at most %d may be", grown/identities, most)
	}
	stdruntime.KeepAlive(c)
}

// writeNow records an event and has it acknowledged.
func writeNow(c *Correlator, e *eventrt.Event, now eventrt.Instant) {
	var w sink.Write
	c.Observe(e, now)
	for ok, _ := c.Next(now, &w); ok; ok, _ = c.Next(now, &w) {
		c.Done(&w, sink.Answer{Outcome: sink.Done, ResourceVersion: 99}, now)
	}
}

// TestManyNamespaces holds an event in each of 90,000 namespaces: pending ones, idle ones, and ones
// that are forbidden.
func TestManyNamespaces(t *testing.T) {
	const namespaces = 90_000
	for _, state := range []string{"pending", "idle", "forbidden"} {
		before := heapBytes()
		c := newCorrelator(Options{})
		now := eventrt.Instant{Wall: time.Unix(1_700_000_000, 0)}
		var w sink.Write
		for n := range namespaces {
			e := podEvent(normal, fmt.Sprint("namespace-", n), n, eventrt.String("text"))
			c.Observe(&e, now)
			if state == "pending" {
				continue
			}
			for ok, _ := c.Next(now, &w); ok; ok, _ = c.Next(now, &w) {
				a := done()
				if state == "forbidden" {
					a = forbidden()
				}
				c.Done(&w, a, now)
			}
		}
		s := c.Stats()
		grown := heapBytes() - before
		t.Logf("%s: %d events: %d MiB are counted, the heap has grown by %d MiB", state, s.Identities, s.Bytes>>20, grown>>20)
		if ratio := float64(s.Bytes) / float64(grown); ratio < 0.75 || ratio > 1.25 || s.Bytes > defaultMaxBytes {
			t.Errorf("%s: %d bytes are counted, the heap has grown by %d", state, s.Bytes, grown)
		}
		stdruntime.KeepAlive(c)
	}
}

// TestMemoryIsGivenBack holds many objects, lets them expire, and calls nothing but what an owner
// at rest calls.
func TestMemoryIsGivenBack(t *testing.T) {
	const objects = 20_000
	before := heapBytes()
	c := newCorrelator(Options{MaxEvents: 1 << 20, MaxBytes: 1 << 40})
	now := eventrt.Instant{Wall: time.Unix(1_700_000_000, 0)}
	for round := range 2 {
		for n := range objects {
			e := podEvent(normal, fmt.Sprint("ns", n%2000), n, eventrt.String("text"))
			c.Observe(&e, now)
		}
		full := heapBytes() - before
		for rest := now.Mono + defaultEventTTL + 5*time.Minute; now.Mono < rest; {
			var w sink.Write
			ok, wake := c.Next(now, &w)
			if ok {
				c.Done(&w, done(), now)
			} else {
				now.Mono = max(now.Mono, min(wake, rest))
			}
		}
		if n := c.Stats().Identities; n != 0 {
			t.Fatalf("%d events are held", n)
		}
		left := heapBytes() - before
		t.Logf("%d bytes when full, %d when empty, of which %d are counted", full, left, c.Stats().Bytes)
		if left > full/20 {
			t.Errorf("round %d: %d bytes of %d are left", round, left, full)
		}
	}
	stdruntime.KeepAlive(c)
}
