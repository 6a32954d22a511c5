package broadcaster_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestShutdownWithoutDeadlineEnds: a Shutdown whose context has no deadline does not wait for ever
// for events that are never taken, each for itself or because of their namespace.
func TestShutdownWithoutDeadlineEnds(t *testing.T) {
	for _, scope := range []sink.Scope{sink.ScopeObject, sink.ScopeNamespace, sink.ScopeServer} {
		synctest.Test(t, func(t *testing.T) {
			target := sinkFunc(func(context.Context, *sink.Write) sink.Answer {
				return sink.Answer{Outcome: sink.Retry, Scope: scope, Err: errors.New("no")}
			})
			b, _ := start(t, broadcaster.Options{Sink: target})
			for n := range 50 {
				b.Publish(createdEvent(strings.Repeat("x", n+1), n))
			}
			time.Sleep(10 * time.Second)
			begun := time.Now()
			ended := make(chan error, 1)
			go func() { ended <- b.Shutdown(context.Background()) }()
			var err error
			select {
			case err = <-ended:
			case <-time.After(10 * time.Minute):
				t.Fatalf("%v: Shutdown has not ended", scope)
			}
			var left *broadcaster.ShutdownError
			if !errors.As(err, &left) || left.Left.Shutdown != 50 || time.Since(begun) < 30*time.Second {
				t.Errorf("%v: after %v: %v", scope, time.Since(begun), err)
			}
		})
	}
}

// TestANamespaceThatIsGoneIsSaid: the log names losses in a missing namespace.
func TestANamespaceThatIsGoneIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		target := sinkFunc(func(context.Context, *sink.Write) sink.Answer {
			return sink.Answer{Outcome: sink.RefusedQuietly, Scope: sink.ScopeNamespace, Err: errors.New("gone")}
		})
		b, log := start(t, broadcaster.Options{Sink: target})
		for n := range 10 {
			b.Publish(createdEvent(strings.Repeat("x", n+1), n))
		}
		time.Sleep(20 * time.Second)
		if s := b.Stats(); s.Lost.Total() != 0 {
			t.Errorf("lost before the denial is confirmed: %+v", s.Lost)
		}
		time.Sleep(40 * time.Second)
		if s, said := b.Stats(), strings.Join(log.all(), "\n"); s.Lost.Refused != 10 || strings.Count(said, "their namespace is gone or terminating") != 1 {
			t.Errorf("%+v, said:\n%s", s.Lost, said)
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
