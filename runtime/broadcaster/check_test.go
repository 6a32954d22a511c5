package broadcaster_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// asked is a sink that notes its requests, and answers by a function.
type asked struct {
	sink.Sink
	answer func(ctx context.Context, w *sink.Write) sink.Answer
	calls  []string
}

func (s *asked) DryRun(ctx context.Context, w *sink.Write) sink.Answer {
	s.calls = append(s.calls, map[sink.Operation]string{sink.Create: "create ", sink.Update: "patch "}[w.Operation]+w.Namespace)
	return s.answer(ctx, w)
}

// TestCheckAsksAndStoresNothing: a create and a patch for each namespace, by the rules of a server,
// and nothing is recorded or stored.
func TestCheckAsksAndStoresNothing(t *testing.T) {
	stored := memory.New()
	s := &asked{Sink: stored, answer: stored.DryRun}
	b, log := start(t, broadcaster.Options{Sink: s, ClusterNamespace: "kube-system"})
	if err := b.Check(t.Context(), "shop", "bank", ""); err != nil {
		t.Error(err)
	}
	if got, want := strings.Join(s.calls, ", "), "create shop, patch shop, create bank, patch bank, create kube-system, patch kube-system"; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
	stored.SetNamespace("bank", corev1.NamespaceTerminating)
	stored.SetNamespace("shop", "")
	err := b.Check(t.Context(), "shop", "bank", "depot")
	if err == nil || strings.Count(err.Error(), "the namespace is gone or terminating") != 2 || strings.Contains(err.Error(), "depot") {
		t.Errorf("namespaces that are gone: %v", err)
	}
	err = broadcaster.Options{Sink: s}.Check(t.Context(), []string{"example.com/a", "a b"}, "depot")
	if err == nil || !strings.Contains(err.Error(), `events of "a b" in namespace "depot"`) || !strings.Contains(err.Error(), "reportingController") || strings.Contains(err.Error(), "example.com/a") {
		t.Errorf("a name that is none: %v", err)
	}
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if stats := b.Stats(); stats.Recorded != 0 || len(stored.List()) != 0 || len(log.all()) != 0 {
		t.Errorf("recorded %d, stored %d, logged %q", stats.Recorded, len(stored.List()), log.all())
	}
}

// TestCheckTellsTroubles covers the meaning of each answer. Check asks once if the server does not
// answer, and twice if a right is missing.
func TestCheckTellsTroubles(t *testing.T) {
	missing := &sink.Right{Verb: "patch", Resource: "events", Group: "events.k8s.io"}
	text := errors.New("what the server answered")
	for name, c := range map[string]struct {
		create, patch sink.Answer
		want          string
		calls         int // for two namespaces
		takes         time.Duration
	}{
		"all is well":        {sink.Answer{Outcome: sink.Done}, sink.Answer{Outcome: sink.Gone}, "", 4, 0},
		"no right to create": {sink.Answer{Outcome: sink.Forbidden, Err: text}, sink.Answer{}, "are refused (create)", 4, 2 * time.Second},
		"no right to patch":  {sink.Answer{Outcome: sink.Done}, sink.Answer{Outcome: sink.Forbidden, Missing: missing, Err: text}, "are refused (patch)", 6, 2 * time.Second},
		"refused":            {sink.Answer{Outcome: sink.Refused, Err: text}, sink.Answer{}, "are refused (create)", 2, 0},
		"a webhook hangs":    {sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeNamespace, Err: text}, sink.Answer{}, "are not taken for now", 2, 0},
		"no answer in time":  {sink.Answer{Outcome: sink.Retry, Err: errors.Join(text, context.DeadlineExceeded)}, sink.Answer{}, "are not taken for now, because no answer came in time", 1, 0},
		"no answer":          {sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeServer, Err: text}, sink.Answer{}, "are not taken for now", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &asked{answer: func(_ context.Context, w *sink.Write) sink.Answer {
					if w.Operation == sink.Update {
						return c.patch
					}
					return c.create
				}}
				begun := time.Now()
				err := broadcaster.Options{Sink: s}.Check(t.Context(), nil, "shop", "bank")
				if len(s.calls) != c.calls || time.Since(begun) != c.takes {
					t.Errorf("asked %q, took %v; want %d calls, %v", s.calls, time.Since(begun), c.calls, c.takes)
				}
				if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || !errors.Is(err, text)) {
					t.Errorf("error %v, want %q", err, c.want)
				}
			})
		})
	}
}

// TestCheckNeedsASinkThatCan covers sinks that store everything, panic, or wait for ever.
func TestCheckNeedsASinkThatCan(t *testing.T) {
	err := broadcaster.Options{Sink: newStore()}.Check(t.Context(), nil)
	if err == nil || !strings.Contains(err.Error(), "*broadcaster_test.store has no method DryRun") {
		t.Errorf("a sink without DryRun: %v", err)
	}
	bad := &asked{answer: func(context.Context, *sink.Write) sink.Answer { panic("oh") }}
	if err := (broadcaster.Options{Sink: bad}).Check(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "the sink panicked: oh") {
		t.Errorf("a sink that panics: %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		hanging := &asked{answer: func(ctx context.Context, _ *sink.Write) sink.Answer {
			<-ctx.Done()
			return sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeServer, Err: ctx.Err()}
		}}
		begun := time.Now()
		err := broadcaster.Options{Sink: hanging, WriteTimeout: 3 * time.Second}.Check(t.Context(), nil, "shop", "bank")
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != 3*time.Second {
			t.Errorf("a sink that hangs: %v after %v", err, time.Since(begun))
		}
	})
}
