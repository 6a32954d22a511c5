package broadcaster_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

type traceKey struct{}

func traceOf(ctx context.Context) string {
	id, _ := ctx.Value(traceKey{}).(string)
	if id == "broken" {
		panic("oh")
	}
	return id
}

func traced(id string) context.Context {
	return context.WithValue(context.Background(), traceKey{}, id)
}

func TestTheFirstTraceIsStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stored := memory.New()
		b, _ := start(t, broadcaster.Options{Sink: stored, TraceID: traceOf})
		recorder := eventrt.NewRecorder(b)
		recorder.WithContext(traced("first")).Emit(failedEvent("job"))
		synctest.Wait()
		recorder.WithContext(traced("second")).Emit(failedEvent("job"))
		recorder.Emit(failedEvent("job"))
		time.Sleep(time.Minute)
		recorder.WithContext(context.Background()).Emit(failedEvent("untraced"))
		if err := b.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		events := stored.List()
		if len(events) != 2 {
			t.Fatalf("%d events, expected the traces to be no part of the identity", len(events))
		}
		if got := events[0].Annotations["event-gen.github.io/trace-id"]; got != "first" {
			t.Errorf("annotations %v", events[0].Annotations)
		}
		if got := events[1].Annotations; len(got) != 1 {
			t.Errorf("annotations %v of an event without a trace", got)
		}
	})
}

func TestTheTraceKeyIsChecked(t *testing.T) {
	_, err := broadcaster.New(broadcaster.Options{Sink: newStore(), TraceKey: "no key"})
	if err == nil || !strings.Contains(err.Error(), `option TraceKey: "no key" is no qualified name`) {
		t.Errorf("found %v", err)
	}
	b, err := broadcaster.New(broadcaster.Options{Sink: newStore(), TraceKey: "example.com/traceID"})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}
