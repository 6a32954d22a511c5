// Package value does not compile: the outcome is jobevents.FailedOutcomeDeadlineExceeded.
package value

import (
	batchv1 "k8s.io/api/batch/v1"

	"github.com/event-gen/event-gen/examples/jobevents"
)

// Record writes an outcome as text, and misspells it.
func Record(events jobevents.Recorder, job *batchv1.Job) {
	events.Failed(job, "DeadlineExeeded", "Job was active longer than specified deadline")
}
