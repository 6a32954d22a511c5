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

// TestShutdownWithoutAContext is one without a deadline, and so is the next.
func TestShutdownWithoutAContext(t *testing.T) {
	kept := newStore()
	b, _ := start(t, broadcaster.Options{Sink: kept})
	b.Publish(createdEvent("job", 1))
	for range 2 {
		//lint:ignore SA1012 it is what the test is about
		if err := b.Shutdown(nil); err != nil {
			t.Error(err)
		}
	}
	if kept.total() != 1 {
		t.Errorf("%d stored", kept.total())
	}
}

func TestASinkThatIgnoresItsContextIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		b, log := start(t, broadcaster.Options{Sink: sinkFunc(func(context.Context, *sink.Write) sink.Answer {
			<-release
			return sink.Answer{Outcome: sink.Done}
		})})
		b.Publish(failedEvent("job"))
		synctest.Wait()
		b.Publish(failedEvent("job"))
		ctx, cancel := contextWithTimeout(t, time.Second)
		defer cancel()
		started := time.Now()
		err := b.Shutdown(ctx)
		if took := time.Since(started); took != 2*time.Second {
			t.Errorf("Shutdown took %v, expected its second and the grace of another", took)
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("Shutdown: %v", err)
		}
		const want = "event recording ended with 2 occurrences not known to be written (1 not stored, 1 may be stored): context deadline exceeded; " +
			"give Shutdown more time, or look why the API server did not take them"
		if err.Error() != want {
			t.Errorf("Shutdown: %v", err)
		}
		if got := log.all(); len(got) != 1 || !strings.Contains(got[0], "has not come back") {
			t.Errorf("logged %q", got)
		}
		stats := b.Stats()
		close(release)
		synctest.Wait()
		if late := b.Stats(); late != stats {
			t.Errorf("an answer that came too late changed %+v to %+v", stats, late)
		}
	})
}

func TestUnusableOptionsAreNamed(t *testing.T) {
	opts := broadcaster.Options{Sink: unusable{}}
	opts.ReportingController = "not a name"
	opts.Correlator.MaxInterval = -1
	_, err := broadcaster.New(opts)
	if err == nil {
		t.Fatal("expected an error")
	}
	for _, want := range []string{"option Sink: no such host", `option ReportingController: "not a name" is no qualified name`, "option MaxInterval: expected"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
}

// unusable is a sink that knows it can't be used.
type unusable struct{}

func (unusable) Err() error { return errors.New("no such host") }

func (unusable) Write(context.Context, *sink.Write) sink.Answer { return sink.Answer{} }

func TestAnAnswerWithoutAnOutcomeMayMeanStored(t *testing.T) {
	b, log := start(t, broadcaster.Options{Sink: sinkFunc(func(context.Context, *sink.Write) sink.Answer { return sink.Answer{} })})
	b.Publish(failedEvent("job"))
	const want = "event recording ended with 1 occurrences not known to be written (0 not stored, 1 may be stored): some answers leave open what is stored"
	if err := b.Shutdown(t.Context()); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("Shutdown: %v", err)
	}
	if lost := b.Stats().Lost; lost.Unacknowledged != 1 || lost.Refused != 0 || len(log.all()) != 1 {
		t.Errorf("%+v, logged %q", lost, log.all())
	}
}
