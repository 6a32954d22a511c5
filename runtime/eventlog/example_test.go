package eventlog_test

import (
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/go-logr/logr"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/eventlog"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

var nightly = &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "nightly"}}

func ExampleSlog() {
	b, err := broadcaster.New(broadcaster.Options{Sink: memory.New()})
	if err != nil {
		panic(err)
	}
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: someOnly}))
	b.Attach(eventlog.Slog(logger))

	rec := cronjobevents.NewRecorder(eventrt.NewRecorder(b))
	rec.SawCompletedJob(nightly, "nightly-28", batchv1.JobComplete)
	rec.JobAlreadyActive(nightly)
	if err := b.Shutdown(context.Background()); err != nil {
		panic(err)
	}
	// Output:
	// level=INFO msg="Event occurred" object.name=nightly object.namespace=prod reason=SawCompletedJob message="Saw completed job: nightly-28, condition: Complete"
	// level=INFO msg="Event occurred" object.name=nightly object.namespace=prod reason=JobAlreadyActive message="Not starting job because prior execution is running and concurrency policy is Forbid"
}

// someOnly keeps the lines of the example short.
func someOnly(groups []string, a slog.Attr) slog.Attr {
	switch a.Key {
	case "time", "fieldPath", "kind", "apiVersion", "type", "action", "controller":
		return slog.Attr{}
	}
	return a
}

func ExampleJSON() {
	b, err := broadcaster.New(broadcaster.Options{Sink: memory.New()})
	if err != nil {
		panic(err)
	}
	// OpenJSON writes to a file and puts it aside when it is full.
	b.Attach(eventlog.NewJSON(os.Stdout, logr.Logger{}).Subscriber())

	rec := cronjobevents.NewRecorder(eventrt.NewRecorder(b))
	rec.At(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)).MissingJob(nightly, "nightly-28")
	if err := b.Shutdown(context.Background()); err != nil {
		panic(err)
	}
	// Output:
	// {"time":"2026-03-04T05:06:07Z","type":"Normal","reason":"MissingJob","action":"MissingJob","message":"Active job went missing: nightly-28","regarding":{"apiVersion":"batch/v1","kind":"CronJob","namespace":"prod","name":"nightly"},"controller":"cronjob-controller"}
}
