package systems

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
)

// peerSleep is what both packages of client-go wait between two tries (defaultSleepDuration).
const peerSleep = 10 * time.Second

// recorder is client-go's tools/record.
type recorder struct {
	b         record.EventBroadcaster
	r         record.EventRecorder
	worked    atomic.Int64 // events that the correlator has begun with
	endFaster context.CancelFunc
}

func newRecord(sink record.EventSink, o Options) System {
	s := &recorder{}
	ctx, cancel := context.WithCancel(context.Background())
	s.endFaster = cancel
	s.b = record.NewBroadcaster(record.WithContext(ctx), record.WithSleepDuration(peerSleep/time.Duration(o.Faster)),
		record.WithCorrelatorOptions(s.correlatorOptions(o)))
	s.b.StartRecordingToSink(sink)
	if o.Log {
		s.b.StartStructuredLogging(0)
	}
	s.r = s.b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: Component})
	return s
}

// correlatorOptions counts what the correlator takes up, through the function that it asks for the key of an event.
func (s *recorder) correlatorOptions(o Options) record.CorrelatorOptions {
	opts := record.CorrelatorOptions{KeyFunc: func(e *corev1.Event) (string, string) {
		s.worked.Add(1)
		return record.EventAggregatorByReasonFunc(e)
	}}
	if o.Unlimited {
		Unlimit(&opts)
	}
	return opts
}

// Unlimit switches the budgets of tools/record off, and has it forget nothing.
func Unlimit(o *record.CorrelatorOptions) {
	o.MaxEvents, o.BurstSize, o.QPS, o.LRUCacheSize = math.MaxInt32, math.MaxInt32, math.MaxFloat32, 1<<20
}

func (s *recorder) Constant(about *batchv1.CronJob) {
	s.r.Event(about, corev1.EventTypeNormal, "JobAlreadyActive", constantText)
}

func (s *recorder) TwoArgs(about *batchv1.CronJob, job string, condition batchv1.JobConditionType) {
	s.r.Eventf(about, corev1.EventTypeNormal, "SawCompletedJob", twoArgsText, job, condition)
}

func (s *recorder) Distinct(about *batchv1.CronJob, job string) {
	s.TwoArgs(about, job, batchv1.JobComplete)
}

func (s *recorder) Urgent(about *batchv1.CronJob) {
	s.r.Event(about, corev1.EventTypeWarning, "TooManyMissedTimes", urgentText)
}

func (s *recorder) Plain(about *corev1.ObjectReference, eventType, reason, message string) {
	s.r.Event(about, eventType, reason, message)
}

func (s *recorder) Settle(calls, _ int) {
	await(func() bool { return s.worked.Load() >= int64(calls) })
}

func (s *recorder) Shutdown(context.Context) error {
	s.b.Shutdown()
	return nil
}

func (s *recorder) Kill() { s.endFaster() }
