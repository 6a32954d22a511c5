// Package tuning has what a correlator can be told, and no user has asked for yet. Tests set it,
// and the drop-in for the options of client-go's broadcasters.
package tuning

import (
	"cmp"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
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
	// Aggregate, unless nil, replaces threshold and budget: it decides whether an occurrence goes
	// into the aggregate of its group. known is true if the occurrence would otherwise count as a
	// repeat of an event that is held. Aggregate is called once for each admitted occurrence, in
	// the goroutine that records, under no lock and several at once (Writer.Unlocked). If it
	// panics, the event is not aggregated.
	Aggregate func(e eventrt.Event, known bool) bool
}

// Writer describes the writer of a correlator's events.
type Writer[Identity any] struct {
	// WriteTimeout is the most time that a call of the sink may take. Zero: 10 s.
	WriteTimeout time.Duration
	// ReportingController is the default for events that name none; it must be a qualified name.
	// ReportingInstance holds for all events, at most 128 bytes; empty: each event's controller, a
	// hyphen and Host, shortened with a hash if they exceed 128 bytes.
	ReportingController string
	ReportingInstance   string
	Host                string
	// ClusterNamespace is the namespace of events about cluster-scoped objects:
	// metav1.NamespaceDefault, or metav1.NamespaceSystem. Empty: the first.
	ClusterNamespace string
	// Identity decides which processes share an event.
	Identity Identity
	// Tag tells this writer from other writers of the same events; later writers have larger tags.
	Tag uint64
	// Unlocked calls a function without the lock that the owner holds over the correlator, and
	// recovers its panic. Nil: there is none.
	Unlocked func(call func())
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
		Aggregate:     t.Aggregate,
	}
}
