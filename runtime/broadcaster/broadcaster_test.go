package broadcaster_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
	"github.com/event-gen/event-gen/runtime/internal/race"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
	"github.com/event-gen/event-gen/runtime/sink"
)

func TestEverythingIsWrittenBeforeShutdownReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		s.delay = 2 * time.Millisecond
		b, _ := start(t, broadcaster.Options{Sink: s})
		var emitters sync.WaitGroup
		for g := range 4 {
			emitters.Go(func() {
				for n := range 250 {
					b.Publish(createdEvent(fmt.Sprintf("job-%d", (g*250+n)%100), n%7))
				}
			})
		}
		emitters.Wait()
		if err := b.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		stats := b.Stats()
		if s.total() != 1000 || stats.Written != 1000 || stats.Pending != 0 || s.fault != nil {
			t.Errorf("stored %d, stats %+v, fault %v", s.total(), stats, s.fault)
		}
		if s.most > tuning.Defaults.MaxInFlight {
			t.Errorf("%d writes at once, at most %d may be", s.most, tuning.Defaults.MaxInFlight)
		}
	})
}

func TestAnOutageLosesNothingAndCostsFewCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		var mu sync.Mutex
		away, failures := true, 0
		target := sinkFunc(func(ctx context.Context, w *sink.Write) sink.Answer {
			mu.Lock()
			defer mu.Unlock()
			if away {
				failures++
				return sink.Answer{Outcome: sink.Retry, Err: errors.New("connection refused")}
			}
			return s.Write(ctx, w)
		})
		b, _ := start(t, broadcaster.Options{Sink: target})
		const outage = 180 * time.Second
		for n := range 1800 {
			b.Publish(createdEvent(fmt.Sprintf("job-%d", n%200), n/200))
			time.Sleep(outage / 1800)
		}
		mu.Lock()
		away = false
		mu.Unlock()
		recovered := time.Now()
		for b.Stats().Pending > 0 && time.Since(recovered) < time.Minute {
			time.Sleep(100 * time.Millisecond)
		}
		stats := b.Stats()
		if stats.Written != 1800 || stats.Lost.Total() != 0 {
			t.Errorf("after the outage: %+v", stats)
		}
		t.Logf("%d calls failed in %v; all was written %v after the server came back", failures, outage, time.Since(recovered))
		if most := int(1.2 * outage.Seconds()); failures > most {
			t.Errorf("%d calls failed, at most %d may", failures, most)
		}
		if drained := time.Since(recovered); drained > 2*time.Second {
			t.Errorf("drained %v after recovery", drained)
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestASinkThatPanicsMayHaveStored: its write is not tried again.
func TestASinkThatPanicsMayHaveStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, log := start(t, broadcaster.Options{Sink: sinkFunc(func(context.Context, *sink.Write) sink.Answer { panic("oh") })})
		b.Publish(failedEvent("job"))
		b.Publish(failedEvent("other"))
		synctest.Wait()
		stats := b.Stats()
		if stats.Lost.Unacknowledged != 2 || stats.Lost.Refused != 0 || stats.Pending != 0 {
			t.Errorf("stats %+v", stats)
		}
		if got := log.all(); len(got) != 1 || !strings.Contains(got[0], "the sink panicked: oh") {
			t.Errorf("logged %q", got)
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestRejectedEventsAreCountedAndSaidOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		b, log := start(t, broadcaster.Options{Sink: s})
		var none *batchv1.Job
		for range 3 {
			b.Publish(eventrt.NewEvent(failed, eventrt.ObjectOf(none), eventrt.ObjectRef{}))
			b.Publish(eventrt.Event{})
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.Publish(failedEvent("late"))
		b.Publish(failedEvent("late"))
		stats := b.Stats()
		if stats.Recorded != 8 || stats.Lost.Rejected != 8 {
			t.Errorf("stats %+v", stats)
		}
		synctest.Wait()
		if got := log.all(); len(got) != 3 {
			t.Errorf("logged %d lines, expected one for each trouble: %q", len(got), got)
		}
	})
}

func TestSchemeTellsTheKind(t *testing.T) {
	scheme := k8sruntime.NewScheme()
	if err := batchv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	kinds := make(chan string, 2)
	target := sinkFunc(func(_ context.Context, w *sink.Write) sink.Answer {
		kinds <- w.Regarding.APIVersion + " " + w.Regarding.Kind
		return sink.Answer{Outcome: sink.Done}
	})
	b, _ := start(t, broadcaster.Options{Sink: target, Scheme: scheme})
	untyped := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Name: "nightly", Namespace: "prod"}}
	def := *failed
	b.Publish(eventrt.NewEvent(&def, eventrt.AnyObject(untyped), eventrt.ObjectRef{}))
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := <-kinds; got != "batch/v1 CronJob" {
		t.Errorf("kind %q", got)
	}
}

func TestForbiddenIsSaidOnceAndRefusalsAtABoundedRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outcome := sink.Forbidden
		target := sinkFunc(func(context.Context, *sink.Write) sink.Answer {
			return sink.Answer{Outcome: outcome, Err: errors.New("no")}
		})
		b, log := start(t, broadcaster.Options{Sink: target, Correlator: correlator.Options{OneCall: true}})
		burst := func(prefix string) {
			for n := range 20 {
				b.Publish(createdEvent(fmt.Sprintf("%s-%d", prefix, n), n))
			}
			synctest.Wait()
		}
		burst("forbidden")
		time.Sleep(time.Minute)
		if got := log.all(); len(got) != 1 || !strings.Contains(got[0], "because a right is missing") || b.Stats().Lost.Refused != 20 {
			t.Errorf("logged %q, %d refused", got, b.Stats().Lost.Refused)
		}
		for range 11 { // the line comes again while events are lost
			time.Sleep(time.Minute)
			burst("forbidden")
		}
		if got := log.all(); len(got) != 2 || !strings.Contains(got[1], "because a right is missing") {
			t.Errorf("logged %q", got)
		}
		outcome = sink.Refused
		time.Sleep(31 * time.Second)
		burst("refused")
		time.Sleep(time.Minute)
		burst("again")
		if got := strings.Join(log.all()[2:], "\n"); !strings.Contains(got, "are allowed again") || strings.Count(got, "Event refused") > 4 || !strings.Contains(got, `"refusedSinceLastLine"=19`) {
			t.Errorf("logged %s", got)
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestARepeatAllocatesNothing(t *testing.T) {
	b, _ := start(t, broadcaster.Options{Sink: newStore()})
	defer b.Shutdown(t.Context())
	object := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "job", Namespace: "prod", UID: "u"}}
	def := *created
	def.Regarding = metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"}
	recorder := eventrt.NewRecorder(b)
	object.Labels = map[string]string{"app": "shop", "zone": "a"}
	labelled := def
	labelled.Reason = "Labelled"
	labelled.Labels = []eventrt.AnnotationDefinition{{Key: "app"}, {Key: "team", Value: []eventrt.Segment{{Text: "storage"}}}, {Key: "zone"}}
	for _, def := range []*eventrt.Definition{&def, &labelled} {
		emit := func() {
			recorder.Emit(eventrt.NewEvent(def, eventrt.ObjectOf(object), eventrt.ObjectRef{}, eventrt.Int(7)))
		}
		emit()
		if got := testing.AllocsPerRun(1000, emit); got > 0 {
			t.Errorf("a repeat of %s costs %v allocations", def.Reason, got)
		}
	}
}

// From the call to the sink's answer, in all goroutines, while events come faster than they are
// written: the record, its arguments, its object and group, and the name of the event.
func TestADistinctEventAllocatesLittle(t *testing.T) {
	const burst, bursts = 2000, 3
	arrived := make(chan struct{}, burst)
	b, _ := start(t, broadcaster.Options{Sink: sinkFunc(func(context.Context, *sink.Write) sink.Answer {
		arrived <- struct{}{}
		return sink.Answer{Outcome: sink.Done}
	})})
	defer b.Shutdown(t.Context())
	recorder := cronjobevents.NewRecorder(eventrt.NewRecorder(b))
	objects := make([]*batchv1.CronJob, 0, burst*(bursts+1)) // and a burst to warm up
	for n := range cap(objects) {
		objects = append(objects, cronJob(n))
	}
	got := testing.AllocsPerRun(bursts, func() {
		for _, object := range objects[:burst] {
			recorder.SawCompletedJob(object, "nightly-1-28", batchv1.JobComplete)
		}
		for range burst {
			<-arrived
		}
		objects = objects[burst:]
	}) / burst
	if got > 8 && !race.Enabled { // the detector makes pools forget
		t.Errorf("a distinct event costs %v allocations from the call to the sink, expected at most 8", got)
	}
	t.Logf("%.2f allocations", got)
}
