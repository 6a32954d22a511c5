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
	// EventTTL is the API server's --event-ttl. An identity that was quiet for that long is forgotten, since its event has
	// expired; writes of a busy one are never further apart than half of it. Zero: DefaultEventTTL.
	EventTTL time.Duration
	// FirstInterval is the least time between the first two writes of an identity. It doubles with each write up to
	// MaxInterval, which is cut to stay under half of EventTTL. Zero: DefaultFirstInterval, DefaultMaxInterval.
	FirstInterval time.Duration
	MaxInterval   time.Duration
	// Window, Threshold, Burst and Every hold where a definition's Correlation does not say them; see runtime.Correlation.
	Window    time.Duration
	Threshold int // 65,535 at the most; NoAggregate is without limit
	Burst     int
	Every     time.Duration
	// NoAggregate switches aggregation and budgets off for all events.
	NoAggregate bool
	// Fold, unless nil, decides in place of threshold and budget whether an occurrence folds into the aggregate of its
	// group; known says that it would else be counted with an event that is held already. It is called once for each
	// occurrence that is admitted, in the goroutine that records, under no lock and several at once. Where it panics, the event
	// does not fold.
	Fold func(e runtime.Event, known bool, now runtime.Instant) bool
	// MaxIdentities and MaxBytes bound what is held; on overflow the least worth keeping goes first, and what is lost is
	// counted as shed. Identities of which a write is in flight are held in any case. Zero: DefaultMaxIdentities,
	// DefaultMaxBytes.
	MaxIdentities int
	MaxBytes      int64
	// RetryDelay is waited after the first failed try of a write; it doubles up to MaxRetryDelay. Zero: DefaultRetryDelay,
	// DefaultMaxRetryDelay.
	RetryDelay    time.Duration
	MaxRetryDelay time.Duration
	// ReportingController is that of events that name none; it must be a qualified name. ReportingInstance is that of
	// all, at most 128 bytes; empty: that of each is its controller, a hyphen and Host, shortened with
	// a hash where that exceeds 128 bytes.
	ReportingController string
	ReportingInstance   string
	Host                string
	// Buckets are shared with the other correlators of a broadcaster, so that a runtime.Limit holds for all of them. Nil: ones of its own.
	Buckets *Buckets
	// Tag tells the names that this process makes from those of others.
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
