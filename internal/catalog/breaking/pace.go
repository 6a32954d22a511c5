package breaking

import (
	"fmt"
	"slices"
	"time"

	"github.com/event-gen/event-gen/internal/catalog/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// The default schedule (correlator.Options.FirstInterval and MaxInterval): the least and the longest time between two writes.
const (
	firstInterval = time.Second
	lastInterval  = 5 * time.Minute
)

// slowed returns the limits that delay the repeats of an event more than before.
func slowed(was, is eventrt.Correlation) []limit {
	var out []limit
	if longer(was.Interval, is.Interval) {
		before, now := pace(was.Interval), pace(is.Interval)
		out = append(out, limit{"interval", before, now, fmt.Sprintf("interval was %s and is %s, so that repeats are written later", before, now)})
	}
	if tighter(was.Limit, is.Limit) {
		before, now := limitOf(was.Limit), limitOf(is.Limit)
		out = append(out, limit{"limit", before, now, fmt.Sprintf("limit was %s and is %s, so that writes wait longer, or are lost", before, now)})
	}
	return out
}

// tighter reports whether a limit makes some write wait longer than before, or loses it sooner; nil is no limit.
func tighter(was, is *eventrt.Limit) bool {
	switch {
	case is == nil:
		return false
	case was == nil:
		return true
	}
	return is.Every > was.Every || is.Burst < was.Burst || is.Wait < was.Wait
}

func limitOf(l *eventrt.Limit) string {
	if l == nil {
		return "none"
	}
	return fmt.Sprintf("%d at once, then one in %s, waiting for %s at most", l.Burst, l.Every, l.Wait)
}

// note reports a note that shows another occurrence than before, if occurrences of one event differ in what they show.
func (l link) note() []broken {
	was, is := latest(l.was), latest(l.is)
	if was == is || !l.mergesShown() {
		return nil
	}
	before, now := noteOf(was), noteOf(is)
	b := l.breaks("BW06", l.limitPos(limit{name: "note"}), fmt.Sprintf("the note was that of the %s occurrence and is that of the %s", before, now))
	return []broken{l.foundAll(b.by("note", before, now))}
}

// mergesShown reports whether both messages show a param whose values can differ between occurrences of one event, before and now.
func (l link) mergesShown() bool {
	before, now := keyOf(l.was), keyOf(l.is)
	for i, j := range l.to {
		if j < 0 || before[i] || now[j] || !l.was.Params[i].Tells() || !l.is.Params[j].Tells() {
			continue
		}
		for _, p := range l.pairs() {
			if shows(p.was, i) && shows(p.is, j) && !selects(l.was, p.was, i) && !selects(l.is, p.is, j) {
				return true
			}
		}
	}
	return false
}

func shows(d *model.Definition, param int) bool {
	return slices.ContainsFunc(d.Runtime.Message, func(s eventrt.Segment) bool { return s.Value == eventrt.ParamValue && s.Param == param })
}

// selects reports whether a param selects a variant, so that all occurrences of the variant have one value of it.
func selects(e *model.Event, d *model.Definition, param int) bool {
	return d.Variant != nil && e.Params[param] == e.Select
}

func latest(e *model.Event) bool {
	return slices.ContainsFunc(definitionsOf(e), func(d *model.Definition) bool { return d.Runtime.Correlation.LatestNote })
}

func noteOf(latest bool) string {
	if latest {
		return "latest"
	}
	return "first"
}

// longer reports whether some repeat is written later than before. Zero is the default schedule, whose steps grow.
func longer(was, is time.Duration) bool {
	switch {
	case was == 0:
		return is > firstInterval
	case is == 0:
		return was < lastInterval
	}
	return is > was
}

func pace(interval time.Duration) string {
	if interval == 0 {
		return "the default schedule"
	}
	return interval.String()
}
