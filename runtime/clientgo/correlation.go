package clientgo

import (
	"math"
	"time"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
)

// client-go's defaults (tools/record/events_cache.go), and bounds of our own.
const (
	defaultMaxEvents = 10
	defaultInterval  = 600 * time.Second
	defaultBurst     = 25
	defaultEvery     = 300 * time.Second
	defaultCacheSize = 16_384

	minRetryDelay = time.Millisecond
	maxRetryDelay = 10 * time.Second

	longest = 100 * 365 * 24 * time.Hour
)

// pipeline returns the options of a recording's broadcaster that do not depend on its sink and
// group.
func (c *config) pipeline(p *policy) broadcaster.Options {
	tuned := tuning.Tuning{Window: c.interval(), Aggregate: p.aggregate}
	switch {
	case c.sleepSet && c.sleep == 0:
		tuned.RetryDelay, tuned.MaxRetryDelay = minRetryDelay, minRetryDelay
	case c.sleepSet:
		tuned.RetryDelay, tuned.MaxRetryDelay = c.sleep, max(c.sleep, maxRetryDelay)
	}
	return broadcaster.Options{
		Identity:   correlator.Unique,
		Labels:     c.labels,
		Correlator: correlator.Tuned(correlator.Options{MaxEvents: c.correlator.LRUCacheSize}, tuned),
		Logger:     c.log,
	}
}

func (c *config) interval() time.Duration {
	if s := c.correlator.MaxIntervalInSeconds; s > 0 {
		return seconds(float64(s))
	}
	return defaultInterval
}

// every is the time in which a budget earns one new event.
func (c *config) every() time.Duration {
	if qps := c.correlator.QPS; qps > 0 {
		return seconds(1 / float64(qps))
	}
	return defaultEvery
}

// seconds does not overflow.
func seconds(s float64) time.Duration {
	return time.Duration(math.Min(s*float64(time.Second), float64(longest)))
}
