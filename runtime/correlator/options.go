package correlator

import (
	"errors"
	"fmt"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// Defaults, all of them for one correlator.
const (
	DefaultEventTTL      = time.Hour
	DefaultFirstInterval = time.Second
	DefaultMaxInterval   = 5 * time.Minute
	DefaultWindow        = 10 * time.Minute
	DefaultThreshold     = 10
	DefaultBurst         = 25
	DefaultEvery         = 5 * time.Minute
	DefaultMaxIdentities = 16384
	DefaultMaxBytes      = 16 << 20
	DefaultRetryDelay    = time.Second
	DefaultMaxRetryDelay = 10 * time.Second
)

// Options of a correlator. The zero value works.
type Options struct {
	// EventTTL is the API server's --event-ttl. An identity that was quiet for that long is forgotten, because its event has
	// expired. Writes of a busy identity are at most half of EventTTL apart. Zero: DefaultEventTTL.
	EventTTL time.Duration
	// FirstInterval is the least time between the first two writes of an identity. It doubles with each write up to
	// MaxInterval, which is cut to stay under half of EventTTL. Zero: DefaultFirstInterval, DefaultMaxInterval.
	FirstInterval time.Duration
	MaxInterval   time.Duration
	// Window, Threshold, Burst and Every are the defaults for a definition's Correlation; see runtime.Correlation.
	Window    time.Duration
	Threshold int // at most 65,535; NoAggregate has no limit
	Burst     int
	Every     time.Duration
	// NoAggregate switches aggregation and budgets off for all events.
	NoAggregate bool
	// Fold, unless nil, replaces threshold and budget: it decides whether an occurrence folds into the aggregate of its
	// group. known is true if the occurrence would otherwise count as a repeat of an event that is held. Fold is called once for each
	// admitted occurrence, in the goroutine that records, under no lock and several at once. If it panics, the event
	// does not fold.
	Fold func(e runtime.Event, known bool, now runtime.Instant) bool
	// MaxIdentities and MaxBytes bound what is held. On overflow the least valuable identities go first, and lost occurrences
	// count as shed. Identities with a write in flight always stay. Zero: DefaultMaxIdentities,
	// DefaultMaxBytes.
	MaxIdentities int
	MaxBytes      int64
	// RetryDelay is the wait after the first failed try of a write; it doubles up to MaxRetryDelay. Zero: DefaultRetryDelay,
	// DefaultMaxRetryDelay.
	RetryDelay    time.Duration
	MaxRetryDelay time.Duration
	// ReportingController is the default for events that name none; it must be a qualified name. ReportingInstance holds for
	// all events, at most 128 bytes; empty: each event's controller, a hyphen and Host, shortened with
	// a hash if they exceed 128 bytes.
	ReportingController string
	ReportingInstance   string
	Host                string
	// Buckets is shared with the other correlators of a broadcaster, so that a runtime.Limit holds for all of them. Nil: buckets of its own.
	Buckets *Buckets
	// Tag distinguishes the event names of this process from those of other processes.
	Tag uint32
}

func (o Options) withDefaults() Options {
	setDefault(&o.EventTTL, DefaultEventTTL)
	setDefault(&o.FirstInterval, DefaultFirstInterval)
	setDefault(&o.MaxInterval, DefaultMaxInterval)
	setDefault(&o.Window, DefaultWindow)
	setDefault(&o.Threshold, DefaultThreshold)
	setDefault(&o.Burst, DefaultBurst)
	setDefault(&o.Every, DefaultEvery)
	setDefault(&o.MaxIdentities, DefaultMaxIdentities)
	setDefault(&o.MaxBytes, DefaultMaxBytes)
	setDefault(&o.RetryDelay, DefaultRetryDelay)
	setDefault(&o.MaxRetryDelay, DefaultMaxRetryDelay)
	if o.Buckets == nil {
		o.Buckets = NewBuckets(nil)
	}
	o.MaxInterval = min(o.MaxInterval, o.EventTTL/20*9)
	o.FirstInterval = min(o.FirstInterval, o.MaxInterval)
	return o
}

func setDefault[T int | int64 | time.Duration](v *T, def T) {
	if *v == 0 {
		*v = def
	}
}

// Validate reports every option that makes no sense.
func (o Options) Validate() error {
	var errs []error
	negative := func(name string, value int64) {
		if value < 0 {
			errs = append(errs, fmt.Errorf("option %s: expected zero (the default) or more, found %d", name, value))
		}
	}
	negative("EventTTL", int64(o.EventTTL))
	negative("FirstInterval", int64(o.FirstInterval))
	negative("MaxInterval", int64(o.MaxInterval))
	negative("Window", int64(o.Window))
	negative("Threshold", int64(o.Threshold))
	negative("Burst", int64(o.Burst))
	negative("Every", int64(o.Every))
	negative("MaxIdentities", int64(o.MaxIdentities))
	negative("MaxBytes", o.MaxBytes)
	negative("RetryDelay", int64(o.RetryDelay))
	negative("MaxRetryDelay", int64(o.MaxRetryDelay))
	if len(o.ReportingInstance) > 128 {
		errs = append(errs, fmt.Errorf("option ReportingInstance: expected at most 128 bytes, found %d", len(o.ReportingInstance)))
	}
	return errors.Join(errs...)
}
