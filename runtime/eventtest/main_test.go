package eventtest_test

import (
	"fmt"
	"testing"

	"go.uber.org/goleak"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/eventtest"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func cronJob(name string) *batchv1.CronJob {
	return &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: name, UID: "u-1", ResourceVersion: "7"}}
}

func job(name string) *batchv1.Job {
	return &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: name}}
}

// tester is a TB that keeps what it is told.
type tester struct{ text string }

func (*tester) Helper() {}

func (t *tester) Errorf(format string, args ...any) { t.text += fmt.Sprintf(format, args...) + "\n" }

// recorded is a fake that has seen a CronJob create two Jobs and fail once.
func recorded() *eventtest.Fake {
	fake := eventtest.NewFake(nil)
	rec := cronjobevents.NewRecorder(fake.Recorder())
	rec.SuccessfulCreate(cronJob("nightly"), job("nightly-1"))
	rec.SuccessfulCreate(cronJob("nightly"), job("nightly-2"))
	rec.SawCompletedJob(cronJob("nightly"), "nightly-1", batchv1.JobComplete)
	return fake
}
