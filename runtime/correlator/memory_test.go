package correlator

import (
	"fmt"
	stdruntime "runtime"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/runtime"
)

// TestAnIdleIdentityIsSmall measures the heap that 100,000 idle identities take, each with an object of its own, a UUID
// and a name of 30 bytes.
func TestAnIdleIdentityIsSmall(t *testing.T) {
	const identities, most = 100_000, 256
	def := &runtime.Definition{Name: "Idle", Reason: "Idle", Action: "Idle", Type: runtime.Normal, Message: []runtime.Segment{{Text: "idle"}}}
	shards := make([]*Correlator, 16)
	for n := range shards {
		shards[n] = New(Options{MaxIdentities: identities, MaxBytes: 1 << 30})
	}
	before := heapAlloc()
	for n := range identities {
		e := runtime.NewEvent(def, runtime.ReferenceOf(&corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: "default",
			Name:            fmt.Sprintf("a-pod-with-a-name-of-30b-%05d", n),
			UID:             types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n)),
			ResourceVersion: "12345678",
		}), runtime.ObjectRef{})
		writeNow(shards[n%len(shards)], &e, runtime.Instant{Mono: time.Duration(n) * time.Microsecond, Wall: time.Unix(1_700_000_000, int64(n))})
	}
	each := float64(heapAlloc()-before) / identities
	said := shards[0].Stats().Bytes / int64(shards[0].Stats().Identities)
	t.Logf("%.1f bytes of heap each, %d by our own account", each, said)
	if each > most {
		t.Errorf("%.1f bytes each, at most %d may be", each, most)
	}
	if float64(said) < 0.8*each || float64(said) > 1.2*each {
		t.Errorf("by our own account %d bytes each, the heap says %.1f", said, each)
	}
	stdruntime.KeepAlive(shards)
}

// writeNow records an event and has it acknowledged.
func writeNow(c *Correlator, e *runtime.Event, now runtime.Instant) {
	var w runtime.Write
	c.Observe(e, ObjectHash(e), now)
	for c.Next(now, &w) {
		c.Done(&w, runtime.Answer{Outcome: runtime.Done, ResourceVersion: 99}, now)
	}
}

func heapAlloc() uint64 {
	stdruntime.GC()
	var m stdruntime.MemStats
	stdruntime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestMemoryIsGivenBack holds many objects, lets them expire, and calls nothing but what an owner at rest calls.
func TestMemoryIsGivenBack(t *testing.T) {
	const objects = 20_000
	before := int64(heapAlloc())
	c := New(Options{MaxIdentities: 1 << 20, MaxBytes: 1 << 40})
	now := runtime.Instant{Wall: time.Unix(1_700_000_000, 0)}
	for round := range 2 {
		for n := range objects {
			e := runtime.NewEvent(normal, runtime.ReferenceOf(&corev1.ObjectReference{APIVersion: "v1", Kind: fmt.Sprint("K", n%5000), Namespace: fmt.Sprint("ns", n%20), Name: fmt.Sprint("o", n)}), runtime.ObjectRef{}, runtime.String("text"))
			if c.Observe(&e, ObjectHash(&e), now); n == 0 {
				writeNow(c, &e, now)
			}
		}
		full := int64(heapAlloc()) - before
		for w := (runtime.Write{}); c.Next(now, &w); {
			c.Done(&w, runtime.Answer{Outcome: runtime.Done}, now)
		}
		rest(t, c, &now, 2*time.Minute)
		if idle := int64(heapAlloc()) - before; !raceEnabled && float64(c.Stats().Bytes) < 0.9*float64(idle) {
			t.Errorf("round %d: %d bytes are counted of what is idle, the heap has %d", round, c.Stats().Bytes, idle)
		}
		rest(t, c, &now, DefaultEventTTL+3*time.Minute)
		if n := c.Stats().Identities; n != 0 {
			t.Fatalf("%d identities are held", n)
		}
		if left := int64(heapAlloc()) - before; left > full/50 {
			t.Errorf("round %d: %d bytes of %d are left", round, left, full)
		}
	}
	stdruntime.KeepAlive(c)
}

// rest lets time pass, in which an owner calls Due when it is asked to.
func rest(t *testing.T, c *Correlator, now *runtime.Instant, d time.Duration) {
	t.Helper()
	end := now.Mono + d
	for calls := 0; ; calls++ {
		c.Due(now.Mono)
		at, ok := c.TidyAt()
		if !ok || at > end {
			break
		}
		if calls > 10_000 {
			t.Fatal("no end")
		}
		now.Mono = max(now.Mono, at)
	}
	now.Mono = end
}
