package clientgo_test

import (
	"context"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// guilty is a function of the host's that misbehaves once.
type guilty struct {
	kind    string // panic, Goexit or block
	met     atomic.Bool
	release chan struct{}
}

func (g *guilty) do() {
	if g.met.Swap(true) {
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

// aboutBad reports whether an event is the one that meets the misuse.
func aboutBad(e *corev1.Event) bool { return e.InvolvedObject.Name == "bad" }

// hostFunctions has each function that a host gives to the drop-in misbehave with an event about the object "bad", by row of the table in
// docs/mechanics.md. The value is what becomes of that event, by misuse: "stored" unless said.
var hostFunctions = map[string]struct {
	options func(g *guilty) []clientgo.Option
	use     func(r *coreRig, g *guilty)
	sink    bool // it is the sink that misbehaves
	costs   map[string]string
}{
	"KeyFunc": {
		options: func(g *guilty) []clientgo.Option {
			return []clientgo.Option{clientgo.WithCorrelatorOptions(record.CorrelatorOptions{KeyFunc: func(e *corev1.Event) (string, string) {
				if aboutBad(e) {
					g.do()
				}
				return record.EventAggregatorByReasonFunc(e)
			}})}
		},
		costs: map[string]string{"Goexit": "gone"},
	},
	"SpamKeyFunc": {
		options: func(g *guilty) []clientgo.Option {
			return []clientgo.Option{clientgo.WithCorrelatorOptions(record.CorrelatorOptions{SpamKeyFunc: func(e *corev1.Event) string {
				if aboutBad(e) {
					g.do()
				}
				return e.InvolvedObject.Name
			}})}
		},
		costs: map[string]string{"Goexit": "gone"},
	},
	"MessageFunc": {
		options: func(g *guilty) []clientgo.Option {
			return []clientgo.Option{clientgo.WithWorkers(4), clientgo.WithCorrelatorOptions(record.CorrelatorOptions{MaxEvents: 1, MessageFunc: func(e *corev1.Event) string {
				if aboutBad(e) {
					g.do()
				}
				return e.Message
			}})}
		},
		costs: map[string]string{"Goexit": "refused"},
	},
	"record.EventSink": {
		options: func(*guilty) []clientgo.Option { return []clientgo.Option{clientgo.WithWorkers(4)} },
		sink:    true,
		costs:   map[string]string{"panic": "refused", "Goexit": "refused"},
	},
	"StartEventWatcher": {use: func(r *coreRig, g *guilty) {
		r.StartEventWatcher(func(e *corev1.Event) {
			if aboutBad(e) {
				g.do()
			}
		})
	}},
	"StartLogging": {use: func(r *coreRig, g *guilty) {
		r.StartLogging(func(string, ...any) { g.do() })
	}},
	"Logger": {
		options: func(g *guilty) []clientgo.Option {
			return []clientgo.Option{clientgo.WithContext(klog.NewContext(context.Background(), logr.New(guiltyLog{g: g})))}
		},
		use: func(r *coreRig, _ *guilty) {
			r.event("Started", "x")
			r.recorder.Event(nil, corev1.EventTypeNormal, "Started", "which is logged")
		},
	},
}

// guiltySink misbehaves before it stores.
type guiltySink struct {
	*coreStore
	g *guilty
}

func (s guiltySink) Create(e *corev1.Event) (*corev1.Event, error) {
	if s.g != nil && aboutBad(e) {
		s.g.do()
	}
	return s.coreStore.Create(e)
}

// guiltyLog is a logger that misbehaves with its first line.
type guiltyLog struct{ g *guilty }

func (guiltyLog) Init(logr.RuntimeInfo)            {}
func (guiltyLog) Enabled(int) bool                 { return true }
func (l guiltyLog) Info(int, string, ...any)       { l.g.do() }
func (l guiltyLog) Error(error, string, ...any)    { l.g.do() }
func (l guiltyLog) WithValues(...any) logr.LogSink { return l }
func (l guiltyLog) WithName(string) logr.LogSink   { return l }

// TestHostFunctions runs the functions that a host gives to the drop-in through misuse, as runtime/broadcaster does with its own: whatever
// one call of them does, all other events are recorded and stored within two seconds. Shutdown ends while the call still blocks.
func TestHostFunctions(t *testing.T) {
	for name, f := range hostFunctions {
		for _, kind := range []string{"panic", "Goexit", "block"} {
			for _, early := range []bool{false, true} {
				if early && kind != "block" {
					continue
				}
				bubble(t, fmt.Sprint(name, "/", kind, "/shutdown before it returns: ", early), func(t *testing.T) {
					g := &guilty{kind: kind, release: make(chan struct{})}
					var opts []clientgo.Option
					if f.options != nil {
						opts = f.options(g)
					}
					r := &coreRig{}
					r.Broadcaster = clientgo.NewBroadcaster(append([]clientgo.Option{clientgo.WithContext(r.log.context(t.Context()))}, opts...)...)
					r.recorder = r.NewRecorder(scheme.Scheme, testSource)
					sink := guiltySink{coreStore: &r.sink}
					if f.sink {
						sink.g = g
					}
					r.StartRecordingToSink(sink)
					if f.use != nil {
						f.use(r, g)
					}
					go r.recorder.Event(podNamed("bad"), corev1.EventTypeNormal, "Started", "x")
					synctest.Wait()
					const others = 200
					for n := range others {
						r.recorder.Event(podNamed(fmt.Sprint("other-", n)), corev1.EventTypeNormal, "Started", "x")
					}
					later(2 * time.Second)
					if !g.met.Load() {
						t.Fatal("there was no misuse")
					}
					if n := storedAbout(r, "other-"); n != others {
						t.Errorf("%d of %d others are stored within two seconds", n, others)
					}
					if !early {
						close(g.release)
						synctest.Wait()
					}
					checkEnds(t, r)
					if early {
						close(g.release)
						synctest.Wait()
						conserved(t, r.Stats())
						return
					}
					want := f.costs[kind]
					if want == "" {
						want = "stored"
					}
					got := "gone"
					switch s := conserved(t, r.Stats()); {
					case s.Lost.Refused > 0:
						got = "refused"
					case storedAbout(r, "bad") > 0:
						got = "stored"
					}
					if got != want {
						t.Errorf("the event is %s, want %s", got, want)
					}
				})
			}
		}
	}
}

// checkEnds holds that Shutdown comes back a moment after its context's end.
func checkEnds(t *testing.T, r *coreRig) {
	t.Helper()
	begun := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = r.ShutdownWithContext(ctx)
	if took := time.Since(begun); took > 8*time.Second {
		t.Errorf("Shutdown took %v", took)
	}
}

// storedAbout is how many events are stored about objects whose names begin so.
func storedAbout(r *coreRig, prefix string) (n int) {
	for _, e := range r.sink.list() {
		if len(e.InvolvedObject.Name) >= len(prefix) && e.InvolvedObject.Name[:len(prefix)] == prefix {
			n++
		}
	}
	return n
}

// TestABlockingKeyFuncHoldsUpNobody: a second recorder and a sink that is started meanwhile go on, Shutdown does not wait, and the event
// that was being recorded counts as rejected once the function returns.
func TestABlockingKeyFuncHoldsUpNobody(t *testing.T) {
	bubble(t, "", func(t *testing.T) {
		release := make(chan struct{})
		r := newCoreRig(t, clientgo.WithCorrelatorOptions(record.CorrelatorOptions{KeyFunc: func(e *corev1.Event) (string, string) {
			if aboutBad(e) {
				<-release
			}
			return record.EventAggregatorByReasonFunc(e)
		}}))
		go r.recorder.Event(podNamed("bad"), corev1.EventTypeNormal, "Started", "x")
		synctest.Wait()
		second := r.NewRecorder(scheme.Scheme, testSource)
		second.Event(podNamed("good"), corev1.EventTypeNormal, "Started", "x")
		var other coreStore
		r.StartRecordingToSink(&other).Stop()
		begun := time.Now()
		if err := r.ShutdownWithContext(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(begun); took > 0 {
			t.Errorf("Shutdown took %v", took)
		}
		if n := storedAbout(r, "good"); n != 1 {
			t.Errorf("%d stored", n)
		}
		close(release)
		synctest.Wait()
		if s := conserved(t, r.Stats()); s.Recorded != 2 || s.Written != 1 || s.Lost.Rejected != 1 {
			t.Errorf("%+v", s)
		}
	})
}

// TestAKeyFuncThatPanicsIsNamed in the log, once, and budgets hold all the same.
func TestAKeyFuncThatPanicsIsNamed(t *testing.T) {
	bubble(t, "", func(t *testing.T) {
		r := newCoreRig(t, clientgo.WithCorrelatorOptions(record.CorrelatorOptions{
			KeyFunc: func(*corev1.Event) (string, string) { panic("oh") },
		}))
		const budget = 25
		for n := range budget + 10 {
			r.event("Started", fmt.Sprint("message ", n))
		}
		later(time.Minute)
		if n := len(r.sink.list()); n != budget+1 {
			t.Errorf("%d events are stored, expected those of the budget and one for the rest", n)
		}
		if said := r.log.all(); strings.Count(said, `"function"="KeyFunc"`) != 1 {
			t.Errorf("logged %s", said)
		}
	})
}
