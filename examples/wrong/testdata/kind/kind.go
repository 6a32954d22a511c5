// Package kind does not compile: the event is about a CronJob.
package kind

import (
	batchv1 "k8s.io/api/batch/v1"

	"github.com/event-gen/event-gen/examples/cronjobevents"
)

// Record says that a Job has missed its schedule.
func Record(events cronjobevents.Recorder, job *batchv1.Job) {
	events.JobAlreadyActive(job)
}
