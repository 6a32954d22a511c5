package breaking

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/event-gen/event-gen/internal/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// The policy that holds where a catalog says nothing (runtime.Correlation).
const (
	defaultThreshold = 10
	defaultBurst     = 25
	defaultEvery     = 5 * time.Minute
)

// correlation reports what makes counts differ from those of before.
func (c *comparison) correlation(e eventPair) {
	if len(definitionsOf(e.was)) == 0 || len(definitionsOf(e.is)) == 0 {
		return
	}
	was, is := definitionsOf(e.was)[0].Runtime.Correlation, definitionsOf(e.is)[0].Runtime.Correlation
	if before, now := keyOf(e.was, was), keyOf(e.is, is); !slices.Equal(before, now) {
		c.report(e.is.Source.Pos, "BW05", "event %s: occurrences were told apart by %s and are by %s; %s", e.is.Name, keys(before), keys(now),
			eventMatchers(e))
	}
	if lower := lowered(limitsOf(was), limitsOf(is)); len(lower) > 0 {
		c.report(e.is.Source.Pos, "BW07", "event %s: %s; %s", e.is.Name, strings.Join(lower, ", "), eventMatchers(e))
	}
}

// keyOf are the names of the params that tell occurrences apart, sorted.
func keyOf(e *model.Event, c eventrt.Correlation) []string {
	var names []string
	for i, p := range e.Params {
		if c.Merged&(1<<i) == 0 {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}

func keys(names []string) string {
	if len(names) == 0 {
		return "no param"
	}
	return strings.Join(names, ", ")
}

// limits are what a policy allows.
type limits struct {
	threshold, burst int
	every            time.Duration
}

func limitsOf(c eventrt.Correlation) limits {
	if c.NoAggregate {
		return limits{math.MaxInt, math.MaxInt, 0}
	}
	l := limits{c.Threshold, c.Burst, c.Every}
	if l.threshold == 0 {
		l.threshold = defaultThreshold
	}
	if l.burst == 0 {
		l.burst = defaultBurst
	}
	if l.every == 0 {
		l.every = defaultEvery
	}
	return l
}

func lowered(was, is limits) []string {
	var lower []string
	if is.threshold < was.threshold {
		lower = append(lower, fmt.Sprintf("the threshold was %s and is %s", count(was.threshold), count(is.threshold)))
	}
	if is.burst < was.burst {
		lower = append(lower, fmt.Sprintf("the burst was %s and is %s", count(was.burst), count(is.burst)))
	}
	if is.every > was.every {
		lower = append(lower, fmt.Sprintf("another create was earned in %s and is in %s", was.every, is.every))
	}
	return lower
}

func count(n int) string {
	if n == math.MaxInt {
		return "none"
	}
	return fmt.Sprint(n)
}
