package clientgo

import (
	"sync"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	"k8s.io/utils/lru"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/bucket"
)

// policy decides which occurrences fold into an aggregate: client-go's EventAggregator, and what takes the place of its
// EventSourceObjectSpamFilter (tools/record/events_cache.go). Each recording has one. It is safe for concurrent use.
type policy struct {
	keys      keys
	maxEvents int // distinct messages of a group with which folding begins; 0: never
	interval  time.Duration
	burst     time.Duration // as time: burst × every
	every     time.Duration
	clock     clock.PassiveClock // nil: that of the pipeline
	start     time.Time

	mu      sync.Mutex
	groups  *lru.Cache // key → *group
	budgets *lru.Cache // key → time.Duration, when the budget will be full again
}

// group is what client-go calls an aggregateRecord.
type group struct {
	distinct []uint64 // what passed, hashed
	last     time.Duration
}

// newPolicy makes the policy that the options ask for; maxEvents is the default of the API group.
func newPolicy(c *config, maxEvents int, logger klog.Logger) *policy {
	o := &c.correlator
	if o.MaxEvents > 0 {
		maxEvents = o.MaxEvents
	}
	p := &policy{
		keys:      keys{group: o.KeyFunc, budget: o.SpamKeyFunc, logger: logger},
		maxEvents: maxEvents,
		interval:  c.interval(),
		every:     c.every(),
		burst:     seconds(c.every().Seconds() * float64(c.burst())),
		clock:     o.Clock,
		groups:    lru.New(c.cacheSize()),
		budgets:   lru.New(c.cacheSize()),
	}
	if p.clock != nil {
		p.start = p.clock.Now()
	}
	return p
}

// fold is the correlator's Options.Fold.
func (p *policy) fold(e runtime.Event, known bool, now runtime.Instant) bool {
	at := now.Mono
	if p.clock != nil {
		at = p.clock.Now().Sub(p.start)
	}
	if p.maxEvents > 0 {
		if k, distinct, ok := p.keys.groupOf(&e); ok && p.exceedsThreshold(k, distinct, at) {
			return true
		}
	}
	if known {
		return false
	}
	k, ok := p.keys.budgetOf(&e)
	return ok && p.exceedsBudget(k, at)
}

// exceedsThreshold counts what is distinct within a group. A group is forgotten that was quiet for longer than the interval.
func (p *policy) exceedsThreshold(k key, distinct uint64, now time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	value, found := p.groups.Get(k)
	g, _ := value.(*group)
	if !found || now-g.last > p.interval {
		g = &group{}
		p.groups.Add(k.clone(), g)
	}
	g.last = now
	for _, known := range g.distinct {
		if known == distinct {
			return false
		}
	}
	if len(g.distinct)+1 >= p.maxEvents {
		return true
	}
	g.distinct = append(g.distinct, distinct)
	return false
}

// exceedsBudget takes one from a bucket that holds burst and earns one each every.
func (p *policy) exceedsBudget(k key, now time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	value, found := p.budgets.Get(k)
	if !found {
		k = k.clone()
	}
	full, _ := value.(time.Duration)
	full, ok := bucket.Take(full, now, p.burst, p.every)
	if ok {
		p.budgets.Add(k, full)
	}
	return !ok
}
