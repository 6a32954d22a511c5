package broadcaster_test

import (
	"context"
	"errors"
	stdruntime "runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

const writeTimeout = 3 * time.Second

// questions are what a sink may ask its context. Each is put to the context of a call and to one of package context with the same timeout,
// made in the same moment, and answered alike.
var questions = map[string]func(context.Context) any{
	"nothing":      func(context.Context) any { return nil },
	"Deadline":     func(ctx context.Context) any { at, ok := ctx.Deadline(); return [2]any{at, ok} },
	"Err at once":  func(ctx context.Context) any { return ctx.Err() },
	"Err in time":  func(ctx context.Context) any { time.Sleep(writeTimeout - 1); return ctx.Err() },
	"Err too late": func(ctx context.Context) any { time.Sleep(writeTimeout + 1); return ctx.Err() },
	"Err twice": func(ctx context.Context) any {
		first := ctx.Err()
		time.Sleep(writeTimeout + 1)
		return [2]any{first, ctx.Err()}
	},
	"Cause too late": func(ctx context.Context) any { time.Sleep(writeTimeout + 1); return context.Cause(ctx) },
	"Done":           func(ctx context.Context) any { start := time.Now(); <-ctx.Done(); return time.Since(start) },
	"Done asked late": func(ctx context.Context) any {
		start := time.Now()
		time.Sleep(time.Second)
		<-ctx.Done()
		return time.Since(start)
	},
	"Value": func(ctx context.Context) any { return ctx.Value("key") },
	"a derived one's Done": func(ctx context.Context) any {
		start, before := time.Now(), stdruntime.NumGoroutine()
		derived, cancel := context.WithCancel(ctx)
		defer cancel()
		started := stdruntime.NumGoroutine() - before
		<-derived.Done()
		return [3]any{time.Since(start), derived.Err(), started}
	},
	"AfterFunc": func(ctx context.Context) any {
		start, at := time.Now(), make(chan time.Duration)
		context.AfterFunc(ctx, func() { at <- time.Since(start) })
		return <-at
	},
}

func TestTheContextOfACallAnswersLikeAnyOther(t *testing.T) {
	for name, ask := range questions {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { compareAnswers(t, ask) })
		})
	}
}

func compareAnswers(t *testing.T, ask func(context.Context) any) {
	type answers struct {
		got, want  any
		kept, peer context.Context
	}
	said := make(chan answers, 1)
	b, _ := start(t, broadcaster.Options{WriteTimeout: writeTimeout, Sink: sinkFunc(func(ctx context.Context, w *runtime.Write) runtime.Answer {
		peer, cancel := context.WithTimeout(context.Background(), writeTimeout)
		defer cancel()
		want := make(chan any)
		go func() { want <- ask(peer) }()
		got := ask(ctx)
		said <- answers{got, <-want, ctx, peer}
		return runtime.Answer{Outcome: runtime.Done}
	})})
	defer b.Shutdown(t.Context())
	b.Publish(failedEvent("a"))
	a := <-said
	if a.got != a.want {
		t.Errorf("the sink's context answers %v, one of package context %v", a.got, a.want)
	}
	synctest.Wait() // the call is over
	<-a.kept.Done()
	if got, want := a.kept.Err(), a.peer.Err(); got != want {
		t.Errorf("after the call the sink's context says %v, one of package context %v", got, want)
	}
	if got, want := context.Cause(a.kept), context.Cause(a.peer); got != want {
		t.Errorf("after the call the cause is %v, that of package context %v", got, want)
	}
}

// What a sink keeps of a call has nothing to do with the calls that follow.
func TestAContextThatWasKeptStaysOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var kept []context.Context
		b, _ := start(t, broadcaster.Options{Workers: 1, Sink: sinkFunc(func(ctx context.Context, w *runtime.Write) runtime.Answer {
			for _, k := range kept {
				if !errors.Is(k.Err(), context.Canceled) {
					t.Errorf("the context of an earlier call says %v", k.Err())
				}
			}
			if ctx.Err() != nil {
				t.Errorf("a call begins with a context that says %v", ctx.Err())
			}
			kept = append(kept, ctx)
			return runtime.Answer{Outcome: runtime.Done}
		})})
		for n := range 20 {
			b.Publish(createdEvent("a", n))
		}
		if err := b.Shutdown(t.Context()); err != nil || len(kept) != 20 {
			t.Errorf("%d calls, %v", len(kept), err)
		}
	})
}
