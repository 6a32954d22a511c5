package broadcaster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-logr/logr"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/inside"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Options of a broadcaster. All but Sink may be left zero.
type Options struct {
	// Sink stores the events. If it has a method Err() error, as the sinks of package kube do, New
	// and Validate return that error.
	Sink sink.Sink
	// ReportingController is the default for events that name none, a qualified name; empty: the
	// program's name.
	ReportingController string
	// ReportingInstance holds for all events, at most 128 bytes; empty: each event's controller, a
	// hyphen and Host, shortened with a hash if they exceed 128 bytes. An empty Host is the
	// machine's name.
	ReportingInstance string
	Host              string
	// ClusterNamespace is the namespace of events about cluster-scoped objects:
	// metav1.NamespaceDefault, or metav1.NamespaceSystem (kube-system). In kube-system the API
	// server takes such events in the form of events.k8s.io only: kube.CoreV1 can't write them, and
	// kube.Auto writes them to default if it falls back to the core group. The server refuses such
	// events in every other namespace (kubernetes pkg/apis/core/validation/events.go). Empty:
	// default.
	ClusterNamespace string
	// Identity decides which processes share an event. One event then counts the occurrences of all
	// these processes, unless it expires on the server in between. Zero: correlator.Instance, a
	// process and later ones with the same ReportingInstance, as after a restart of a container.
	// correlator.Controller, all processes of a controller, is for controllers behind leader
	// election: the next leader goes on with the former leader's events. With correlator.Unique a
	// process shares no event, and begins all events anew; kubectl get events then lists the events
	// of an object in order of time.
	Identity correlator.Identity

	// Labels are set on all events, in place of labels of the same keys: a cluster, a tenant. They
	// are at most eight, and the API server must take them. The create of an event sends them, no
	// update does.
	Labels map[string]string

	// Correlator tunes schedule, aggregation, bounds and retries. Zero: its defaults.
	Correlator correlator.Options

	// WriteTimeout bounds the time of a write. Zero: 10 s.
	WriteTimeout time.Duration

	// Scheme finds the kind of typed objects, of a catalog's type any, that do not carry it. Nil:
	// such events are rejected.
	Scheme *k8sruntime.Scheme
	// Disabled starts with recording switched off (SetEnabled), Filter with a filter (SetFilter).
	Disabled bool
	Filter   Filter
	// TraceID puts a trace id on the events of recorders with a context. It returns the trace id of
	// a context, or nothing. With OpenTelemetry:
	//
	//	func(ctx context.Context) string {
	//		if sc := trace.SpanContextFromContext(ctx); sc.HasTraceID() {
	//			return sc.TraceID().String()
	//		}
	//		return ""
	//	}
	//
	// It is called once for each Recorder.WithContext, in the caller's goroutine, and must be safe
	// for concurrent use. A panic means no trace id, and the first is logged. Nil: events get no
	// trace id.
	TraceID func(context.Context) string
	// TraceKey is the key of the annotation with the trace id, a qualified name; empty:
	// event-gen.github.io/trace-id.
	TraceKey string
	// Redact, unless nil, cleans texts that may hold a secret, such as a password in the URL of an
	// error: params of type error, string, Stringer and list, annotations, labels that a recorder
	// was given, and the texts of Forward
	// and of client-go's recorders. Redact gets each text before the text is cut. Nothing else sees
	// the original text: it is neither compared, logged, shown nor stored. Redact is called in the
	// goroutine that records, under no lock and several at once, and must depend on nothing but the
	// text. If Redact panics, the text becomes <redacted>.
	Redact func(text string) string
	// Logger takes the broadcaster's log lines, each logged once or at a bounded rate: why events
	// were rejected, refused or evicted, when the server stops and starts taking events, and which
	// of the program's functions misbehave. It is called in a goroutine of its own, for which 256
	// lines may wait; further ones are dropped and counted. The zero Logger, which logr.Discard
	// also returns, means klog.
	Logger logr.Logger
}

// Validate returns the error that New would return, which names every unusable option. It starts
// nothing.
func (o Options) Validate() error {
	_, err := o.withDefaults()
	return err
}

func (o Options) withDefaults() (Options, error) {
	o.TraceKey = cmp.Or(o.TraceKey, defaultTraceKey)
	if o.Logger.IsZero() {
		o.Logger = klog.Background().WithName("event-gen")
	}
	o.ReportingController = cmp.Or(o.ReportingController, programName())
	if o.Host == "" && o.ReportingInstance == "" {
		host, err := os.Hostname()
		if err != nil {
			return o, fmt.Errorf("broadcaster: the options ReportingInstance and Host are empty, and the machine's name is unknown: %w", err)
		}
		o.Host = host
	}
	return o, o.validate()
}

func (o *Options) validate() error {
	var errs []error
	if s, ok := o.Sink.(interface{ Err() error }); ok && s.Err() != nil {
		errs = append(errs, fmt.Errorf("option Sink: %w", s.Err()))
	}
	if o.Sink == nil {
		errs = append(errs, errors.New("option Sink: expected one, found nil; kube.Auto(restConfig) writes to the API server, memory.New() to memory"))
	}
	if err := checkFilter(o.Filter); err != nil {
		errs = append(errs, fmt.Errorf("option Filter: %w", err))
	}
	if problems := validation.IsQualifiedName(strings.ToLower(o.TraceKey)); len(problems) > 0 {
		errs = append(errs, fmt.Errorf("option TraceKey: %q is no qualified name such as %s: %s", o.TraceKey, defaultTraceKey, strings.Join(problems, "; ")))
	}
	if err := validateLabels(o.Labels); err != nil {
		errs = append(errs, err)
	}
	if _, err := o.newCorrelator(nil); err != nil {
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("broadcaster options: %w", err)
	}
	return nil
}

// newCorrelator makes the correlator that the options describe.
func (o *Options) newCorrelator(unlocked func(call func())) (*correlator.Correlator, error) {
	return correlator.New(o.Correlator, tuning.Writer[correlator.Identity]{
		WriteTimeout: o.WriteTimeout, ClusterNamespace: o.ClusterNamespace,
		ReportingController: o.ReportingController, ReportingInstance: o.ReportingInstance, Host: o.Host,
		Identity: o.Identity, Tag: uint64(time.Now().UnixNano())>>randomBits<<randomBits | uint64(rand.Uint32N(1<<randomBits)),
		Unlocked: unlocked,
	})
}

// randomBits of a tag are random. The others are the time in units of 17 ms.
const randomBits = 24

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

// defaultTraceKey is the key of the annotation that carries a trace id.
const defaultTraceKey = "event-gen.github.io/trace-id"

// Inside is for recorders: what the broadcaster does with texts before there is an event.
func (b *Broadcaster) Inside(inside.Key) inside.Texts { return texts{b} }

type texts struct{ b *Broadcaster }

// Redact returns a text as Options.Redact cleans it.
func (t texts) Redact(text string) string { return t.b.redact(text) }

// ContextAnnotation returns the annotation with the trace id of a context.
func (t texts) ContextAnnotation(ctx context.Context) (key, value string) {
	o := &t.b.opts
	if o.TraceID == nil {
		return "", ""
	}
	defer t.b.recovered(&t.b.log.tracePanicked, "Options.TraceID panicked; the events go without a trace id")
	return o.TraceKey, t.b.redact(o.TraceID(ctx))
}

func (b *Broadcaster) redact(text string) (clean string) {
	if b.opts.Redact == nil {
		return text
	}
	clean = "<redacted>"
	defer b.recovered(&b.log.redactPanicked, "Options.Redact panicked; the text is replaced by <redacted>")
	return b.opts.Redact(text)
}
