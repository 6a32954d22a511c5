package breaking

import (
	"fmt"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// The default schedule (correlator.Options.FirstInterval and MaxInterval): the least and the longest time between two writes.
const (
	firstInterval = time.Second
	lastInterval  = 5 * time.Minute
)

// slowed are the limits by which repeats of one event are written later than before.
func slowed(was, is eventrt.Correlation) []limit {
	if longer(was.Interval, is.Interval) {
		before, now := pace(was.Interval), pace(is.Interval)
		return []limit{{"interval", before, now, fmt.Sprintf("interval was %s and is %s, so that repeats are written later", before, now)}}
	}
	return nil
}

// longer reports whether some repeat is written later with one interval than with another; zero is the default schedule, whose steps
// begin short and end long.
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
