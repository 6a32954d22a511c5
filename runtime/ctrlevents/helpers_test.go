package ctrlevents

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// written is a sink that stores everything, in memory. Block, unless nil, holds up every write.
type written struct {
	block <-chan struct{}

	mu     sync.Mutex
	writes []sink.Write
}

func (s *written) Write(ctx context.Context, w *sink.Write) sink.Answer {
	if s.block != nil {
		select {
		case <-s.block:
		case <-ctx.Done():
			return sink.Answer{Outcome: sink.Retry, Err: ctx.Err()}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := *w
	c.Note = append([]byte(nil), w.Note...)
	c.Annotations = slices.DeleteFunc(slices.Clone(w.Annotations), func(a eventrt.Annotation) bool { return strings.HasPrefix(a.Key, sink.WriterAnnotation) })
	c.Labels = slices.Clone(w.Labels)
	s.writes = append(s.writes, c)
	return sink.Answer{Outcome: sink.Done, ResourceVersion: uint64(len(s.writes))}
}

// all are the writes until now.
func (s *written) all() []sink.Write {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]sink.Write(nil), s.writes...)
}

// counts are the counts of what is stored, by reason and note.
func (s *written) counts() map[string]int32 {
	counts := map[string]int32{}
	for _, w := range s.all() {
		counts[w.Reason+": "+string(w.Note)] = w.Count
	}
	return counts
}

// nowhere is a server that is never asked.
var nowhere = &rest.Config{Host: "http://127.0.0.1:1"}

// quiet are options of a manager that opens no port.
func quiet() manager.Options {
	return manager.Options{Logger: logr.Discard(), Metrics: metricsserver.Options{BindAddress: "0"}}
}

// newManager makes a manager whose events go to two sinks.
func newManager(t *testing.T, options manager.Options, eventOptions Options) (m *Manager, auto, core *written) {
	t.Helper()
	auto, core = &written{}, &written{}
	if eventOptions.Broadcaster.Sink == nil {
		eventOptions.Broadcaster.Sink = auto
	}
	if eventOptions.CoreSink == nil {
		eventOptions.CoreSink = core
	}
	m, err := NewManager(nowhere, options, eventOptions)
	if err != nil {
		t.Fatal(err)
	}
	return m, auto, core
}

func pod(name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: "7f9c"}}
}

// add has a function run by the manager.
func add(t *testing.T, m manager.Manager, f func(context.Context)) {
	t.Helper()
	if err := m.Add(manager.RunnableFunc(func(ctx context.Context) error { f(ctx); return nil })); err != nil {
		t.Fatal(err)
	}
}

// run starts the manager, has it stopped, and returns what Start did.
func run(t *testing.T, m manager.Manager) error {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	add(t, m, func(context.Context) { stop() })
	return m.Start(ctx)
}

// checkConservation holds that everything is accounted for.
func checkConservation(t *testing.T, s eventrt.Stats) {
	t.Helper()
	if s.Recorded != s.Written+s.Pending+s.Lost.Total() {
		t.Errorf("recorded %d, written %d + pending %d + lost %d", s.Recorded, s.Written, s.Pending, s.Lost.Total())
	}
}

// lines keeps what is logged.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) logger(verbosity int) logr.Logger {
	return funcr.New(func(prefix, args string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.all = append(l.all, prefix+" "+args)
	}, funcr.Options{Verbosity: verbosity})
}
