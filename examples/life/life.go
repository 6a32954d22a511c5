// Package life plays the life of a CronJob and its Jobs. It records the events that Kubernetes'
// controllers would record, through the generated recorders.
package life

import (
	"errors"
	"fmt"
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

// Play records the events: some once, some again and again, some in a burst of different texts.
func Play(r Recorders, c Cast) {
	firstRun(r, c)
	suspension(r, c)
	missedSchedules(r, c)
	failingRun(r, c)
	quotaTrouble(r, c)
	wrongSettings(r, c)
	cleanUp(r, c)
}

func firstRun(r Recorders, c Cast) {
	r.CronJobs.SuccessfulCreate(c.CronJob, c.Completes)
	r.Jobs.WorkloadCreated(c.Completes, "workload-"+c.Completes.Name)
	r.Jobs.TooManySucceededPods(c.Completes)
	r.Jobs.Completed(c.Completes)
	r.CronJobs.SawCompletedJob(c.CronJob, c.Completes.Name, batchv1.JobComplete)
}

func suspension(r Recorders, c Cast) {
	r.CronJobs.SuccessfulCreate(c.CronJob, c.RunsOn)
	for range 3 {
		r.Jobs.Suspended(c.RunsOn)
		r.Jobs.Resumed(c.RunsOn)
	}
}

// missedSchedules repeats one event many times, like a controller that checks every second.
func missedSchedules(r Recorders, c Cast) {
	scheduled := time.Date(2026, time.March, 1, 3, 0, 0, 0, time.UTC)
	for range 200 {
		r.CronJobs.MissSchedule(c.CronJob, scheduled)
	}
	for range 60 {
		r.CronJobs.JobAlreadyActive(c.CronJob)
	}
	r.CronJobs.TooManyMissedTimes(c.CronJob)
}

func failingRun(r Recorders, c Cast) {
	r.CronJobs.SuccessfulCreate(c.CronJob, c.Fails)
	r.Jobs.Failed(c.Fails, jobevents.FailedOutcomeBackoffLimitExceeded, "Job has reached the specified backoff limit")
	r.CronJobs.SawCompletedJob(c.CronJob, c.Fails.Name, batchv1.JobFailed)
	r.CronJobs.UnexpectedJob(c.CronJob, "nightly-by-hand")
	r.CronJobs.MissingJob(c.CronJob, "nightly-gone")
}

// quotaTrouble records a burst: one reason, a different text each time. Texts after the tenth are
// aggregated into one event.
func quotaTrouble(r Recorders, c Cast) {
	for n := range 40 {
		r.CronJobs.FailedCreate(c.CronJob, fmt.Errorf("exceeded quota: compute, requested: cpu=%dm, used: cpu=4, limited: cpu=4", 100*(n+1)))
	}
	r.CronJobs.FailedGet(c.CronJob, errors.New("the server was unable to return a response in the time allotted"))
}

func wrongSettings(r Recorders, c Cast) {
	unparseable := errors.New("expected exactly 5 fields, found 3: [*/5 * *]")
	r.CronJobs.UnparseableSchedule(c.CronJob, "*/5 * *", unparseable)
	r.CronJobs.UnParseableCronJobSchedule(c.CronJob, "*/5 * *")
	r.CronJobs.InvalidSchedule(c.CronJob, "0 0 31 2 *", errors.New("no time satisfies it"))
	r.CronJobs.UnsupportedSchedule(c.CronJob, "TZ=Europe/Berlin 0 3 * * *")
	r.CronJobs.UnknownTimeZone(c.CronJob, "Mars/Olympus", errors.New("unknown time zone Mars/Olympus"))
	r.Jobs.UnknownCompletionMode(c.RunsOn)
}

func cleanUp(r Recorders, c Cast) {
	r.CronJobs.FailedDelete(c.CronJob, errors.New("jobs.batch \"nightly-1\" is forbidden"))
	r.CronJobs.SuccessfulDelete(c.CronJob, c.Completes)
	r.CronJobs.SuccessfulDelete(c.CronJob, c.Fails)
}
