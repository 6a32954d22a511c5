package correlator

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/race"
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
func repeats() map[string]runtime.Event {
	f := base()
	f.regarding.UID, f.regarding.ResourceVersion, f.annotations = "uid-of-job", "123456", map[string]string{"a": "b"}
	ref := refer(corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: "prod", Name: "job", UID: "u", ResourceVersion: "123456"})
	plain := testDefinition("Plain", runtime.Normal)
	plain.Params, plain.Message = nil, []runtime.Segment{{Text: "constant"}}
	forwarded := testDefinition("Forwarded", runtime.Warning)
	forwarded.Forwarded = true
	return map[string]runtime.Event{
		"constant text": runtime.NewEvent(plain, ref, runtime.ObjectRef{}),
		"a string":      runtime.NewEvent(normal, ref, runtime.ObjectRef{}, runtime.String("text")),
		"a duration":    runtime.NewEvent(normal, ref, runtime.ObjectRef{}, runtime.Duration(time.Minute)),
		"all there is":  f.event(),
		"forwarded":     runtime.NewEvent(forwarded, ref, runtime.ObjectRef{}, runtime.String("text")),
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
			var w runtime.Write
			b.ReportAllocs()
			for b.Loop() {
				r.c.Observe(&e, r.now)
				r.now.Mono += 10 * minute
				r.c.Next(r.now, &w)
				r.c.Done(&w, runtime.Answer{Outcome: runtime.Done}, r.now)
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
		e := runtime.NewEvent(normal, about, runtime.ObjectRef{}, runtime.Int(n))
		r.c.Observe(&e, r.now)
	}
}
