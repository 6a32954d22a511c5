// Package tuning has what a correlator can be told, and no user has asked for yet. Tests set it,
// and the drop-in for the options of client-go's broadcasters.
package tuning

import (
	"cmp"
	"time"
)

// Tuning is beside correlator.Options.
type Tuning struct {
	// FirstInterval is the least time between the first two writes of an event; it doubles up to
	// MaxInterval.
	FirstInterval time.Duration
	// Window and Threshold are the defaults for a definition's Correlation; see
	// eventrt.Correlation.
	Window    time.Duration
	Threshold int
	// RetryDelay is the wait after the first failed try of a write; it doubles up to MaxRetryDelay,
	// which also bounds the pauses of a failing namespace.
	RetryDelay, MaxRetryDelay time.Duration
	// MaxInFlight is the number of calls of the sink at once. 1: one, however long it takes.
	MaxInFlight int
}

// Defaults are the values that zero stands for.
var Defaults = Tuning{
	FirstInterval: time.Second, Window: 10 * time.Minute, Threshold: 10,
	RetryDelay: time.Second, MaxRetryDelay: 10 * time.Second, MaxInFlight: 16,
}

// Or returns t with other's values where t has none.
func (t Tuning) Or(other Tuning) Tuning {
	return Tuning{
		FirstInterval: cmp.Or(t.FirstInterval, other.FirstInterval),
		Window:        cmp.Or(t.Window, other.Window),
		Threshold:     cmp.Or(t.Threshold, other.Threshold),
		RetryDelay:    cmp.Or(t.RetryDelay, other.RetryDelay),
		MaxRetryDelay: cmp.Or(t.MaxRetryDelay, other.MaxRetryDelay),
		MaxInFlight:   cmp.Or(t.MaxInFlight, other.MaxInFlight),
	}
}
