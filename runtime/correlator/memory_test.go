//go:build !race

// The race detector holds memory of its own, which would count here.

package correlator

import (
	"fmt"
	"maps"
	"math/rand/v2"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	testseed "github.com/event-gen/event-gen/runtime/internal/seed"
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
// of its own. Constant labels take none.
func TestAnIdleIdentityIsSmall(t *testing.T) {
	keys := []string{"app.kubernetes.io/instance", "app.kubernetes.io/name", "team"}
	var constants, copied []eventrt.AnnotationDefinition
	for _, key := range keys {
		constants = append(constants, eventrt.AnnotationDefinition{Key: key, Value: []eventrt.Segment{{Text: "storage"}}})
		copied = append(copied, eventrt.AnnotationDefinition{Key: key})
	}
	for _, c := range []struct {
		name   string
		labels []eventrt.AnnotationDefinition
		most   int64
	}{{"no labels", nil, 512}, {"three constant labels", constants, 512}, {"three copied labels", copied, 896}} {
		each, counted := idleBytes(c.labels, keys)
		t.Logf("%s: %d bytes of heap each, %d are counted", c.name, each, counted)
		if each > c.most {
			t.Errorf("%s: %d bytes each, at most %d may be", c.name, each, c.most)
		}
	}
}

// idleBytes measures the heap of an idle event, and what the correlator counts. The objects have
// labels of the keys, with a hundred values.
func idleBytes(labels []eventrt.AnnotationDefinition, keys []string) (each, counted int64) {
	const identities = 100_000
	def := &eventrt.Definition{Name: "Idle", Reason: "Idle", Action: "Idle", Type: eventrt.Normal, Message: []eventrt.Segment{{Text: "idle"}}, Labels: labels}
	def.Regarding.APIVersion, def.Regarding.Kind = "v1", "Pod"
	before := heapBytes()
	c := newCorrelator(Options{MaxEvents: identities, MaxBytes: 1 << 30})
	var w sink.Write
	for n := range identities {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprintf("a-pod-with-a-name-of-30b-%06d", n),
			UID: types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n)), ResourceVersion: "12345678", Labels: map[string]string{}}}
		for _, key := range keys {
			pod.Labels[key] = fmt.Sprintf("value-of-20-bytes-%d", n%100)
		}
		e := eventrt.NewEvent(def, eventrt.ObjectOf(pod), eventrt.ObjectRef{})
		now := clock.Instant{Mono: time.Duration(n) * time.Microsecond, Wall: time.Unix(1_700_000_000, int64(n))}
		c.Observe(&e, now)
		for ok, _ := c.Next(now, &w); ok; ok, _ = c.Next(now, &w) {
			c.Done(&w, done(), now)
		}
	}
	each, counted = (heapBytes()-before)/identities, c.Stats().Bytes/identities
	goruntime.KeepAlive(c)
	return each, counted
}

// TestManyNamespaces holds an event in each of 90,000 namespaces: pending ones, idle ones, and ones
// that are forbidden.
func TestManyNamespaces(t *testing.T) {
	const namespaces = 90_000
	for _, state := range []string{"pending", "idle", "forbidden"} {
		before := heapBytes()
		c := newCorrelator(Options{})
		now := clock.Instant{Wall: time.Unix(1_700_000_000, 0)}
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
		goruntime.KeepAlive(c)
	}
}

// TestMemoryIsGivenBack holds many objects, lets them expire, and makes only the calls of an owner
// at rest.
func TestMemoryIsGivenBack(t *testing.T) {
	const objects = 20_000
	before := heapBytes()
	c := newCorrelator(Options{MaxEvents: 1 << 20, MaxBytes: 1 << 40})
	now := clock.Instant{Wall: time.Unix(1_700_000_000, 0)}
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
	goruntime.KeepAlive(c)
}

// mixes make events that hold memory of all sorts.
var mixes = map[string]func(rng *rand.Rand, n int) eventrt.Event{
	"strings": func(rng *rand.Rand, n int) eventrt.Event {
		return about(fmt.Sprint("object-", n/3), normal, fmt.Sprint(n, piece(rng, 1000)))
	},
	"long names": func(rng *rand.Rand, n int) eventrt.Event {
		name := fmt.Sprint(n, piece(rng, 1<<16))
		return about(name[:min(len(name), 200)], warning, "x")
	},
	"annotations": func(rng *rand.Rand, n int) eventrt.Event {
		annotations := map[string]string{}
		for k := range rng.IntN(9) {
			annotations[fmt.Sprint("k", k)] = piece(rng, 100)
		}
		sent := capture{}
		eventrt.NewRecorder(&sent).WithAnnotations(annotations).Emit(about(fmt.Sprint("a", n), normal, ""))
		return sent.e
	},
	"controllers": func(rng *rand.Rand, n int) eventrt.Event {
		sent := capture{}
		controller := fmt.Sprintf("example.com/c%03d", rng.IntN(1000)) + piece(rng, 1<<16)
		eventrt.NewRecorder(&sent).WithReportingController(controller[:len("example.com/c000")]).Emit(about(fmt.Sprint("c", n), normal, ""))
		return sent.e
	},
	"forwarded reasons": func(rng *rand.Rand, n int) eventrt.Event {
		sent := capture{}
		ref := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: fmt.Sprint("f", n/4)}
		eventrt.NewRecorder(&sent).Forward(ref, "Normal", fmt.Sprint("R", n, piece(rng, 100)), fmt.Sprint("A", rng.IntN(50)), piece(rng, 100))
		return sent.e
	},
	"related": func(rng *rand.Rand, n int) eventrt.Event {
		f := base()
		f.regarding.UID, f.regarding.Name, f.related.Name = types.UID(fmt.Sprint("uid-", n)), fmt.Sprint("r", n), piece(rng, 60)
		return f.event()
	},
	"kinds and field paths": func(rng *rand.Rand, n int) eventrt.Event {
		f := base()
		f.regarding.Kind, f.regarding.FieldPath, f.related.Kind = fmt.Sprint("K", n, piece(rng, 1000)), piece(rng, 1000), fmt.Sprint("K", piece(rng, 1000))
		return f.event()
	},
	"definitions of their own": func(rng *rand.Rand, n int) eventrt.Event {
		own := testDefinition(fmt.Sprint("R", n, piece(rng, 1000)), eventrt.Normal)
		own.Forwarded = true
		return about(fmt.Sprint("o", n/3), own, "x")
	},
	"many distinct": func(rng *rand.Rand, n int) eventrt.Event {
		return about(fmt.Sprint("d", n%50), warning, fmt.Sprint(n, piece(rng, 300)))
	},
}

// piece is a short piece of something large.
func piece(rng *rand.Rand, most int) string {
	return strings.Repeat("x", 1<<16)[:rng.IntN(most)]
}

// TestWhatIsHeldIsCounted compares Stats.Bytes with the growth of the heap, for random mixes of
// 10,000 identities and more.
func TestWhatIsHeldIsCounted(t *testing.T) {
	drawn := testseed.Of(t)
	names := slices.Sorted(maps.Keys(mixes))
	// the process keeps 1,024 definitions of forwarded events, which no correlator counts
	for n := range 1100 {
		mixes["forwarded reasons"](rand.New(rand.NewPCG(drawn, 0)), -n)
	}
	for round := range len(names) + 1 {
		rng := rand.New(rand.NewPCG(drawn, uint64(round)))
		parts := names[min(round, len(names)-1):]
		if round < len(names) {
			parts = parts[:1]
		} else {
			parts = names
		}
		t.Run(fmt.Sprint(round, parts), func(t *testing.T) {
			before := heapBytes()
			c := newCorrelator(Options{Burst: -((round + 1) % 2), MaxEvents: 1 << 20, MaxBytes: 1 << 40})
			identities := 10_000
			if len(parts) > 1 {
				identities += rng.IntN(10_000)
			}
			for n := 0; c.Stats().Identities < identities && n < 10*identities; n++ {
				e := mixes[parts[rng.IntN(len(parts))]](rng, n)
				if p, _ := c.Observe(&e, clock.Instant{}); p != eventrt.NoProblem {
					t.Fatal(p)
				}
			}
			s := c.Stats()
			grown := heapBytes() - before
			goruntime.KeepAlive(c)
			t.Logf("%d identities, %d objects: %d bytes counted, the heap has grown by %d (%.2f)", s.Identities, s.Objects, s.Bytes, grown, float64(s.Bytes)/float64(grown))
			if ratio := float64(s.Bytes) / float64(grown); ratio < 0.75 || ratio > 1.25 {
				t.Errorf("%d bytes are counted, the heap has grown by %d", s.Bytes, grown)
			}
		})
	}
}
