package broadcaster_test

import (
	"context"
	goruntime "runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/eventfilter"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
	"github.com/event-gen/event-gen/runtime/sink"
)

// misuses are the misdeeds of a program's function, for the object "bad", until release is closed.
var misuses = map[string]func(release <-chan struct{}){
	"panic":  func(<-chan struct{}) { panic("of the program") },
	"Goexit": func(<-chan struct{}) { goruntime.Goexit() },
	"block":  func(release <-chan struct{}) { <-release },
}

// programFunctions are the functions that a program gives, each row of the table in
// docs/runtime.md. Each sets up a function that misbehaves, and returns how to record the event
// about the object "bad", if not by the usual call.
var programFunctions = map[string]func(o *broadcaster.Options, bad func()) (attach func(*broadcaster.Broadcaster), record func(*eventrt.Recorder)){
	"Sink": func(o *broadcaster.Options, bad func()) (func(*broadcaster.Broadcaster), func(*eventrt.Recorder)) {
		next := o.Sink
		o.Sink = sinkFunc(func(ctx context.Context, w *sink.Write) sink.Answer {
			if w.Regarding.Name == "bad" {
				bad()
			}
			return next.Write(ctx, w)
		})
		return nil, nil
	},
	"Aggregate": func(o *broadcaster.Options, bad func()) (func(*broadcaster.Broadcaster), func(*eventrt.Recorder)) {
		o.Correlator = correlator.Tuned(o.Correlator, tuning.Tuning{Aggregate: func(e eventrt.Event, _ bool) bool {
			if e.Regarding().Name == "bad" {
				bad()
			}
			return false
		}})
		return nil, nil
	},
	"Filter": func(o *broadcaster.Options, bad func()) (func(*broadcaster.Broadcaster), func(*eventrt.Recorder)) {
		o.Filter = eventfilter.Func(func(e eventrt.Event) bool {
			if e.Regarding().Namespace == "bad" {
				bad()
			}
			return true
		})
		return nil, nil
	},
	"Redact": func(o *broadcaster.Options, bad func()) (func(*broadcaster.Broadcaster), func(*eventrt.Recorder)) {
		o.Redact = func(text string) string {
			if text == "bad" {
				bad()
			}
			return text
		}
		return nil, func(r *eventrt.Recorder) {
			r.Forward(&corev1.ObjectReference{Kind: "Job", APIVersion: "batch/v1", Namespace: "bad", Name: "bad"}, eventrt.Normal, "Bad", "", "bad")
		}
	},
	"TraceID": func(o *broadcaster.Options, bad func()) (func(*broadcaster.Broadcaster), func(*eventrt.Recorder)) {
		o.TraceID = func(context.Context) string { bad(); return "id" }
		return nil, func(r *eventrt.Recorder) { r.WithContext(context.Background()).Emit(createdIn("bad", "bad")) }
	},
	"Observer": func(_ *broadcaster.Options, bad func()) (func(*broadcaster.Broadcaster), func(*eventrt.Recorder)) {
		return func(b *broadcaster.Broadcaster) {
			b.AttachObserver(broadcaster.Observer{Written: func(*sink.Write, sink.Answer, time.Duration) { bad() }})
		}, nil
	},
	"Subscriber": func(_ *broadcaster.Options, bad func()) (func(*broadcaster.Broadcaster), func(*eventrt.Recorder)) {
		return func(b *broadcaster.Broadcaster) {
			b.Attach(broadcaster.Subscriber{Name: "bad", Show: func(eventrt.Event) { bad() }, End: func() error { bad(); return nil }})
		}, nil
	},
	"Logger": func(o *broadcaster.Options, bad func()) (func(*broadcaster.Broadcaster), func(*eventrt.Recorder)) {
		o.Logger = logr.New(&badLog{bad: bad})
		return nil, func(r *eventrt.Recorder) {
			r.Emit(eventrt.Event{}) // rejected, which is logged
			r.Emit(createdIn("bad", "bad"))
		}
	},
	"Observer.Recorded": func(_ *broadcaster.Options, bad func()) (func(*broadcaster.Broadcaster), func(*eventrt.Recorder)) {
		return func(b *broadcaster.Broadcaster) {
			first := true
			b.AttachObserver(broadcaster.Observer{Recorded: func(*eventrt.Definition) {
				if first {
					first = false
					bad()
				}
			}})
		}, nil
	},
	"String of an argument": func(_ *broadcaster.Options, bad func()) (func(*broadcaster.Broadcaster), func(*eventrt.Recorder)) {
		return nil, func(r *eventrt.Recorder) {
			ref := eventrt.ReferenceOf(&corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: "bad", Name: "bad"})
			r.Emit(eventrt.NewEvent(created, ref, eventrt.ObjectRef{}, eventrt.Stringer(badText{bad})))
		}
	},
	"Error of an argument": func(_ *broadcaster.Options, bad func()) (func(*broadcaster.Broadcaster), func(*eventrt.Recorder)) {
		return nil, func(r *eventrt.Recorder) {
			ref := eventrt.ReferenceOf(&corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: "bad", Name: "bad"})
			r.Emit(eventrt.NewEvent(created, ref, eventrt.ObjectRef{}, eventrt.Error(badText{bad})))
		}
	},
}

type badText struct{ bad func() }

func (b badText) Error() string  { b.bad(); return "text" }
func (b badText) String() string { b.bad(); return "text" }

type badLog struct {
	funcr.Formatter
	bad func()
}

func (l *badLog) Enabled(int) bool               { return true }
func (l *badLog) Info(int, string, ...any)       { l.bad() }
func (l *badLog) Error(error, string, ...any)    { l.bad() }
func (l *badLog) WithValues(...any) logr.LogSink { return l }
func (l *badLog) WithName(string) logr.LogSink   { return l }
func (l *badLog) Init(logr.RuntimeInfo)          {}

func createdIn(namespace, object string) eventrt.Event {
	ref := eventrt.ReferenceOf(&corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: namespace, Name: object})
	return eventrt.NewEvent(created, ref, eventrt.ObjectRef{}, eventrt.Int(1))
}

// TestMisuseCostsItsOwnEvent makes each function of a program panic, end its goroutine, or never
// return. Each event about another object is stored at once, everything is accounted for, and
// Shutdown ends.
func TestMisuseCostsItsOwnEvent(t *testing.T) {
	for name, give := range programFunctions {
		for kind, misuse := range misuses {
			t.Run(name+"/"+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					kept, release := newStore(), make(chan struct{})
					opts := broadcaster.Options{Sink: kept, Logger: logr.Discard()}
					attach, record := give(&opts, func() { misuse(release) })
					b, err := broadcaster.New(opts)
					if err != nil {
						t.Fatal(err)
					}
					if attach != nil {
						attach(b)
					}
					r := eventrt.NewRecorder(b)
					if record == nil {
						record = func(r *eventrt.Recorder) { r.Emit(createdIn("bad", "bad")) }
					}
					go record(r) // the misuse may end this goroutine
					for n := range 20 {
						synctest.Wait()
						r.Emit(createdEvent("good", n))
						time.Sleep(time.Second)
						if good := kept.about("good"); good != n+1 {
							t.Fatalf("%d of %d events about another object are stored: %+v", good, n+1, b.Stats())
						}
					}
					ctx, cancel := contextWithTimeout(t, 5*time.Second)
					defer cancel()
					begun := time.Now()
					err = b.Shutdown(ctx)
					if hangs := name == "Sink" && kind == "block"; (err != nil) != hangs || time.Since(begun) > 7*time.Second || !hangs && time.Since(begun) > 2*time.Second {
						t.Errorf("after %v: %v", time.Since(begun), err)
					}
					close(release)
					synctest.Wait()
					checkConserved(t, b.Stats())
				})
			})
		}
	}
}
