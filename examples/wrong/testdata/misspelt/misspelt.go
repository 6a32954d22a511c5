// Package misspelt does not compile: the reason is UnexpectedJob.
package misspelt

import (
	batchv1 "k8s.io/api/batch/v1"

	"github.com/event-gen/event-gen/examples/cronjobevents"
)

// Record names a reason that the catalog does not have.
func Record(events cronjobevents.Recorder, cronJob *batchv1.CronJob) {
	events.UnexpctedJob(cronJob, "nightly-by-hand")
}
