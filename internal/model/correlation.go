package model

import (
	"slices"
	"time"

	"github.com/event-gen/event-gen/internal/catalog"
	eventrt "github.com/event-gen/event-gen/runtime"
)

const maxCount = 1 << 20

// correlation compiles an event's policy; keys that it does not give come from the defaults.
func (b *builder) correlation(e *Event) eventrt.Correlation {
	c := mergeCorrelation(e.Source.Correlation, b.cat.Defaults.Correlation)
	out := eventrt.Correlation{
		Limit:       b.limit(c.Limit),
		Interval:    b.interval(c.Interval),
		Window:      readDuration(b.fs, c.Window, "EV303", "window"),
		Threshold:   b.count(c.Threshold, "threshold"),
		Burst:       b.count(c.Burst, "burst"),
		Every:       readDuration(b.fs, c.Every, "EV303", "every"),
		NoAggregate: c.Aggregate.Set() && !readBool(b.fs, c.Aggregate, "aggregate"),
		Merged:      b.merged(e, &c),
	}
	out.LatestNote = b.latestNote(e, &c, out.Merged)
	b.consistent(&c, out)
	return out
}

// maxInterval is half of the default life of an event on the server (kube-apiserver's --event-ttl). A longer interval would let the event
// expire between two writes.
const maxInterval = 30 * time.Minute

func (b *builder) interval(s catalog.Scalar) time.Duration {
	d := readDuration(b.fs, s, "EV303", "interval")
	if d > maxInterval {
		b.fs.Errorf(s.Pos, "EV303", "interval is at most 30m, half of the hour for which the API server keeps an event, not %q", s.Value)
		return 0
	}
	return d
}

func (b *builder) count(s catalog.Scalar, key string) int {
	return readInt(b.fs, s, "EV303", key, 1, maxCount, 0)
}

// merged has a bit for every param that the key leaves out; none if there is no key.
func (b *builder) merged(e *Event, c *catalog.Correlation) uint8 {
	if c.KeyPos.Line == 0 && len(c.Key) == 0 {
		return 0
	}
	bits := uint8(1)<<len(e.Params) - 1
	for _, s := range c.Key {
		if i, ok := b.paramNamed(e, s, "correlation.key"); ok {
			bits &^= 1 << i
		}
	}
	return bits
}

// consistent reports limits that nothing applies to.
func (b *builder) consistent(c *catalog.Correlation, out eventrt.Correlation) {
	if !out.NoAggregate {
		return
	}
	for _, limit := range []struct {
		key string
		s   catalog.Scalar
	}{{"threshold", c.Threshold}, {"budget.burst", c.Burst}, {"budget.every", c.Every}} {
		if limit.s.Set() {
			b.fs.Errorf(limit.s.Pos, "EV303", "%s has no effect with aggregate: false, which lifts the limits; leave one of them out", limit.key)
		}
	}
}

// latestNote reports whether the stored note follows the occurrences. It can't differ where every param that a message shows is part of the
// key: an event that says so itself is wrong then; one that inherits it is as it was.
func (b *builder) latestNote(e *Event, c *catalog.Correlation, merged uint8) bool {
	if c.Note.Value != "latest" {
		return false
	}
	if b.showsMerged(e, merged) {
		return true
	}
	if own := e.Source.Correlation; own != nil && own.Note.Set() && !b.incomplete(e) {
		b.fs.Errorf(c.Note.Pos, "EV303", "note: latest has no effect: every param that the message shows is part of the key; give a correlation.key that leaves one out")
	}
	return false
}

// showsMerged reports whether a message of an event shows a param that is no part of the key.
func (b *builder) showsMerged(e *Event, merged uint8) bool {
	for _, id := range b.cat.Identities(e.Source) {
		if id.Message == nil {
			continue
		}
		for _, s := range id.Message.Segments {
			i := slices.IndexFunc(e.Params, func(p *Param) bool { return p.Name == s.Placeholder })
			if i >= 0 && merged&(1<<i) != 0 && e.Params[i].Tells() {
				return true
			}
		}
	}
	return false
}

func mergeCorrelation(own, defaults *catalog.Correlation) catalog.Correlation {
	var c catalog.Correlation
	if defaults != nil {
		c = *defaults
	}
	if own == nil {
		return c
	}
	if own.KeyPos.Line > 0 || len(own.Key) > 0 {
		c.Key, c.KeyPos = own.Key, own.KeyPos
	}
	for _, key := range []struct{ to, from *catalog.Scalar }{
		{&c.Note, &own.Note}, {&c.Limit, &own.Limit}, {&c.Interval, &own.Interval}, {&c.Window, &own.Window}, {&c.Threshold, &own.Threshold}, {&c.Burst, &own.Burst}, {&c.Every, &own.Every},
		{&c.Aggregate, &own.Aggregate},
	} {
		if key.from.Set() {
			*key.to = *key.from
		}
	}
	return c
}
