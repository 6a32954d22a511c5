package broadcaster

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/dispatch"
	"github.com/event-gen/event-gen/runtime/internal/guard"
)

// Defaults of Options.
const (
	DefaultWorkers       = 16
	DefaultShards        = 8
	DefaultWriteTimeout  = 10 * time.Second
	DefaultMaxIdentities = 262_144
	DefaultMaxBytes      = 64 << 20
)

// Options of a broadcaster. All but Sink may be left zero.
type Options struct {
	// Sink stores the events. If it has a method Err() error, as the sinks of package kube do, New and Validate return that error.
	Sink runtime.Sink
	// Workers is the number of writes in flight at once, apart from calls that hang. One namespace holds at most half of them.
	// Shards is the number of correlators that share the objects, at most 64. Zero: DefaultWorkers, DefaultShards.
	Workers int
	Shards  int
	// WriteTimeout bounds the time of a write, and so the time for which a hanging server holds a worker. Zero: DefaultWriteTimeout.
	WriteTimeout time.Duration
	// Correlator holds schedule, budgets and bounds. Here MaxIdentities and MaxBytes bound the whole broadcaster,
	// and each shard has its part; zero: DefaultMaxIdentities, DefaultMaxBytes. An empty ReportingController is the program's name, an
	// empty Host the machine's.
	Correlator correlator.Options
	// Scheme finds the kind of typed objects, of a catalog's type any, that do not carry it. Nil: such events are rejected.
	Scheme *k8sruntime.Scheme
	// Disabled starts with recording switched off (SetEnabled), NamespaceFilter with a filter (SetNamespaceFilter).
	Disabled        bool
	NamespaceFilter func(namespace string) bool
	// TraceAnnotation puts a trace id on the events of recorders with a context.
	TraceAnnotation TraceAnnotation
	// Logger takes the broadcaster's log lines, each logged once or at a bounded rate: why events were rejected, refused or shed, when the
	// server stops and starts taking events, and which of the program's functions misbehave. The zero Logger, which logr.Discard also
	// returns, means klog.
	Logger logr.Logger
	// Clock is for tests. Nil: the system's.
	Clock runtime.Clock
}

// Validate returns the error that New would return, which names every unusable option. It starts nothing.
func (o Options) Validate() error {
	_, err := o.withDefaults()
	return err
}

func (o Options) withDefaults() (Options, error) {
	o.Workers = cmp.Or(o.Workers, DefaultWorkers)
	o.Shards = cmp.Or(o.Shards, DefaultShards)
	o.WriteTimeout = cmp.Or(o.WriteTimeout, DefaultWriteTimeout)
	o.TraceAnnotation.Key = cmp.Or(o.TraceAnnotation.Key, DefaultTraceKey)
	o.Clock = guard.Clock(o.Clock)
	if o.Logger.IsZero() {
		o.Logger = klog.Background().WithName("event-gen")
	}
	c := &o.Correlator
	c.MaxIdentities = cmp.Or(c.MaxIdentities, DefaultMaxIdentities)
	c.MaxBytes = cmp.Or(c.MaxBytes, DefaultMaxBytes)
	c.ReportingController = cmp.Or(c.ReportingController, programName())
	if c.Host == "" && c.ReportingInstance == "" {
		host, err := os.Hostname()
		if err != nil {
			return o, fmt.Errorf("broadcaster: Correlator.ReportingInstance and Host are empty and the machine does not tell its name: %w", err)
		}
		c.Host = host
	}
	if c.Tag == 0 {
		var tag [4]byte
		_, _ = rand.Read(tag[:]) // never fails, see crypto/rand
		c.Tag = binary.BigEndian.Uint32(tag[:])
	}
	return o, o.validate()
}

func (o *Options) validate() error {
	var errs []error
	if s, ok := o.Sink.(interface{ Err() error }); ok && s.Err() != nil {
		errs = append(errs, fmt.Errorf("option Sink: %w", s.Err()))
	}
	if o.Sink == nil {
		errs = append(errs, errors.New("option Sink: expected one, found nil; kube.Auto(restConfig) writes to the API server, sink.NewMemory() to memory"))
	}
	if o.Workers < 0 {
		errs = append(errs, fmt.Errorf("option Workers: expected 1 or more, or 0 for the default, found %d", o.Workers))
	}
	if o.Shards < 0 || o.Shards > dispatch.MaxShards {
		errs = append(errs, fmt.Errorf("option Shards: expected 1 to %d, or 0 for the default, found %d", dispatch.MaxShards, o.Shards))
	}
	if o.WriteTimeout < 0 {
		errs = append(errs, fmt.Errorf("option WriteTimeout: expected more than 0, or 0 for the default, found %v", o.WriteTimeout))
	}
	if err := o.TraceAnnotation.validate(); err != nil {
		errs = append(errs, err)
	}
	if problems := validation.IsQualifiedName(o.Correlator.ReportingController); len(problems) > 0 {
		errs = append(errs, fmt.Errorf("option Correlator.ReportingController: %q is no qualified name: %s", o.Correlator.ReportingController, strings.Join(problems, "; ")))
	}
	if err := o.Correlator.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("option Correlator: %w", err))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("broadcaster options: %w", err)
	}
	return nil
}

// sharedLimits gives all shards the same buckets.
func (o *Options) sharedLimits() {
	if o.Correlator.Buckets == nil {
		o.Correlator.Buckets = correlator.NewBuckets(&sync.Mutex{})
	}
}

// shardOptions is a shard's part of the options. Each shard has a tag of its own, so that no two make one name.
func (o *Options) shardOptions(shard int) correlator.Options {
	c := o.Correlator
	c.Tag += uint32(shard)
	c.MaxIdentities = max(1, c.MaxIdentities/o.Shards)
	c.MaxBytes = max(1, c.MaxBytes/int64(o.Shards))
	return c
}

// programName is the name of the running program, made a qualified name.
func programName() string {
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '-' || r == '_' || r == '.' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z') {
			return r
		}
		return '-'
	}, filepath.Base(os.Args[0]))
	return cmp.Or(strings.Trim(name[:min(len(name), 63)], "-_."), "event-gen")
}

// DefaultTraceKey is the key of the annotation that carries a trace id.
const DefaultTraceKey = "event-gen.github.io/trace-id"

// TraceAnnotation puts the id of a trace on events. With OpenTelemetry:
//
//	Value: func(ctx context.Context) string {
//		if sc := trace.SpanContextFromContext(ctx); sc.HasTraceID() {
//			return sc.TraceID().String()
//		}
//		return ""
//	}
type TraceAnnotation struct {
	// Key is the annotation's key, a qualified name; empty: DefaultTraceKey.
	Key string
	// Value returns a context's trace id; empty: none. It is called once for each Recorder.WithContext, in the caller's
	// goroutine, and must be safe for concurrent use. A panic means no trace id, and the first is logged. Nil: events get no trace id.
	Value func(context.Context) string
}

func (t *TraceAnnotation) validate() error {
	if problems := validation.IsQualifiedName(strings.ToLower(t.Key)); len(problems) > 0 {
		return fmt.Errorf("option TraceAnnotation.Key: %q is no qualified name such as %s: %s", t.Key, DefaultTraceKey, strings.Join(problems, "; "))
	}
	return nil
}

// ContextAnnotation implements runtime.ContextAnnotator.
func (b *Broadcaster) ContextAnnotation(ctx context.Context) (key, value string) {
	t := &b.opts.TraceAnnotation
	if t.Value == nil {
		return "", ""
	}
	defer func() {
		if p := recover(); p != nil {
			b.say.once(&b.say.tracePanicked, "TraceAnnotation.Value panicked; the events go without a trace id", p)
			key, value = "", ""
		}
	}()
	return t.Key, t.Value(ctx)
}
