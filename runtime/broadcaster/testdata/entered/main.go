// Command entered records an event again and writes the coverage counters of that alone, to the
// folder of its argument. Build it with -cover -covermode=atomic.
package main

import (
	"bytes"
	"context"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/coverage"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
	"github.com/event-gen/event-gen/runtime/sink"
)

type told chan struct{}

func (s told) Write(context.Context, *sink.Write) sink.Answer {
	close(s)
	return sink.Answer{Outcome: sink.Done}
}

// still is a clock whose timers never fire. It tells of each call of a timer's C.
type still struct {
	eventrt.Clock
	waits chan struct{}
}

func (c *still) NewTimer(time.Duration) eventrt.Timer { return c }
func (c *still) C() <-chan time.Time                  { c.waits <- struct{}{}; return nil }
func (c *still) Reset(time.Duration)                  {}
func (c *still) Stop()                                {}

// main waits until each goroutine of the broadcaster rests or has ended, so that the counters hold
// what this goroutine enters and nothing else.
func main() {
	dir := os.Args[1]
	clock := &still{eventrt.SystemClock(), make(chan struct{})}
	written := make(told)
	b, err := broadcaster.New(broadcaster.Options{Sink: written, Clock: clock})
	check(err)
	<-clock.waits // the watch has begun and waits for both of its timers
	<-clock.waits
	resting := runtime.NumGoroutine()
	events := cronjobevents.NewRecorder(eventrt.NewRecorder(b))
	object := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "nightly", UID: "u"}}
	events.SawCompletedJob(object, "nightly-1", batchv1.JobComplete)
	<-written
	for b.Stats().Written == 0 || runtime.NumGoroutine() > resting { // the writer ends
		runtime.Gosched()
	}
	var counters bytes.Buffer
	check(coverage.ClearCounters())
	events.SawCompletedJob(object, "nightly-1", batchv1.JobComplete)
	check(coverage.WriteCounters(&counters))
	check(coverage.WriteMetaDir(dir))
	check(coverage.WriteCountersDir(dir)) // for the file's name
	files, err := filepath.Glob(filepath.Join(dir, "covcounters.*"))
	check(err)
	check(os.WriteFile(files[0], counters.Bytes(), 0o644))
	os.Exit(0) // without the counters of an orderly end
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
