package eventtest_test

import (
	"errors"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/eventtest"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
)

// reconcile is the code under test.
func reconcile(events cronjobevents.Recorder, cronJob *batchv1.CronJob) {
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: cronJob.Namespace, Name: cronJob.Name + "-28"}}
	events.SuccessfulCreate(cronJob, job)
	events.FailedGet(cronJob, errors.New("connection refused"))
}

// stdout stands for the *testing.T of a test.
type stdout struct{}

func (stdout) Helper() {}

func (stdout) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

var t stdout

func Example() {
	fake := eventtest.NewFake(t)
	nightly := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "nightly"}}
	reconcile(cronjobevents.NewRecorder(fake.Recorder()), nightly)

	ok := fake.ExpectInAnyOrder(
		eventtest.Event{Reason: cronjobevents.ReasonFailedGet, Type: "Warning", Regarding: eventtest.Ref(nightly)},
		eventtest.Event{Message: "Created job nightly-28"},
	)
	fmt.Println(ok)
	for _, e := range fake.Events() {
		fmt.Println(e.Type, e.Reason, e.Message)
	}
	// Output:
	// true
	// Normal SuccessfulCreate Created job nightly-28
	// Warning FailedGet Get job: connection refused
}

// What differs is shown at once, with the event that comes closest.
func ExampleFake_ExpectInAnyOrder() {
	fake := eventtest.NewFake(t)
	nightly := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "nightly"}}
	reconcile(cronjobevents.NewRecorder(fake.Recorder()), nightly)

	fake.ExpectInAnyOrder(cronjobevents.NewFailedGet(nightly, errors.New("not found")))
	// Output:
	// events differ (- expected, + recorded):
	//   - Warning FailedGet CronJob prod/nightly "Get job: not found"
	//       closest: Warning FailedGet CronJob prod/nightly "Get job: connection refused"
	//         message: expected "Get job: not found", recorded "Get job: connection refused"
	//         param cause: expected "not found", recorded "connection refused"
	//   + Normal SuccessfulCreate CronJob prod/nightly (related Job prod/nightly-28) "Created job nightly-28"
	//   + Warning FailedGet CronJob prod/nightly "Get job: connection refused"
}

// ExpectFailedGet is a helper as one would write it for an event of one's own: objects as they are,
// arguments that may be eventtest.Any.
func ExpectFailedGet(fake *eventtest.Fake, cronJob *batchv1.CronJob, cause any) bool {
	return fake.ExpectContains(eventtest.All(
		eventtest.Event{Name: "FailedGet", ReportingController: "cronjob-controller", Regarding: eventtest.Ref(cronJob)},
		eventtest.Args(cause),
	))
}

func ExampleArgs() {
	fake := eventtest.NewFake(t)
	nightly := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "nightly"}}
	reconcile(cronjobevents.NewRecorder(fake.Recorder()), nightly)

	fmt.Println(ExpectFailedGet(fake, nightly, eventtest.Any))
	fmt.Println(ExpectFailedGet(fake, nightly, errors.New("connection refused")))
	// Output:
	// true
	// true
}
