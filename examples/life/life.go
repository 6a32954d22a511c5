// Package life plays the life of a CronJob and its Jobs. It records the events that Kubernetes'
// controllers would record, through the generated recorders.
package life

import (
	"errors"
	"time"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/event-gen/event-gen/examples/cronjobevents"
	"github.com/event-gen/event-gen/examples/jobevents"
)

// Recorders holds the two generated recorders.
type Recorders struct {
	Jobs     jobevents.Recorder
	CronJobs cronjobevents.Recorder
}

// Cast holds the objects: a CronJob and three of its Jobs. One Job completes, one fails and one
// keeps running.
type Cast struct {
	CronJob   *batchv1.CronJob
	Completes *batchv1.Job
	Fails     *batchv1.Job
	RunsOn    *batchv1.Job
}

// Play records eight events: some once, some again and again.
func Play(r Recorders, c Cast) {
	r.CronJobs.SuccessfulCreate(c.CronJob, c.Completes)
	r.Jobs.Completed(c.Completes)
	r.CronJobs.SuccessfulCreate(c.CronJob, c.RunsOn)
	missedSchedules(r, c)
	r.CronJobs.SuccessfulCreate(c.CronJob, c.Fails)
	r.Jobs.Failed(c.Fails, jobevents.FailedOutcomeBackoffLimitExceeded, "Job has reached the specified backoff limit")
	for range 7 {
		r.CronJobs.FailedDelete(c.CronJob, errors.New("jobs.batch \"nightly-1\" is forbidden"))
	}
}

// missedSchedules repeats two events many times, like a controller that checks every second.
func missedSchedules(r Recorders, c Cast) {
	scheduled := time.Date(2026, time.March, 1, 3, 0, 0, 0, time.UTC)
	for range 200 {
		r.CronJobs.MissSchedule(c.CronJob, scheduled)
	}
	for range 60 {
		r.CronJobs.JobAlreadyActive(c.CronJob)
	}
}
