package broadcaster_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
)

// asked is a sink that notes what it is asked and answers by a function.
type asked struct {
	eventrt.Sink
	answer func(ctx context.Context, w *eventrt.Write) eventrt.Answer
	calls  []string
}

func (s *asked) DryRun(ctx context.Context, w *eventrt.Write) eventrt.Answer {
	s.calls = append(s.calls, map[eventrt.Operation]string{eventrt.Create: "create ", eventrt.Update: "patch "}[w.Operation]+w.Namespace)
	return s.answer(ctx, w)
}

// TestCheckAsksAndStoresNothing: a create and a patch for each namespace, by the rules of a server,
// and nothing is recorded or stored.
func TestCheckAsksAndStoresNothing(t *testing.T) {
	memory := sink.NewMemory()
	s := &asked{Sink: memory, answer: memory.DryRun}
	b, log := start(t, broadcaster.Options{Sink: s, ClusterNamespace: "kube-system"})
	if err := b.Check(t.Context(), "shop", "bank", ""); err != nil {
		t.Error(err)
	}
	if got, want := strings.Join(s.calls, ", "), "create shop, patch shop, create bank, patch bank, create kube-system, patch kube-system"; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
	memory.SetNamespace("bank", sink.NamespaceTerminating)
	memory.SetNamespace("shop", sink.NamespaceMissing)
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
	if stats := b.Stats(); stats.Recorded != 0 || len(memory.List()) != 0 || len(log.all()) != 0 {
		t.Errorf("recorded %d, stored %d, logged %q", stats.Recorded, len(memory.List()), log.all())
	}
}

// TestCheckTellsTroubles: what each answer means. A server that does not answer is asked once, a
// missing right twice.
func TestCheckTellsTroubles(t *testing.T) {
	missing := &eventrt.Right{Verb: "patch", Resource: "events", Group: "events.k8s.io"}
	text := errors.New("what the server answered")
	for name, c := range map[string]struct {
		create, patch eventrt.Answer
		want          string
		calls         int // for two namespaces
		takes         time.Duration
	}{
		"all is well":        {eventrt.Answer{Outcome: eventrt.Done}, eventrt.Answer{Outcome: eventrt.Gone}, "", 4, 0},
		"no right to create": {eventrt.Answer{Outcome: eventrt.Forbidden, Err: text}, eventrt.Answer{}, "are refused (create)", 4, 2 * time.Second},
		"no right to patch":  {eventrt.Answer{Outcome: eventrt.Done}, eventrt.Answer{Outcome: eventrt.Forbidden, Missing: missing, Err: text}, "are refused (patch)", 6, 2 * time.Second},
		"refused":            {eventrt.Answer{Outcome: eventrt.Refused, Err: text}, eventrt.Answer{}, "are refused (create)", 2, 0},
		"a webhook hangs":    {eventrt.Answer{Outcome: eventrt.Retry, Scope: eventrt.ScopeNamespace, Err: text}, eventrt.Answer{}, "are not taken for now", 2, 0},
		"no answer":          {eventrt.Answer{Outcome: eventrt.Retry, Scope: eventrt.ScopeServer, Err: text}, eventrt.Answer{}, "are not taken for now", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &asked{answer: func(_ context.Context, w *eventrt.Write) eventrt.Answer {
					if w.Operation == eventrt.Update {
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

// TestCheckNeedsASinkThatCan: sinks that store whatever they get, that panic, and that wait for
// ever.
func TestCheckNeedsASinkThatCan(t *testing.T) {
	err := broadcaster.Options{Sink: newStore()}.Check(t.Context(), nil)
	if err == nil || !strings.Contains(err.Error(), "*broadcaster_test.store has no method DryRun") {
		t.Errorf("a sink without DryRun: %v", err)
	}
	bad := &asked{answer: func(context.Context, *eventrt.Write) eventrt.Answer { panic("oh") }}
	if err := (broadcaster.Options{Sink: bad}).Check(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "the sink panicked: oh") {
		t.Errorf("a sink that panics: %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		hanging := &asked{answer: func(ctx context.Context, _ *eventrt.Write) eventrt.Answer {
			<-ctx.Done()
			return eventrt.Answer{Outcome: eventrt.Retry, Scope: eventrt.ScopeServer, Err: ctx.Err()}
		}}
		begun := time.Now()
		err := broadcaster.Options{Sink: hanging, WriteTimeout: 3 * time.Second}.Check(t.Context(), nil, "shop", "bank")
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != 3*time.Second {
			t.Errorf("a sink that hangs: %v after %v", err, time.Since(begun))
		}
	})
}
