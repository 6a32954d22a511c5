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
	"github.com/event-gen/event-gen/runtime/internal/tuning"
)

// The defaults of Options and writerOptions.
const (
	defaultEventTTL     = time.Hour
	defaultMaxInterval  = 5 * time.Minute
	defaultBurst        = 25
	defaultEvery        = 5 * time.Minute
	defaultMaxEvents    = 262_144
	defaultMaxBytes     = 64 << 20
	defaultWriteTimeout = 10 * time.Second
)

// Options tune a correlator: its schedule, budgets and bounds. The zero value works.
type Options struct {
	// EventTTL is the API server's --event-ttl. The correlator forgets an event that was quiet for
	// that long, because the server has forgotten it. Writes of a busy event are at most half of
	// EventTTL apart. Zero: an hour.
	EventTTL time.Duration
	// MaxInterval is the longest time between two writes of a busy event. The intervals begin at a
	// second, and double. MaxInterval is cut to stay under half of EventTTL. What waits after a
	// failure waits for no longer than MaxInterval, and for 10 s. Zero: 5 min.
	MaxInterval time.Duration
	// Burst and Every are the budget of a definition that sets none; see eventrt.Correlation. If
	// Burst is negative, no event is aggregated. Zero: 25, 5 min.
	Burst int
	Every time.Duration
	// MaxEvents and MaxBytes bound the held events, in number and memory. On overflow acknowledged
	// events go first; then those of the namespace with the most pending bytes, if it has more than
	// the mean of all; else any. Normal goes before Warning, the oldest first. Lost occurrences
	// count as evicted. Events with a write in flight always stay. Zero MaxEvents: 262,144. Zero
	// MaxBytes: 64 MiB, or the bound that SetMaxBytes sets. A broadcaster sets its share of an
	// eighth of the process's memory limit (GOMEMLIMIT, else the cgroup's limit). That eighth is at
	// least 8 MiB and at most 64 MiB for all broadcasters of the process together.
	MaxEvents int
	MaxBytes  int64
	// OneCall is for a sink that is not safe for concurrent use: it has one call at a time, however
	// long it takes. Otherwise 16 calls of the sink may be out at once, of which one namespace has
	// at most half. A call without an answer for a second gives its place to another, up to 64
	// calls in all.
	OneCall bool

	tuning tuning.Tuning
}

// Tuned returns options with what this module's own packages may set beside them.
func Tuned(o Options, t tuning.Tuning) Options {
	o.tuning = t
	return o
}

// writerOptions describe the writer of the events.
type writerOptions = tuning.Writer[Identity]

func (o Options) withDefaults() Options {
	setDefault(&o.EventTTL, defaultEventTTL)
	setDefault(&o.MaxInterval, defaultMaxInterval)
	setDefault(&o.Burst, defaultBurst)
	setDefault(&o.Every, defaultEvery)
	setDefault(&o.MaxEvents, defaultMaxEvents)
	setDefault(&o.MaxBytes, defaultMaxBytes)
	o.MaxInterval = min(o.MaxInterval, o.EventTTL/20*9)
	t := o.tuning.Or(tuning.Defaults)
	t.FirstInterval = min(t.FirstInterval, o.MaxInterval)
	if o.tuning.RetryDelay == 0 {
		t.RetryDelay, t.MaxRetryDelay = min(t.RetryDelay, o.MaxInterval), min(t.MaxRetryDelay, o.MaxInterval)
	}
	if o.OneCall {
		t.MaxInFlight = 1
	}
	o.tuning = t
	return o
}

func setDefault[T int | int64 | time.Duration](v *T, def T) {
	if *v == 0 {
		*v = def
	}
}

func writerDefaults(w writerOptions) writerOptions {
	setDefault(&w.WriteTimeout, defaultWriteTimeout)
	if w.Unlocked == nil {
		w.Unlocked = func(call func()) { call() }
	}
	w.ClusterNamespace = cmp.Or(w.ClusterNamespace, metav1.NamespaceDefault)
	return w
}

// validate reports every unusable option.
func validate(o Options, w writerOptions) error {
	var errs []error
	for _, field := range []struct {
		name  string
		value int64
	}{
		{"EventTTL", int64(o.EventTTL)}, {"MaxInterval", int64(o.MaxInterval)}, {"Every", int64(o.Every)},
		{"MaxEvents", int64(o.MaxEvents)}, {"MaxBytes", o.MaxBytes}, {"WriteTimeout", int64(w.WriteTimeout)},
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
