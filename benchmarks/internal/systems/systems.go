// Package systems sets up the three recorders under test, each as a controller would, behind one interface that makes the
// calls a controller makes.
package systems

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/benchmarks/internal/server"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// Names of the contenders, as tables show them.
const (
	Record   = "record"
	Events   = "events"
	EventGen = "event-gen"
)

// Names are the contenders, in the order in which they take turns.
var Names = []string{Record, Events, EventGen}

// Component is the controller that reports.
const Component = "cronjob-controller"

// What the events of the CronJob controller say, word for word as in Kubernetes (pkg/controller/cronjob).
const (
	constantText = "Not starting job because prior execution is running and concurrency policy is Forbid"
	twoArgsText  = "Saw completed job: %s, condition: %v"
)

// System is a recorder under test that writes to a server.
type System interface {
	// Constant records an event whose text is constant.
	Constant(about *batchv1.CronJob)
	// TwoArgs records an event whose text has two string arguments.
	TwoArgs(about *batchv1.CronJob, job string, condition batchv1.JobConditionType)
	// Distinct is TwoArgs for a job that was not named before, made so that the recorder takes it for an event of its own.
	Distinct(about *batchv1.CronJob, job string)
	// Urgent records an event of type Warning whose text is constant.
	Urgent(about *batchv1.CronJob)
	// Plain records an event given as strings.
	Plain(about *corev1.ObjectReference, eventType, reason, message string)
	// Settle waits until the background has worked off what was recorded: so many calls, that make so many events.
	Settle(calls, distinct int)
	// Shutdown ends the recorder as its API says, and returns when that does.
	Shutdown(ctx context.Context) error
	// Kill stops what Shutdown has left running.
	Kill()
}

// Options set a recorder up. The zero value is each recorder's default.
type Options struct {
	// Unlimited switches aggregation and budgets off, and makes bounds so large that nothing is forgotten.
	Unlimited bool
	// Faster divides every time that the recorder is configured with.
	Faster int
	// Bound is the number of identities that event-gen may hold; 0: its default.
	Bound int
	// Log attaches the recorder's own subscriber that logs to klog.
	Log bool
	// Raw gives the sink in place of the server's, for scenarios over HTTP.
	Raw *Raw
}

// New sets up a recorder that writes to a server.
func New(name string, s *server.Server, o Options) System {
	o.Faster = max(o.Faster, 1)
	raw := o.Raw
	if raw == nil {
		raw = &Raw{Record: s.RecordSink(), Events: s.EventsSink(), EventGen: s.Sink()}
	}
	switch name {
	case Record:
		return newRecord(raw.Record, o)
	case Events:
		return newEvents(raw.Events, o)
	}
	return newEventGen(raw.EventGen, o)
}

// Broadcaster is the broadcaster behind event-gen's System, for its Stats; nil for others.
func Broadcaster(s System) *broadcaster.Broadcaster {
	if e, ok := s.(*eventGen); ok {
		return e.b
	}
	return nil
}
