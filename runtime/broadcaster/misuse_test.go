package broadcaster_test

import (
	"context"
	"fmt"
	"os"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// misuse is what a function of the host's does in place of its work.
type misuse func()

// hostFunctions has each function that a host gives misbehave with one call: that for the object "bad", or the first. The key is the row
// of the table in docs/mechanics.md.
var hostFunctions = map[string]struct {
	give    func(o *broadcaster.Options, bad misuse)     // as an option
	attach  func(b *broadcaster.Broadcaster, bad misuse) // to a broadcaster
	record  func(r *runtime.Recorder, bad misuse)        // the event that meets it; nil: one about the object "bad"
	costs   map[string]string                            // what becomes of that event, by misuse: "stored" unless said
	neither map[string]bool                              // misuses that can't be borne, see the table
}{
	"Sink": {
		give: func(o *broadcaster.Options, bad misuse) {
			next := o.Sink
			o.Sink = sinkFunc(func(ctx context.Context, w *runtime.Write) runtime.Answer {
				if w.Regarding.Name == "bad" {
					bad()
				}
				return next.Write(ctx, w)
			})
		},
		costs: map[string]string{"panic": "refused", "Goexit": "refused"},
	},
	"Correlator.Fold": {
		give: func(o *broadcaster.Options, bad misuse) {
			o.Correlator.Fold = func(e runtime.Event, _ bool, _ runtime.Instant) bool {
				if e.Regarding().Name == "bad" {
					bad()
				}
				return false
			}
		},
		costs: map[string]string{"Goexit": "gone"},
	},
	"NamespaceFilter": {
		give: func(o *broadcaster.Options, bad misuse) {
			o.NamespaceFilter = func(ns string) bool {
				if ns == "bad" {
					bad()
				}
				return true
			}
		},
		costs: map[string]string{"Goexit": "gone"},
	},
	"TraceAnnotation.Value": {
		give: func(o *broadcaster.Options, bad misuse) {
			o.TraceAnnotation.Value = func(ctx context.Context) string {
				bad()
				return "id"
			}
		},
		record: func(r *runtime.Recorder, _ misuse) { r.WithContext(context.Background()).Emit(createdIn("bad", "bad")) },
		costs:  map[string]string{"Goexit": "gone"},
	},
	"Observer.Recorded": {
		attach: func(b *broadcaster.Broadcaster, bad misuse) {
			b.AttachObserver(broadcaster.Observer{Recorded: func(*runtime.Definition) { bad() }})
		},
	},
	"Observer.Written": {
		attach: func(b *broadcaster.Broadcaster, bad misuse) {
			b.AttachObserver(broadcaster.Observer{Written: func(broadcaster.WriteReport) { bad() }})
		},
	},
	"Subscriber.Show": {
		attach: func(b *broadcaster.Broadcaster, bad misuse) {
			b.Attach(broadcaster.Subscriber{Name: "bad", Buffer: 10, Show: func(runtime.Event) { bad() }})
		},
	},
	"Subscriber.Idle": {
		attach: func(b *broadcaster.Broadcaster, bad misuse) {
			b.Attach(broadcaster.Subscriber{Name: "bad", Buffer: 10, Show: func(runtime.Event) {}, Idle: func() { bad() }})
		},
	},
	"Logger": {
		give: func(o *broadcaster.Options, bad misuse) {
			o.Logger = logr.New(&badLog{bad: bad})
		},
		record: func(r *runtime.Recorder, _ misuse) { // which is said
			r.Emit(runtime.Event{})
			r.Emit(createdIn("bad", "bad"))
		},
	},
	"Clock": {
		give:    func(o *broadcaster.Options, bad misuse) { o.Clock = &badClock{Clock: runtime.SystemClock(), bad: bad} },
		neither: map[string]bool{"Goexit": true, "block": true},
	},
	"Error, String": {
		record: func(r *runtime.Recorder, bad misuse) {
			ref := runtime.ReferenceOf(&corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: "bad", Name: "bad"})
			r.Emit(runtime.NewEvent(created, ref, runtime.ObjectRef{}, runtime.Error(badText{bad})))
		},
		costs: map[string]string{"Goexit": "gone"},
	},
	"objects": {
		record: func(r *runtime.Recorder, bad misuse) {
			def := *created
			def.Regarding = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
			r.Emit(runtime.NewEvent(&def, runtime.ObjectOf(&brokenObject{bad: bad}), runtime.ObjectRef{}, runtime.Int(1)))
		},
		costs: map[string]string{"panic": "rejected", "Goexit": "gone"},
	},
}

type badText struct{ bad misuse }

func (b badText) Error() string { b.bad(); return "text" }

type brokenObject struct {
	corev1.Pod
	bad misuse
}

func (b *brokenObject) GetName() string { b.bad(); return "bad" }

type badLog struct {
	funcr.Formatter
	bad misuse
}

func (l *badLog) Enabled(int) bool               { return true }
func (l *badLog) Info(int, string, ...any)       { l.bad() }
func (l *badLog) Error(error, string, ...any)    { l.bad() }
func (l *badLog) WithValues(...any) logr.LogSink { return l }
func (l *badLog) WithName(string) logr.LogSink   { return l }
func (l *badLog) Init(logr.RuntimeInfo)          {}

// badClock misbehaves once, at a moment at which an event is recorded.
type badClock struct {
	runtime.Clock
	bad misuse
}

func (c *badClock) Now() runtime.Instant {
	c.bad()
	return c.Clock.Now()
}

func createdIn(namespace, object string) runtime.Event {
	ref := runtime.ReferenceOf(&corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: namespace, Name: object})
	return runtime.NewEvent(created, ref, runtime.ObjectRef{}, runtime.Int(1))
}

// TestTheTableNamesHostFunctions compares with docs/mechanics.md.
func TestTheTableNamesHostFunctions(t *testing.T) {
	page, err := os.ReadFile("../../docs/mechanics.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "## Functions that you give")
	table, _, _ = strings.Cut(table, "\n## ")
	for name := range hostFunctions {
		for _, function := range strings.Split(name, ", ") {
			if !strings.Contains(table, function) {
				t.Errorf("the table of docs/mechanics.md does not name %s", function)
			}
		}
	}
}

// TestHostFunctions runs every function that a host gives through the same misuse: whatever one call of it does, all other events are
// recorded and stored, and Shutdown ends.
func TestHostFunctions(t *testing.T) {
	for name, f := range hostFunctions {
		for _, kind := range []string{"panic", "Goexit", "block"} {
			if f.neither[kind] {
				continue
			}
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				release := make(chan struct{})
				var met atomic.Bool
				armed := atomic.Bool{}
				bad := func() {
					if !armed.Load() || met.Swap(true) {
						return
					}
					switch kind {
					case "panic":
						panic("misuse")
					case "Goexit":
						goruntime.Goexit()
					}
					<-release
				}
				kept := newStore()
				opts := broadcaster.Options{Sink: kept, Workers: 4, WriteTimeout: time.Minute, Logger: funcr.New(func(string, string) {}, funcr.Options{})}
				if f.give != nil {
					f.give(&opts, bad)
				}
				b, err := broadcaster.New(opts)
				if err != nil {
					t.Fatal(err)
				}
				if f.attach != nil {
					f.attach(b, bad)
				}
				r := runtime.NewRecorder(b)
				armed.Store(true)
				var caller sync.WaitGroup
				caller.Go(func() {
					if f.record != nil {
						f.record(r, bad)
						return
					}
					r.Emit(createdIn("bad", "bad"))
				})
				waitFor(t, "the misuse", met.Load)
				const others = 200
				for n := range others { // of all shards, and from another goroutine
					r.Emit(createdEvent(fmt.Sprint("job-", n), 1))
				}
				waitFor(t, "the others", func() bool { return kept.of("job-") == others })
				close(release)
				caller.Wait()
				ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
				defer cancel()
				if err := b.Shutdown(ctx); err != nil {
					t.Error(err)
				}
				s := b.Stats()
				checkConserved(t, s)
				want := f.costs[kind]
				got := map[bool]string{true: "stored", false: "gone"}[kept.of("bad") > 0]
				switch {
				case s.Lost.Refused > 0:
					got = "refused"
				case s.Lost.Rejected > 0 && name != "Logger":
					got = "rejected"
				}
				if want == "" {
					want = "stored"
				}
				if got != want || kept.of("job-") != others {
					t.Errorf("the event is %s, want %s; %d others are stored; %+v", got, want, kept.of("job-"), s)
				}
			})
		}
	}
}

// of is how many objects have events whose names begin so.
func (s *store) of(prefix string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.counts {
		if strings.HasPrefix(name, prefix) {
			n++
		}
	}
	return n
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within 10 s", what)
		}
	}
}
