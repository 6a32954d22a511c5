package broadcaster_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	goruntime "runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
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

// hostFunction is a function that a host gives, and how it misbehaves.
type hostFunction struct {
	give           func(o *broadcaster.Options, bad misuse)     // as an option
	attach         func(b *broadcaster.Broadcaster, bad misuse) // to a broadcaster
	record         func(r *runtime.Recorder, bad misuse)        // the event that meets it; nil: one about the object "bad"
	costs          map[string]string                            // what becomes of that event, by misuse: "stored" unless said
	waitsForNobody bool                                         // the event is stored though the call blocks
	needsWorkers   map[string]bool                              // misuses that are borne by several workers only, see the table
}

// hostFunctions has each function that a host gives misbehave with one call: that for the object "bad", or the first. The key is the row
// of the table in docs/mechanics.md.
var hostFunctions = map[string]*hostFunction{
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
		costs:        map[string]string{"panic": "refused", "Goexit": "refused"},
		needsWorkers: map[string]bool{"block": true},
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
		waitsForNobody: true,
		record: func(r *runtime.Recorder, _ misuse) { // which is said
			r.Emit(runtime.Event{})
			r.Emit(createdIn("bad", "bad"))
		},
	},
	"Clock": {
		give:  func(o *broadcaster.Options, bad misuse) { o.Clock = &badClock{Clock: runtime.SystemClock(), bad: bad} },
		costs: map[string]string{"Goexit": "gone"}, // it is whoever records that reads it
	},
	"Error, String of arguments": {
		record: func(r *runtime.Recorder, bad misuse) {
			ref := runtime.ReferenceOf(&corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: "bad", Name: "bad"})
			r.Emit(runtime.NewEvent(created, ref, runtime.ObjectRef{}, runtime.Error(badText{bad})))
		},
		costs: map[string]string{"Goexit": "gone"},
	},
	"methods of objects": {
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

// ranElsewhere names the tests that run the other rows of the table through the same.
var ranElsewhere = map[string]string{
	"kube.Options.OnFallback":                           "runtime/sink/kube: TestAutoTellsSafely",
	"KeyFunc, SpamKeyFunc of the drop-in":               "runtime/clientgo: TestHostFunctions",
	"MessageFunc of the drop-in":                        "runtime/clientgo: TestHostFunctions",
	"StartEventWatcher, StartLogging of the drop-in":    "runtime/clientgo: TestHostFunctions",
	"record.EventSink, events.EventSink of the drop-in": "runtime/clientgo: TestHostFunctions",
}

// TestTheTableNamesHostFunctions compares with docs/mechanics.md: each row is run through misuse, and each function that is has a row.
func TestTheTableNamesHostFunctions(t *testing.T) {
	page, err := os.ReadFile("../../docs/mechanics.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "## Functions that you give")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := map[string]bool{}
	for line := range strings.Lines(table) {
		if name, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |"); strings.HasPrefix(line, "| ") && name != "function" && !strings.HasPrefix(name, "---") {
			rows[strings.ReplaceAll(name, "`", "")] = true
		}
	}
	names := maps.Collect(maps.All(ranElsewhere))
	for name := range hostFunctions {
		names[name] = "here"
	}
	for name := range names {
		if !rows[name] {
			t.Errorf("the table of docs/mechanics.md has no row %q; it has %q", name, slices.Sorted(maps.Keys(rows)))
		}
	}
	for row := range rows {
		if names[row] == "" {
			t.Errorf("the row %q of docs/mechanics.md is not run through misuse", row)
		}
	}
}

// guilty is a misuse that happens once, after it was armed.
type guilty struct {
	kind    string // panic, Goexit or block
	skip    atomic.Int32
	armed   atomic.Bool
	met     atomic.Bool
	release chan struct{}
}

func newGuilty(kind string, skip int) *guilty {
	g := &guilty{kind: kind, release: make(chan struct{})}
	g.skip.Store(int32(skip))
	return g
}

func (g *guilty) do() {
	if !g.armed.Load() || g.skip.Add(-1) >= 0 || g.met.Swap(true) {
		return
	}
	switch g.kind {
	case "panic":
		panic("misuse")
	case "Goexit":
		goruntime.Goexit()
	}
	<-g.release
}

// TestHostFunctions runs every function that a host gives through the same misuse: whatever one call of it does, all other events are
// recorded and stored within two seconds, and Shutdown ends.
func TestHostFunctions(t *testing.T) {
	for name, f := range hostFunctions {
		for _, kind := range []string{"panic", "Goexit", "block"} {
			for _, workers := range []int{1, 4} {
				if workers == 1 && f.needsWorkers[kind] {
					continue
				}
				t.Run(fmt.Sprint(name, "/", kind, "/", workers, " workers"), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						got := f.misused(t, newGuilty(kind, 0), workers)
						want := cmp.Or(f.costs[kind], "stored")
						if got != want {
							t.Errorf("the event is %s, want %s", got, want)
						}
					})
				})
			}
		}
	}
}

// misused has a function misbehave once, and returns what becomes of the event that meets it.
func (f *hostFunction) misused(t *testing.T, g *guilty, workers int) string {
	kept := newStore()
	opts := broadcaster.Options{Sink: kept, Workers: workers, WriteTimeout: time.Minute, Logger: funcr.New(func(string, string) {}, funcr.Options{})}
	if f.give != nil {
		f.give(&opts, g.do)
	}
	b, err := broadcaster.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	if f.attach != nil {
		f.attach(b, g.do)
	}
	r := runtime.NewRecorder(b)
	synctest.Wait()
	g.armed.Store(true)
	go func() {
		if f.record != nil {
			f.record(r, g.do)
			return
		}
		r.Emit(createdIn("bad", "bad"))
	}()
	synctest.Wait()
	var others atomic.Int32 // whose Emit has come back
	for n := range 200 {    // of all shards
		go func() {
			r.Emit(createdEvent(fmt.Sprint("job-", n), 1))
			others.Add(1)
		}()
	}
	time.Sleep(2 * time.Second)
	if !g.met.Load() {
		t.Fatal("there was no misuse")
	}
	if n := kept.of("job-"); n != int(others.Load()) || n < 199 {
		t.Errorf("%d of %d others are stored within two seconds", n, others.Load())
	}
	if f.waitsForNobody && kept.of("bad") == 0 && f.costs[g.kind] == "" {
		t.Error("the event waits for the call")
	}
	close(g.release)
	synctest.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := b.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	s := b.Stats()
	checkConserved(t, s)
	switch {
	case kept.of("bad") > 0:
		return "stored"
	case s.Lost.Refused > 0:
		return "refused"
	case s.Lost.Rejected > 0:
		return "rejected"
	}
	return "gone"
}

// TestAClockThatEndsGoroutines has the clock end the goroutine of whoever reads it: whoever records, workers in all of their stages, the
// scheduler. Only an event that is being recorded is gone.
func TestAClockThatEndsGoroutines(t *testing.T) {
	f := hostFunctions["Clock"]
	for skip := range 12 {
		t.Run(fmt.Sprint("call ", skip+1), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if got := f.misused(t, newGuilty("Goexit", skip), 4); got != "stored" && skip > 0 {
					t.Errorf("the event is %s", got)
				}
			})
		})
	}
}

// TestAnObserverThatHangs has every call of an observer hang: all is written all the same, with one worker too, and the observer that
// does not hang is told of all but what came in that second.
func TestAnObserverThatHangs(t *testing.T) {
	for _, workers := range []int{1, 4} {
		t.Run(fmt.Sprint(workers, " workers"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				kept := newStore()
				b, log := start(t, broadcaster.Options{Sink: kept, Workers: workers})
				release := make(chan struct{})
				var told, hung atomic.Int32
				b.AttachObserver(broadcaster.Observer{Written: func(broadcaster.WriteReport) { told.Add(1) }})
				b.AttachObserver(broadcaster.Observer{Written: func(broadcaster.WriteReport) {
					hung.Add(1)
					<-release
				}})
				const all = 100
				for n := range all {
					b.Publish(createdEvent(fmt.Sprint("job-", n), 1))
				}
				time.Sleep(2 * time.Second)
				if n := kept.of("job-"); n != all || told.Load() != all {
					t.Errorf("%d of %d stored, the other observer is told of %d", n, all, told.Load())
				}
				if n := int(hung.Load()); n > workers {
					t.Errorf("%d calls hang, there are %d workers", n, workers)
				}
				close(release)
				synctest.Wait()
				before := hung.Load()
				b.Publish(createdEvent("later", 1))
				synctest.Wait()
				if hung.Load() != before+1 {
					t.Errorf("once it is back the observer is told of %d writes", hung.Load()-before)
				}
				if err := b.Shutdown(t.Context()); err != nil {
					t.Error(err)
				}
				if lines := log.all(); len(lines) != 1 || !strings.Contains(lines[0], "An observer has not come back") {
					t.Errorf("logged %q", lines)
				}
			})
		})
	}
}

// TestAnObserverThatOutlivesShutdown is left behind, which is said as it is.
func TestAnObserverThatOutlivesShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, log := start(t, broadcaster.Options{Sink: newStore()})
		release := make(chan struct{})
		defer close(release)
		b.AttachObserver(broadcaster.Observer{Written: func(broadcaster.WriteReport) { <-release }})
		b.Publish(createdEvent("job", 1))
		begun := time.Now()
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("Shutdown took %v", took)
		}
		lines := strings.Join(log.all(), "\n")
		if !strings.Contains(lines, "An observer has not come back though Shutdown's time is over") || strings.Contains(lines, "The sink") {
			t.Errorf("logged %q", lines)
		}
	})
}

// TestAllObserversAreTold though one of them panics.
func TestAllObserversAreTold(t *testing.T) {
	b, _ := start(t, broadcaster.Options{Sink: newStore()})
	var o observations
	b.AttachObserver(broadcaster.Observer{
		Recorded: func(*runtime.Definition) { panic("oh") },
		Written:  func(broadcaster.WriteReport) { panic("oh") },
	})
	b.AttachObserver(o.observer())
	b.Publish(createdEvent("job", 1))
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(o.reasons) != 1 || len(o.writes) != 1 {
		t.Errorf("told of %v and %v", o.reasons, o.writes)
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
