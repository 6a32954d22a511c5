package correlator

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// The defaults of Options.
const (
	defaultEventTTL      = time.Hour
	defaultFirstInterval = time.Second
	defaultMaxInterval   = 5 * time.Minute
	defaultWindow        = 10 * time.Minute
	defaultThreshold     = 10
	defaultBurst         = 25
	defaultEvery         = 5 * time.Minute
	defaultMaxEvents     = 262_144
	defaultMaxBytes      = 64 << 20
	defaultRetryDelay    = time.Second
	defaultMaxRetryDelay = 10 * time.Second
	defaultMaxInFlight   = 16
	defaultWriteTimeout  = 10 * time.Second
)

// Options tune a correlator: its schedule, aggregation, bounds and retries. The zero value works.
type Options struct {
	// EventTTL is the API server's --event-ttl. The correlator forgets an event that was quiet for
	// that long, because the server has forgotten it. Writes of a busy event are at most half of
	// EventTTL apart. Zero: an hour.
	EventTTL time.Duration
	// FirstInterval is the least time between the first two writes of an event. The interval
	// doubles with each write up to MaxInterval, which is cut to stay under half of EventTTL. Zero:
	// 1 s and 5 min.
	FirstInterval time.Duration
	MaxInterval   time.Duration
	// Window, Threshold, Burst and Every are the defaults for a definition's Correlation; see
	// eventrt.Correlation. Zero: 10 min, 10, 25, 5 min.
	Window    time.Duration
	Threshold int // NoAggregate has no limit
	Burst     int
	Every     time.Duration
	// NoAggregate switches aggregation and budgets off for all events.
	NoAggregate bool
	// MaxEvents and MaxBytes bound the held events, in number and memory. On overflow acknowledged
	// events go first; then those of the namespace with the most pending bytes, if it has more than
	// the mean of all; else any. Normal goes before Warning, the oldest first. Lost occurrences
	// count as evicted. Events with a write in flight always stay. Zero MaxEvents: 262,144. Zero
	// MaxBytes: 64 MiB, or the bound that SetMaxBytes sets. A broadcaster sets its share of an
	// eighth of the process's memory limit (GOMEMLIMIT, else the cgroup's limit). That eighth is at
	// least 8 MiB and at most 64 MiB for all broadcasters of the process together.
	MaxEvents int
	MaxBytes  int64
	// RetryDelay is the wait after the first failed try of a write; it doubles up to MaxRetryDelay.
	// MaxRetryDelay also bounds the pauses of a failing namespace. Zero: 1 s and 10 s.
	RetryDelay    time.Duration
	MaxRetryDelay time.Duration
	// MaxInFlight is the number of calls of the sink at once. One namespace has at most half of
	// them. A call without an answer for a second gives its place to another, up to four times
	// MaxInFlight calls in all. 1 means one call at a time, however long it takes, for a sink that
	// is not safe for concurrent use. Zero: 16.
	MaxInFlight int
}

// Writer describes the writer of the events.
type Writer struct {
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
}

// Defaults returns the values that zero numbers, durations and texts stand for.
func Defaults() (Options, Writer) { return Options{}.withDefaults(), Writer{}.withDefaults() }

func (o Options) withDefaults() Options {
	setDefault(&o.EventTTL, defaultEventTTL)
	setDefault(&o.FirstInterval, defaultFirstInterval)
	setDefault(&o.MaxInterval, defaultMaxInterval)
	setDefault(&o.Window, defaultWindow)
	setDefault(&o.Threshold, defaultThreshold)
	setDefault(&o.Burst, defaultBurst)
	setDefault(&o.Every, defaultEvery)
	setDefault(&o.MaxEvents, defaultMaxEvents)
	setDefault(&o.MaxBytes, defaultMaxBytes)
	setDefault(&o.RetryDelay, defaultRetryDelay)
	setDefault(&o.MaxRetryDelay, defaultMaxRetryDelay)
	setDefault(&o.MaxInFlight, defaultMaxInFlight)
	o.MaxInterval = min(o.MaxInterval, o.EventTTL/20*9)
	o.FirstInterval = min(o.FirstInterval, o.MaxInterval)
	return o
}

func setDefault[T int | int64 | time.Duration](v *T, def T) {
	if *v == 0 {
		*v = def
	}
}

func (w Writer) withDefaults() Writer {
	setDefault(&w.WriteTimeout, defaultWriteTimeout)
	w.ClusterNamespace = cmp.Or(w.ClusterNamespace, metav1.NamespaceDefault)
	return w
}

// validate reports every unusable option.
func validate(o Options, w Writer) error {
	var errs []error
	for _, field := range []struct {
		name  string
		value int64
	}{
		{"EventTTL", int64(o.EventTTL)}, {"FirstInterval", int64(o.FirstInterval)}, {"MaxInterval", int64(o.MaxInterval)},
		{"Window", int64(o.Window)}, {"Threshold", int64(o.Threshold)}, {"Burst", int64(o.Burst)}, {"Every", int64(o.Every)},
		{"MaxEvents", int64(o.MaxEvents)}, {"MaxBytes", o.MaxBytes}, {"RetryDelay", int64(o.RetryDelay)},
		{"MaxRetryDelay", int64(o.MaxRetryDelay)}, {"MaxInFlight", int64(o.MaxInFlight)}, {"WriteTimeout", int64(w.WriteTimeout)},
	} {
		if field.value < 0 {
			errs = append(errs, fmt.Errorf("option %s: expected zero (the default) or more, found %d", field.name, field.value))
		}
	}
	if w.Identity > Unique {
		errs = append(errs, fmt.Errorf("option Identity: expected Instance, Controller or Unique, found %d", w.Identity))
	}
	if problems := validation.IsQualifiedName(w.ReportingController); w.ReportingController != "" && len(problems) > 0 {
		errs = append(errs, fmt.Errorf("option ReportingController: %q is no qualified name: %s", w.ReportingController, strings.Join(problems, "; ")))
	}
	if len(w.ReportingInstance) > eventrt.MaxReasonBytes {
		errs = append(errs, fmt.Errorf("option ReportingInstance: expected at most %d bytes, found %d", eventrt.MaxReasonBytes, len(w.ReportingInstance)))
	}
	if n := w.ClusterNamespace; n != "" && n != metav1.NamespaceDefault && n != metav1.NamespaceSystem {
		errs = append(errs, fmt.Errorf("option ClusterNamespace: expected %q or %q, since an API server refuses events about cluster-scoped objects in any other namespace; found %q",
			metav1.NamespaceDefault, metav1.NamespaceSystem, n))
	}
	return errors.Join(errs...)
}
