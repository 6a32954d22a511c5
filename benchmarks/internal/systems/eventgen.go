package systems

import (
	"context"
	"time"

	"github.com/go-logr/logr"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/examples/cronjobevents"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/eventlog"
)

const urgentText = "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew"

// eventGen is this module: a generated recorder on a broadcaster.
type eventGen struct {
	b   *broadcaster.Broadcaster
	r   cronjobevents.Recorder
	raw *eventrt.Recorder
}

func newEventGen(sink eventrt.Sink, o Options) System {
	opts := broadcaster.Options{Sink: sink, Correlator: faster(o.Faster)}
	opts.Correlator.ReportingController, opts.Correlator.Host = Component, "host"
	opts.WriteTimeout = broadcaster.DefaultWriteTimeout / time.Duration(o.Faster)
	if o.Unlimited {
		opts.Correlator.NoAggregate = true
		opts.Correlator.MaxIdentities, opts.Correlator.MaxBytes = 1<<24, 1<<33
	}
	if o.Bound > 0 {
		opts.Correlator.MaxIdentities = o.Bound
	}
	b, err := broadcaster.New(opts)
	must(err)
	if o.Log {
		b.Attach(eventlog.Logr(logr.Logger{}, 0))
	}
	raw := eventrt.NewRecorder(b)
	return &eventGen{b: b, raw: raw, r: cronjobevents.NewRecorder(raw)}
}

// faster is the defaults with every time divided.
func faster(by int) correlator.Options {
	n := time.Duration(by)
	return correlator.Options{
		EventTTL:      correlator.DefaultEventTTL / n,
		FirstInterval: correlator.DefaultFirstInterval / n,
		MaxInterval:   correlator.DefaultMaxInterval / n,
		Window:        correlator.DefaultWindow / n,
		Every:         correlator.DefaultEvery / n,
		RetryDelay:    correlator.DefaultRetryDelay / n,
		MaxRetryDelay: correlator.DefaultMaxRetryDelay / n,
	}
}

func (s *eventGen) Constant(about *batchv1.CronJob) { s.r.JobAlreadyActive(about) }

func (s *eventGen) TwoArgs(about *batchv1.CronJob, job string, condition batchv1.JobConditionType) {
	s.r.SawCompletedJob(about, job, condition)
}

func (s *eventGen) Distinct(about *batchv1.CronJob, job string) {
	s.r.SawCompletedJob(about, job, batchv1.JobComplete)
}

func (s *eventGen) Urgent(about *batchv1.CronJob) { s.r.TooManyMissedTimes(about) }

func (s *eventGen) Plain(about *corev1.ObjectReference, eventType, reason, message string) {
	s.raw.Forward(about, eventType, reason, reason, message)
}

// Settle waits for first writes only: those of repeats come when their schedule says.
func (s *eventGen) Settle(_, distinct int) {
	await(func() bool { return s.b.Stats().Creates >= uint64(distinct) })
}

func (s *eventGen) Shutdown(ctx context.Context) error { return s.b.Shutdown(ctx) }

func (s *eventGen) Kill() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = s.b.Shutdown(ctx) // what is left does not matter any more
}
