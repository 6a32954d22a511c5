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

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
)

func TestOptionsAreCheckedAtOnce(t *testing.T) {
	_, err := broadcaster.New(broadcaster.Options{MaxInFlight: -1, WriteTimeout: -1})
	if err == nil {
		t.Fatal("expected an error")
	}
	for _, want := range []string{"option Sink: expected one", "option MaxInFlight: expected", "option WriteTimeout: expected"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
}

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
		if s.most > correlator.DefaultMaxInFlight {
			t.Errorf("%d writes at once, at most %d may be", s.most, correlator.DefaultMaxInFlight)
		}
	})
}

func TestRepeatsAreWrittenWhenTheirScheduleSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		b, _ := start(t, broadcaster.Options{Sink: s})
		for range 100 {
			b.Publish(failedEvent("job"))
		}
		synctest.Wait()
		if got := s.total(); got < 1 {
			t.Errorf("the first occurrence is not written at once: %d stored", got)
		}
		time.Sleep(1100 * time.Millisecond)
		synctest.Wait()
		if got := s.total(); got != 100 {
			t.Errorf("%d stored after the first interval, want 100", got)
		}
		if stats := b.Stats(); stats.Creates != 1 || stats.Updates > 1 {
			t.Errorf("%d creates and %d updates", stats.Creates, stats.Updates)
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestCreatesOfAnObjectKeepTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		s.delay = time.Millisecond
		b, _ := start(t, broadcaster.Options{Sink: s})
		for n := range 50 {
			b.Publish(createdEvent("a", n))
			b.Publish(createdEvent("b", n))
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		next := map[string]int{}
		for _, line := range s.order {
			object := line[:1]
			if want := fmt.Sprintf("%s Created created %d", object, next[object]); line != want {
				t.Fatalf("found %q, expected %q", line, want)
			}
			next[object]++
		}
	})
}

func TestAnOutageLosesNothingAndCostsFewCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		var mu sync.Mutex
		away, failures := true, 0
		sink := sinkFunc(func(ctx context.Context, w *runtime.Write) runtime.Answer {
			mu.Lock()
			defer mu.Unlock()
			if away {
				failures++
				return runtime.Answer{Outcome: runtime.Retry, Err: errors.New("connection refused")}
			}
			return s.Write(ctx, w)
		})
		b, _ := start(t, broadcaster.Options{Sink: sink})
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
		if most := 10 + int(outage/(10*time.Second)); failures > most {
			t.Errorf("%d calls failed, at most %d may", failures, most)
		}
		if drained := time.Since(recovered); drained > 20*time.Second {
			t.Errorf("drained %v after recovery", drained)
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestOneObjectThatFailsDoesNotHoldUpTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		sink := sinkFunc(func(ctx context.Context, w *runtime.Write) runtime.Answer {
			if w.Regarding.Name == "poison" {
				return runtime.Answer{Outcome: runtime.Retry, Err: errors.New("500")}
			}
			return s.Write(ctx, w)
		})
		b, _ := start(t, broadcaster.Options{Sink: sink})
		b.Publish(createdEvent("poison", 0))
		for n := range 100 {
			b.Publish(createdEvent(fmt.Sprintf("job-%d", n), 0))
			time.Sleep(50 * time.Millisecond)
		}
		synctest.Wait()
		if got := s.total(); got != 100 {
			t.Errorf("%d of 100 written beside an object that fails", got)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		var left *broadcaster.ShutdownError
		if err := b.Shutdown(ctx); !errors.As(err, &left) || left.Left.Shutdown != 1 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Shutdown: %v", err)
		}
		checkConserved(t, b.Stats())
	})
}

func TestAHangingSinkIsLeftAtTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := sinkFunc(func(ctx context.Context, w *runtime.Write) runtime.Answer {
			<-ctx.Done()
			return runtime.Answer{Outcome: runtime.Retry, MaybeStored: true, Err: ctx.Err()}
		})
		b, _ := start(t, broadcaster.Options{Sink: sink, MaxInFlight: 4})
		for n := range 10 {
			b.Publish(createdEvent(fmt.Sprintf("job-%d", n), n))
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 900*time.Millisecond) // less than makes a call stuck
		defer cancel()
		err := b.Shutdown(ctx)
		var left *broadcaster.ShutdownError
		if !errors.As(err, &left) {
			t.Fatalf("Shutdown: %v", err)
		}
		if left.Left.Unacknowledged != 2 || left.Left.Shutdown != 8 {
			t.Errorf("left: %+v; expected the 2 in flight unacknowledged, 8 not sent", left.Left)
		}
		if again := b.Shutdown(t.Context()); again != err {
			t.Errorf("the second Shutdown returned %v", again)
		}
		checkConserved(t, b.Stats())
	})
}

func TestAPanickingSinkHasRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, log := start(t, broadcaster.Options{Sink: sinkFunc(func(context.Context, *runtime.Write) runtime.Answer { panic("oh") })})
		b.Publish(failedEvent("job"))
		b.Publish(failedEvent("other"))
		synctest.Wait()
		stats := b.Stats()
		if stats.Lost.Refused != 2 || stats.Pending != 0 {
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
	s := newStore()
	b, log := start(t, broadcaster.Options{Sink: s})
	var none *batchv1.Job
	for range 3 {
		b.Publish(runtime.NewEvent(failed, runtime.ObjectOf(none), runtime.ObjectRef{}))
		b.Publish(runtime.Event{})
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
	if got := log.all(); len(got) != 3 {
		t.Errorf("logged %d lines, expected one for each trouble: %q", len(got), got)
	}
}

func TestSchemeTellsTheKind(t *testing.T) {
	scheme := k8sruntime.NewScheme()
	if err := batchv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	kinds := make(chan string, 2)
	sink := sinkFunc(func(_ context.Context, w *runtime.Write) runtime.Answer {
		kinds <- w.Regarding.APIVersion + " " + w.Regarding.Kind
		return runtime.Answer{Outcome: runtime.Done}
	})
	b, _ := start(t, broadcaster.Options{Sink: sink, Scheme: scheme})
	untyped := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Name: "nightly", Namespace: "prod"}}
	def := *failed
	b.Publish(runtime.NewEvent(&def, runtime.AnyObject(untyped), runtime.ObjectRef{}))
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := <-kinds; got != "batch/v1 CronJob" {
		t.Errorf("kind %q", got)
	}
}

func TestForbiddenIsSaidOnceAndRefusalsAtABoundedRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outcome := runtime.Forbidden
		sink := sinkFunc(func(context.Context, *runtime.Write) runtime.Answer {
			return runtime.Answer{Outcome: outcome, Err: errors.New("no")}
		})
		b, log := start(t, broadcaster.Options{Sink: sink, MaxInFlight: 1})
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
		for range 11 { // it is said again while it costs events
			time.Sleep(time.Minute)
			burst("forbidden")
		}
		if got := log.all(); len(got) != 2 || !strings.Contains(got[1], "because a right is missing") {
			t.Errorf("logged %q", got)
		}
		outcome = runtime.Refused
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
	recorder := runtime.NewRecorder(b)
	emit := func() {
		recorder.Emit(runtime.NewEvent(&def, runtime.ObjectOf(object), runtime.ObjectRef{}, runtime.Int(7)))
	}
	emit()
	if got := testing.AllocsPerRun(1000, emit); got > 0 {
		t.Errorf("a repeat costs %v allocations", got)
	}
}

// From the call to the sink's answer, in all goroutines, while events come faster than they are written: the record, its
// arguments, its object and group, and the name of the event.
func TestADistinctEventAllocatesLittle(t *testing.T) {
	const burst, bursts = 2000, 3
	arrived := make(chan struct{}, burst)
	b, _ := start(t, broadcaster.Options{Sink: sinkFunc(func(context.Context, *runtime.Write) runtime.Answer {
		arrived <- struct{}{}
		return runtime.Answer{Outcome: runtime.Done}
	})})
	defer b.Shutdown(t.Context())
	recorder := cronjobevents.NewRecorder(runtime.NewRecorder(b))
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
	if got > 8 {
		t.Errorf("a distinct event costs %v allocations from the call to the sink, expected at most 8", got)
	}
	t.Logf("%.2f allocations", got)
}
