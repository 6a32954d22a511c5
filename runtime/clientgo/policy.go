package clientgo

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"k8s.io/utils/clock"
	"k8s.io/utils/lru"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// policy decides which occurrences are aggregated: client-go's EventAggregator, and what
// takes the place of its EventSourceObjectSpamFilter (tools/record/events_cache.go). Each recording
// has one. It is safe for concurrent use.
type policy struct {
	keys      keys
	maxEvents int // distinct messages of a group with which aggregation begins; 0: never
	interval  time.Duration
	burst     time.Duration // as time: burst × every
	every     time.Duration
	clock     clock.PassiveClock
	start     time.Time

	mu       sync.Mutex
	groups   *lru.Cache // key → *group
	budgets  *lru.Cache // key → time.Duration, when the budget will be full again
	distinct int        // numbers for which the groups have room
}

// What a group and a budget take up: a list element, an entry and a boxed key, and then the value;
// and a place in a map.
const (
	wordBytes   = 4 << (^uintptr(0) >> 63) // 8, or 4 on 32 bits
	numberBytes = 8
	entryBytes  = 6*wordBytes + 4*wordBytes + numberBytes
	groupBytes  = entryBytes + 3*wordBytes + numberBytes
	budgetBytes = entryBytes + numberBytes
	placeBytes  = 3*wordBytes + 1
)

// held is about how many bytes the groups and budgets take up.
func (p *policy) held() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	groups, budgets := p.groups.Len(), p.budgets.Len()
	return int64(groups*groupBytes + budgets*budgetBytes + p.distinct*numberBytes + (places(groups)+places(budgets))*placeBytes)
}

// places is the capacity of a map of n entries, which doubles when seven of eight places are taken.
func places(n int) int {
	size := 8
	for size/8*7 < n {
		size *= 2
	}
	return size
}

// group is client-go's aggregateRecord.
type group struct {
	distinct []uint64 // what passed, hashed
	last     time.Duration
}

// newPolicy makes the policy that the options ask for; maxEvents is the default of the API group.
func newPolicy(c *config, maxEvents int) *policy {
	o := &c.correlator
	size := cmp.Or(o.LRUCacheSize, defaultCacheSize)
	p := &policy{
		keys:      keys{group: o.KeyFunc, budget: o.SpamKeyFunc, log: c.log},
		maxEvents: cmp.Or(o.MaxEvents, maxEvents),
		interval:  c.interval(),
		every:     c.every(),
		burst:     seconds(c.every().Seconds() * float64(cmp.Or(o.BurstSize, defaultBurst))),
		clock:     o.Clock,
		budgets:   lru.New(size),
	}
	p.groups = lru.NewWithEvictionFunc(size, func(_ lru.Key, g any) { p.distinct -= cap(g.(*group).distinct) })
	if p.clock == nil {
		p.clock = clock.RealClock{}
	}
	p.start = p.clock.Now()
	return p
}

// aggregate is tuning.Tuning's Aggregate.
func (p *policy) aggregate(e eventrt.Event, known bool) bool {
	at := p.clock.Now().Sub(p.start)
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

// exceedsThreshold counts the distinct events of a group. It forgets a group that was quiet for
// longer than the interval.
func (p *policy) exceedsThreshold(k key, distinct uint64, now time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	value, found := p.groups.Get(k)
	g, _ := value.(*group)
	switch {
	case !found:
		g = &group{}
		p.groups.Add(k, g)
	case now-g.last > p.interval:
		g.distinct = g.distinct[:0]
	}
	g.last = now
	if slices.Contains(g.distinct, distinct) {
		return false
	}
	if len(g.distinct)+1 >= p.maxEvents {
		return true
	}
	p.distinct -= cap(g.distinct)
	g.distinct = append(g.distinct, distinct)
	p.distinct += cap(g.distinct)
	return false
}

// exceedsBudget takes one from a bucket that holds burst and earns one each every.
func (p *policy) exceedsBudget(k key, now time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	value, _ := p.budgets.Get(k)
	full, _ := value.(time.Duration)
	full = max(full, now) + p.every
	if full > now+p.burst {
		return true
	}
	p.budgets.Add(k, full)
	return false
}
