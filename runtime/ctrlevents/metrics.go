package ctrlevents

import (
	"slices"
	"sync"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/metrics"

	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"
)

// process is the account of all managers of this process: they share controller-runtime's registry,
// in which a metric can be once.
var process account

// account sums up pipelines. It is safe for concurrent use.
type account struct {
	once      sync.Once
	collector *metrics.Collector
	err       error

	mu        sync.Mutex
	pipelines []*pipeline
	observers []broadcaster.Observer
	past      broadcaster.Snapshot // of pipelines that have ended: their counts
}

var _ metrics.Source = (*account)(nil)

// join registers the metrics with the first pipeline. A pipeline is counted from its first event
// on, so that managers which are made and never used are not held.
func (a *account) join() error {
	a.once.Do(a.register)
	return a.err
}

// declare adds definitions whose reasons are counted one by one.
func (a *account) declare(definitions []*eventrt.Definition) error {
	if a.err != nil {
		return nil // which join has reported
	}
	return a.collector.Declare(definitions...)
}

func (a *account) register() {
	if a.collector, a.err = metrics.New(a, metrics.Options{}); a.err == nil {
		a.err = ctrlmetrics.Registry.Register(a.collector)
	}
}

// leave lets a pipeline go that has ended, and keeps its counts.
func (a *account) leave(p *pipeline) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.Index(a.pipelines, p)
	if i < 0 {
		return
	}
	a.pipelines = slices.Delete(a.pipelines, i, i+1)
	s := p.snapshot()
	addPast(&a.past, &s)
}

// maxPast is the number of names of subscribers that are told apart once they have ended.
const maxPast = 100

// addPast adds the counts of what has ended to a sum.
func addPast(sum, s *broadcaster.Snapshot) {
	s.Filters = nil
	for i := range s.Subscribers {
		if one := &s.Subscribers[i]; len(sum.Subscribers) >= maxPast && indexOf(sum.Subscribers, one.Name) < 0 {
			one.Name = "others"
		}
	}
	s.Stats.Identities, s.Stats.Objects, s.Stats.Bytes, s.Stats.Failing = 0, 0, 0, 0
	join(sum, s)
}

// attach counts a pipeline whose broadcaster starts, and attaches the observers to it.
func (a *account) attach(p *pipeline, b *broadcaster.Broadcaster) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !slices.Contains(a.pipelines, p) {
		a.pipelines = append(a.pipelines, p)
	}
	for _, o := range a.observers {
		b.AttachObserver(o)
	}
}

// Snapshot sums up all pipelines that there have been.
func (a *account) Snapshot() (sum broadcaster.Snapshot) {
	a.mu.Lock()
	defer a.mu.Unlock()
	join(&sum, &a.past)
	for _, p := range a.pipelines {
		s := p.snapshot()
		join(&sum, &s)
	}
	return sum
}

// join adds to a sum what metrics need of a snapshot. Several broadcasters may have one filter.
func join(sum, s *broadcaster.Snapshot) {
	sum.Stats.Add(&s.Stats)
	sum.OldestCall = max(sum.OldestCall, s.OldestCall)
	sum.Skipped += s.Skipped
	for _, f := range s.Filters {
		if !slices.Contains(sum.Filters, f) {
			sum.Filters = append(sum.Filters, f)
		}
	}
	for _, one := range s.Subscribers {
		i := indexOf(sum.Subscribers, one.Name)
		if i < 0 {
			sum.Subscribers = append(sum.Subscribers, one)
			continue
		}
		same := &sum.Subscribers[i]
		same.Seen += one.Seen
		same.Dropped += one.Dropped
		same.Panics += one.Panics
		same.Waiting += one.Waiting
	}
}

func indexOf(all []broadcaster.SubscriberStats, name string) int {
	return slices.IndexFunc(all, func(s broadcaster.SubscriberStats) bool { return s.Name == name })
}

// AttachObserver attaches o to all broadcasters that start from now on. The collector is the only
// caller; it is made before the first broadcaster.
func (a *account) AttachObserver(o broadcaster.Observer) (stop func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.observers = append(a.observers, o)
	return func() {}
}
