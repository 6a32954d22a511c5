package systems

import (
	"context"
	"sync/atomic"
	"time"
	_ "unsafe" // for go:linkname

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
)

// eventsSleep is the time that tools/events waits between two tries, which it has no option for. Outages that are scaled
// down need it scaled alike: left as it is, the package would try less often than it does.
//
//go:linkname eventsSleep k8s.io/client-go/tools/events.defaultSleepDuration
var eventsSleep time.Duration

// eventsRecorder is client-go's tools/events.
type eventsRecorder struct {
	b      events.EventBroadcaster
	r      events.EventRecorder
	cancel context.CancelFunc
	seen   atomic.Int64 // events that have come through the broadcaster
}

func newEvents(sink events.EventSink, o Options) System {
	ctx, cancel := context.WithCancel(context.Background())
	s := &eventsRecorder{cancel: cancel}
	eventsSleep = peerSleep / time.Duration(o.Faster)
	s.b = events.NewBroadcaster(sink)
	must(s.b.StartRecordingToSinkWithContext(ctx))
	_, err := s.b.StartEventWatcher(func(runtime.Object) { s.seen.Add(1) })
	must(err)
	if o.Log {
		_, err := s.b.StartLogging(klog.Background())
		must(err)
	}
	s.r = s.b.NewRecorder(scheme.Scheme, Component)
	return s
}

func (s *eventsRecorder) Constant(about *batchv1.CronJob) {
	s.r.Eventf(about, nil, corev1.EventTypeNormal, "JobAlreadyActive", "JobAlreadyActive", constantText)
}

func (s *eventsRecorder) TwoArgs(about *batchv1.CronJob, job string, condition batchv1.JobConditionType) {
	s.r.Eventf(about, nil, corev1.EventTypeNormal, "SawCompletedJob", "SawCompletedJob", twoArgsText, job, condition)
}

// Distinct tells events apart by their action, since the note is no part of this package's key.
func (s *eventsRecorder) Distinct(about *batchv1.CronJob, job string) {
	s.r.Eventf(about, nil, corev1.EventTypeNormal, "SawCompletedJob", job, twoArgsText, job, batchv1.JobComplete)
}

func (s *eventsRecorder) Urgent(about *batchv1.CronJob) {
	s.r.Eventf(about, nil, corev1.EventTypeWarning, "TooManyMissedTimes", "TooManyMissedTimes", urgentText)
}

func (s *eventsRecorder) Plain(about *corev1.ObjectReference, eventType, reason, message string) {
	s.r.Eventf(about, nil, eventType, reason, reason, message)
}

func (s *eventsRecorder) Settle(calls, _ int) {
	await(func() bool { return s.seen.Load() >= int64(calls) })
}

func (s *eventsRecorder) Shutdown(context.Context) error {
	s.b.Shutdown()
	return nil
}

func (s *eventsRecorder) Kill() { s.cancel() }
