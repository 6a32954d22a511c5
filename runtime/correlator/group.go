package correlator

import (
	"math"
	"strconv"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// Annotations of an event that stands for several distinct ones.
const (
	// DistinctMessagesAnnotation says how many distinct messages the event stands for; "1024+" beyond what is told apart.
	DistinctMessagesAnnotation = "event-gen.github.io/distinct-messages"
	// LastMessageAnnotation holds the last of them.
	LastMessageAnnotation = "event-gen.github.io/last-message"
)

const maxDistinct = 1024

// folded is what an aggregate knows of the occurrences that it stands for.
type folded struct {
	def      *runtime.Definition // of the latest
	latest   detail
	hash     uint32 // of the latest
	distinct map[uint32]struct{}
}

// limits of a group, with the correlator's defaults applied.
type limits struct {
	window    time.Duration
	threshold int
	burst     time.Duration // as time: burst × every
	every     time.Duration
}

// maxBudget bounds burst × every, so that no sum of moments overflows.
const maxBudget = time.Duration(math.MaxInt64 / 4)

func (c *Correlator) limits(def *runtime.Definition) limits {
	p := &def.Correlation
	burst := time.Duration(or(p.Burst, c.opts.Burst))
	every := min(or(p.Every, c.opts.Every), maxBudget/burst)
	return limits{
		window:    c.window(def),
		threshold: min(or(p.Threshold, c.opts.Threshold), math.MaxUint16),
		burst:     burst * every,
		every:     every,
	}
}

// or is what a definition says, else the default; never less than one.
func or[T int | time.Duration](said, otherwise T) T {
	if said > 0 {
		return said
	}
	return max(otherwise, 1)
}

// folds decides whether one more distinct event of a group folds into the group's aggregate: beyond threshold or budget
// it does. If it does not, it is counted against them. The budget is a bucket that holds burst events and earns one each
// every; it is kept as the moment at which it will be full again.
func (c *Correlator) folds(g *group, e *runtime.Event, now runtime.Instant) bool {
	if c.opts.Fold != nil {
		return c.opts.Fold(*e, false, now)
	}
	if c.opts.NoAggregate || e.Definition().Correlation.NoAggregate {
		return false
	}
	l := c.limits(e.Definition())
	if uint64(now.Mono/tick) >= uint64(g.windowEnds) {
		g.distinct, g.windowEnds = 0, windowEnd(now.Mono+l.window-1)
	}
	full := max(g.budget, now.Mono) + l.every
	if int(g.distinct) >= l.threshold || full > now.Mono+l.burst {
		return true
	}
	g.distinct++
	g.budget = full
	return false
}

// fold names the aggregate of a group, and notes there what it stands for.
func (c *Correlator) fold(gr ref, hash uint32, e *runtime.Event, now runtime.Instant) ref {
	r := c.groups.at(gr).aggregate
	if r == 0 {
		d := c.newDetail(e)
		if d.more == nil {
			d.more = &more{bytes: moreBytes}
		}
		d.more.folded = &folded{distinct: map[uint32]struct{}{}}
		r = c.make(gr, ^hash, d, e, now)
		c.groups.at(gr).aggregate = r
	}
	c.note(c.ids.at(r).more, hash, e)
	return r
}

// note has an aggregate take a folded occurrence up.
func (c *Correlator) note(m *more, hash uint32, e *runtime.Event) {
	f := m.folded
	before := m.bytes
	if _, known := f.distinct[hash]; !known && len(f.distinct) < maxDistinct {
		f.distinct[hash] = struct{}{}
		m.bytes += distinctBytes
	}
	if f.hash != hash || f.def == nil {
		m.bytes -= f.latest.bytes()
		f.def, f.hash, f.latest = e.Definition(), hash, c.newDetail(e)
		m.bytes += f.latest.bytes()
	}
	c.bytes += m.bytes - before
}

// distinctBytes is what a message told apart costs, about.
const distinctBytes = 24

func (f *folded) count() string {
	if len(f.distinct) >= maxDistinct {
		return strconv.Itoa(maxDistinct) + "+"
	}
	return strconv.Itoa(len(f.distinct))
}
