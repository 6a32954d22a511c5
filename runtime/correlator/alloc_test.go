package correlator

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/race"
	"github.com/event-gen/event-gen/runtime/sink"
)

// allocations holds how often work allocates. With the race detector on, which allocates too, it is
// only run.
func allocations(t *testing.T, what string, want float64, work func()) {
	t.Helper()
	if n := testing.AllocsPerRun(200, work); n > want && !race.Enabled {
		t.Errorf("%s: %v allocations, want %v", what, n, want)
	}
}

// repeats are events of which each occurrence after the first is a repeat.
func repeats() map[string]eventrt.Event {
	f := base()
	f.regarding.UID, f.regarding.ResourceVersion, f.annotations = "uid-of-job", "123456", map[string]string{"a": "b"}
	ref := refer(corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: "prod", Name: "job", UID: "u", ResourceVersion: "123456"})
	plain := testDefinition("Plain", eventrt.Normal)
	plain.Params, plain.Message = nil, []eventrt.Segment{{Text: "constant"}}
	forwarded := testDefinition("Forwarded", eventrt.Warning)
	forwarded.Forwarded = true
	return map[string]eventrt.Event{
		"constant text": eventrt.NewEvent(plain, ref, eventrt.ObjectRef{}),
		"a string":      eventrt.NewEvent(normal, ref, eventrt.ObjectRef{}, eventrt.String("text")),
		"a duration":    eventrt.NewEvent(normal, ref, eventrt.ObjectRef{}, eventrt.Duration(time.Minute)),
		"all there is":  f.event(),
		"forwarded":     eventrt.NewEvent(forwarded, ref, eventrt.ObjectRef{}, eventrt.String("text")),
	}
}

func TestObservingARepeatAllocatesNothing(t *testing.T) {
	for name, e := range repeats() {
		r := newRig(t, Options{})
		r.record(e)
		allocations(t, name, 0, func() { r.c.Observe(&e, r.now) })
	}
}

func BenchmarkObserveRepeat(b *testing.B) {
	for name, e := range repeats() {
		b.Run(name, func(b *testing.B) {
			r := newRig(b, Options{})
			r.record(e)
			b.ReportAllocs()
			for b.Loop() {
				r.c.Observe(&e, r.now)
			}
		})
	}
}

func BenchmarkWriteRepeat(b *testing.B) {
	for name, e := range repeats() {
		b.Run(name, func(b *testing.B) {
			r := newRig(b, Options{})
			r.record(e)
			r.writeAll()
			var w sink.Write
			b.ReportAllocs()
			for b.Loop() {
				r.c.Observe(&e, r.now)
				r.now.Mono += 10 * minute
				r.c.Next(r.now, &w)
				r.c.Done(&w, sink.Answer{Outcome: sink.Done}, r.now)
			}
		})
	}
}

func BenchmarkObserveDistinct(b *testing.B) {
	r := newRig(b, Options{NoAggregate: true, MaxEvents: 1 << 20, MaxBytes: 1 << 40})
	b.ReportAllocs()
	about := objectNamed("job", "u")
	n := 0
	for b.Loop() {
		n++
		e := eventrt.NewEvent(normal, about, eventrt.ObjectRef{}, eventrt.Int(n))
		r.c.Observe(&e, r.now)
	}
}
