package model

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
	eventrt "github.com/event-gen/event-gen/runtime"
)

const maxCount = 1 << 20

// maxInterval is half of the default life of an event on the server (kube-apiserver's --event-ttl).
// A longer interval would let the event expire between two writes.
const maxInterval = 30 * time.Minute

// correlation returns the event's correlation policy for the run time.
func (s *eventStep) correlation() eventrt.Correlation {
	c := s.cat.Policy(s.e.Source)
	duration := func(of catalog.Scalar, key string) time.Duration {
		return readDuration(&s.Findings, of, diag.InconsistentLimits, key)
	}
	count := func(of catalog.Scalar, key string) int {
		return readInt(&s.Findings, of, diag.InconsistentLimits, key, 1, maxCount, 0)
	}
	out := eventrt.Correlation{
		Limit:       s.limit(c.Limit),
		Interval:    duration(c.Interval, "interval"),
		Window:      duration(c.Window, "window"),
		Threshold:   count(c.Threshold, "threshold"),
		Burst:       count(c.Burst, "burst"),
		Every:       duration(c.Every, "every"),
		NoAggregate: c.Aggregate.Set() && !c.Aggregate.True(),
		Merged:      s.merged(&c),
	}
	if out.Interval > maxInterval {
		s.Errorf(c.Interval.Pos, diag.InconsistentLimits, "interval: expected at most 30m, half of the hour for which the API server keeps an event, found %q", c.Interval.Value)
		out.Interval = 0
	}
	out.LatestNote = s.latestNote(&c, out.Merged)
	lifted := func(key string, limit catalog.Scalar, valid bool) {
		if out.NoAggregate && valid {
			s.Errorf(limit.Pos, diag.InconsistentLimits, "%s has no effect with aggregate: false, which lifts the limits; leave one of them out", key)
		}
	}
	lifted("threshold", c.Threshold, out.Threshold > 0)
	lifted("budget.burst", c.Burst, out.Burst > 0)
	lifted("budget.every", c.Every, out.Every > 0)
	return out
}

// limit returns the limit that the policy names; nil if it names none, or one whose own name has a
// finding.
func (s *eventStep) limit(name catalog.Scalar) *eventrt.Limit {
	l := s.limits[name.Value]
	invalid := func(other string) bool { return s.limits[other] == nil }
	known := sortedKeys(s.limits)
	switch valid := slices.DeleteFunc(slices.Clone(known), invalid); {
	case !name.Set():
	case l == nil && slices.ContainsFunc(known, func(other string) bool { return invalid(other) && spell.Alike(name.Value, other) }):
	case l == nil:
		s.Errorf(name.Pos, diag.InconsistentLimits, "spec.limits has no limit %s%s", name.Value, spell.Suggest(name.Value, valid))
	default:
		s.names.limit(l)
		return &l.Runtime
	}
	return nil
}

// merged returns a bit mask of the params that the key leaves out; zero if there is no key.
func (s *eventStep) merged(c *catalog.Correlation) uint8 {
	if c.KeyPos.Line == 0 {
		return 0
	}
	bits := uint8(1)<<len(s.e.Params) - 1
	for _, name := range c.Key {
		if i, ok := s.paramNamed(name, "correlation.key"); ok {
			bits &^= 1 << i
		}
	}
	return bits
}

// latestNote reports whether the stored note comes from the latest occurrence. If the key has every
// param that a message shows, all notes are equal. Then note: latest of the event is a mistake, and
// note: latest of the defaults has no effect. A placeholder with an error may stand for any param.
func (s *eventStep) latestNote(c *catalog.Correlation, merged uint8) bool {
	if c.Note.Value != "latest" {
		return false
	}
	for _, id := range s.cat.Identities(s.e.Source) {
		for _, segment := range id.Message.Segments {
			if !s.e.knows(segment.Placeholder) {
				return false
			}
			if i := s.e.paramIndex(segment.Placeholder); i >= 0 && merged&(1<<i) != 0 && s.e.Params[i].Tells() {
				return true
			}
		}
	}
	if own := s.e.Source.Correlation; own != nil && own.Note.Set() {
		s.Errorf(c.Note.Pos, diag.InconsistentLimits, "note: latest has no effect: every param that the message shows is part of the key; give a correlation.key that leaves one out")
	}
	return false
}

// Pace describes in sentences how the event's writes differ from the default. It is empty if they
// don't.
func (d *Definition) Pace() string {
	var parts []string
	c := &d.Runtime.Correlation
	if c.Interval > 0 {
		parts = append(parts, "Repeats are written at most once in "+shortDuration(c.Interval)+".")
	}
	if l := c.Limit; l != nil {
		parts = append(parts, fmt.Sprintf("Writes of limit %s wait for a token: %d at once, one in %s after that; what waits for more than %s is lost.",
			l.Name, l.Burst, shortDuration(l.Every), shortDuration(l.Wait)))
	}
	if c.LatestNote {
		parts = append(parts, "The note is the latest one.")
	}
	return strings.Join(parts, " ")
}

// shortDuration formats a duration as people write it: 15m, not 15m0s.
func shortDuration(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(s, zero) {
			s = s[:len(s)-2]
		}
	}
	return s
}
