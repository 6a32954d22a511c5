// Command entered records an event again and writes the coverage counters of that alone, to the folder of its argument. Build it with -cover
// -covermode=atomic.
package main

import (
	"bytes"
	"context"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/coverage"

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

func main() {
	dir := os.Args[1]
	written := make(told)
	b, err := broadcaster.New(broadcaster.Options{Sink: written})
	check(err)
	events := cronjobevents.NewRecorder(eventrt.NewRecorder(b))
	object := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "nightly", UID: "u"}}
	events.SawCompletedJob(object, "nightly-1", batchv1.JobComplete)
	<-written
	for b.Stats().Written == 0 {
		runtime.Gosched()
	}
	runtime.GOMAXPROCS(1) // what writes does not run before the counters are taken
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
