package clientgo_test

import (
	"errors"
	"slices"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
)

// TestOnShowsFakesWhatRawCallsDo: a test that reads a fake's channel sees the same strings.
func TestOnShowsFakesWhatRawCallsDo(t *testing.T) {
	cronJob := &batchv1.CronJob{TypeMeta: metav1.TypeMeta{Kind: "CronJob", APIVersion: "batch/v1"}}
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "50%d"}}
	err := errors.New("100%")

	core := record.NewFakeRecorder(10)
	core.IncludeObject = true
	core.Eventf(cronJob, corev1.EventTypeNormal, "SuccessfulCreate", "Created job %v", job.Name)
	core.AnnotatedEventf(cronJob, map[string]string{"a": "b"}, corev1.EventTypeWarning, "FailedGet", "Get job: %v", err)
	core.Event(&batchv1.CronJob{}, corev1.EventTypeWarning, "FailedGet", "Get job: "+err.Error())
	onCore := cronjobevents.FromRecord(core)
	onCore.SuccessfulCreate(cronJob, job)
	onCore.WithAnnotations(map[string]string{"a": "b"}).FailedGet(cronJob, err)
	onCore.FailedGet(&batchv1.CronJob{}, err)
	comparePairs(t, core.Events, 3)

	fake := events.NewFakeRecorder(10)
	fake.Eventf(cronJob, job, corev1.EventTypeNormal, "SuccessfulCreate", "SuccessfulCreate", "Created job %v", job.Name)
	fake.Eventf(cronJob, nil, corev1.EventTypeWarning, "FailedGet", "FailedGet", "Get job: %v", err)
	cronjobevents.FromEvents(fake).SuccessfulCreate(cronJob, job)
	cronjobevents.FromEvents(fake).FailedGet(cronJob, err)
	comparePairs(t, fake.Events, 2)
}

// comparePairs compares the first n strings of a fake with the n after them.
func comparePairs(t *testing.T, recorded <-chan string, n int) {
	t.Helper()
	var got []string
	for range 2 * n {
		got = append(got, <-recorded)
	}
	if !slices.Equal(got[:n], got[n:]) {
		t.Errorf("raw calls show %q, typed ones %q", got[:n], got[n:])
	}
}
