//go:build unix

package broadcaster_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
	"github.com/event-gen/event-gen/runtime/sink"
)

// BenchmarkWrites writes first occurrences to a sink that does nothing, from the call to the
// answer. It reports the processor time of all goroutines, which other load on the machine disturbs
// less than the clock's time.
func BenchmarkWrites(b *testing.B) {
	var stored atomic.Int64
	target := sinkFunc(func(context.Context, *sink.Write) sink.Answer {
		stored.Add(1)
		return sink.Answer{Outcome: sink.Done}
	})
	bc, err := broadcaster.New(broadcaster.Options{Sink: target})
	if err != nil {
		b.Fatal(err)
	}
	defer bc.Shutdown(context.Background())
	rec := cronjobevents.NewRecorder(eventrt.NewRecorder(bc))
	objects := make([]*batchv1.CronJob, 200_000)
	for n := range objects {
		objects[n] = cronJob(n)
	}
	const chunk = 500
	b.ReportAllocs()
	begun := processorTime(b)
	n := 0
	for b.Loop() {
		rec.SawCompletedJob(objects[n%len(objects)], "nightly-1-28", batchv1.JobComplete)
		n++
		if n < len(objects) && n%chunk == 0 {
			for stored.Load() < int64(n) {
				runtime.Gosched()
			}
		}
	}
	b.ReportMetric(float64(processorTime(b)-begun)/float64(n), "cpu-ns/op")
}

// processorTime returns the processor time of this process.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
