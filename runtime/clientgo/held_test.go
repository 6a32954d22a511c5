//go:build !race

// The race detector holds memory of its own, which would count here.

package clientgo_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/internal/seed"
)

// emitters record through the drop-in what holds memory of all sorts.
var emitters = map[string]func(rng *rand.Rand, n int, r record.EventRecorder, ev events.EventRecorder){
	"one event of many objects": func(rng *rand.Rand, n int, r record.EventRecorder, _ events.EventRecorder) {
		about := podNamed(fmt.Sprint("pod-", n))
		about.UID = types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n))
		r.Event(about, corev1.EventTypeNormal, "Started", "it started")
	},
	"messages": func(rng *rand.Rand, n int, r record.EventRecorder, _ events.EventRecorder) {
		r.Eventf(podNamed(fmt.Sprint("m", n/5)), corev1.EventTypeWarning, "Failed", "%d %s", n, piece(rng, 1000))
	},
	"reasons": func(rng *rand.Rand, n int, r record.EventRecorder, _ events.EventRecorder) {
		r.Event(podNamed(fmt.Sprint("r", n/4)), corev1.EventTypeNormal, fmt.Sprint("R", n, piece(rng, 300)), "m")
	},
	"annotations": func(rng *rand.Rand, n int, r record.EventRecorder, _ events.EventRecorder) {
		annotations := map[string]string{}
		for k := range rng.IntN(5) {
			annotations[fmt.Sprint("k", k)] = piece(rng, 100)
		}
		r.AnnotatedEventf(podNamed(fmt.Sprint("a", n)), annotations, corev1.EventTypeNormal, "Annotated", "m")
	},
	"notes": func(rng *rand.Rand, n int, _ record.EventRecorder, ev events.EventRecorder) {
		ev.Eventf(podNamed(fmt.Sprint("n", n/3)), podNamed(piece(rng, 60)+"x"), corev1.EventTypeNormal, "Noted", fmt.Sprint("A", n%40), "%d %s", n, piece(rng, 300))
	},
}

// piece is a short piece of something large.
func piece(rng *rand.Rand, most int) string {
	return strings.Repeat("x", 1<<16)[:rng.IntN(most)]
}

// TestWhatIsHeldIsCounted compares Stats.Bytes of the drop-in with what the heap grows by, for
// random mixes of 10,000 identities and more: identities, reasons, groups and budgets.
func TestWhatIsHeldIsCounted(t *testing.T) {
	drawn := seed.Of(t)
	names := slices.Sorted(maps.Keys(emitters))
	for round := range len(names) + 2 {
		rng := rand.New(rand.NewPCG(drawn, uint64(round)))
		parts := names
		if round < len(names) {
			parts = names[round : round+1]
		}
		t.Run(fmt.Sprint(round, parts), func(t *testing.T) {
			warmUp(rng)
			before := heapBytes()
			core, group, stop := holding(t, clientgo.WithCorrelatorOptions(record.CorrelatorOptions{LRUCacheSize: 1 << 16}))
			defer stop()
			r, ev := core.NewRecorder(scheme.Scheme, testSource), group.NewRecorder(scheme.Scheme, "example.com/c")
			identities := 10_000 + rng.IntN(10_000)
			if len(parts) > 1 { // there are two broadcasters
				identities += 10_000
			}
			sum := func() eventrt.Stats {
				s, more := core.Stats(), group.Stats()
				s.Add(&more)
				return s
			}
			for n := 0; n < 10*identities; n++ {
				emitters[parts[rng.IntN(len(parts))]](rng, n, r, ev)
				if n%100 == 0 && sum().Identities >= identities {
					break
				}
			}
			s := sum()
			grown := heapBytes() - before
			goruntime.KeepAlive(core)
			ratio := float64(s.Bytes) / float64(grown)
			t.Logf("%d identities, %d objects: %d bytes counted, the heap has grown by %d (%.2f)", s.Identities, s.Objects, s.Bytes, grown, ratio)
			if ratio < 0.9 || ratio > 1.1 {
				t.Errorf("%d bytes are counted, the heap has grown by %d", s.Bytes, grown)
			}
			if s.Identities < 10_000 || s.Lost.Total() > 0 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// warmUp makes what the process makes once.
func warmUp(rng *rand.Rand) {
	core, group, stop := holding(nil)
	defer stop()
	r, ev := core.NewRecorder(scheme.Scheme, testSource), group.NewRecorder(scheme.Scheme, "example.com/c")
	for _, emit := range emitters {
		emit(rng, 1, r, ev)
	}
}

// holding are broadcasters of both groups whose server is away.
func holding(t *testing.T, opts ...clientgo.Option) (core clientgo.RecordBroadcaster, group clientgo.EventsBroadcaster, stop func()) {
	var sink coreStore
	var eventsSink eventsStore
	away := errors.New("away")
	sink.before = func(string, *corev1.Event) error { return away }
	eventsSink.before = func(string, *eventsv1.Event) error { return away }
	core, group = clientgo.NewBroadcaster(opts...), clientgo.NewEventsBroadcaster(&eventsSink, opts...)
	core.StartRecordingToSink(&sink)
	group.StartRecordingToSink(nil)
	return core, group, func() {
		_ = core.ShutdownWithContext(over())
		_ = group.ShutdownWithContext(over())
	}
}

// over is a context that has ended.
func over() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func heapBytes() int64 {
	goruntime.GC()
	goruntime.GC()
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
