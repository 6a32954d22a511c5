package broadcaster_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// diary writes down every call of a subscriber.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) note(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, line)
}

func (d *diary) all() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.lines, ",")
}

func (d *diary) subscriber() broadcaster.Subscriber {
	return broadcaster.Subscriber{
		Name: "diary",
		Show: func(e eventrt.Event) { d.note(e.Message()) },
		Idle: func() { d.note("idle") },
		End:  func() error { d.note("end"); return errors.New("disk full") },
	}
}

func TestASubscriberIsToldWhenToFlushAndToEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, log := start(t, broadcaster.Options{Sink: newStore()})
		var d diary
		b.Attach(d.subscriber())
		b.Publish(createdEvent("job", 1))
		synctest.Wait()
		b.Publish(createdEvent("job", 2))
		synctest.Wait()
		if err := b.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := d.all(); got != "created 1,idle,created 2,idle,end" {
			t.Errorf("called %s", got)
		}
		if got := log.all(); len(got) != 1 || !strings.Contains(got[0], "disk full") || !strings.Contains(got[0], "diary") {
			t.Errorf("logged %q", got)
		}
	})
}

func TestASubscriberIsNotToldToFlushWhileEventsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := start(t, broadcaster.Options{Sink: newStore()})
		var d diary
		s := d.subscriber()
		release := make(chan struct{})
		show := s.Show
		s.Show = func(e eventrt.Event) { <-release; show(e) }
		stop := b.Attach(s)
		for i := range 3 {
			b.Publish(createdEvent("job", i))
		}
		synctest.Wait()
		close(release)
		stop()
		<-stop()
		if got := d.all(); got != "created 0,created 1,created 2,idle,end" {
			t.Errorf("called %s", got)
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestASubscriberThatComesTooLateIsEnded(t *testing.T) {
	b, _ := start(t, broadcaster.Options{Sink: newStore()})
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	var d diary
	<-b.Attach(d.subscriber())()
	if got := d.all(); got != "end" {
		t.Errorf("called %s", got)
	}
}

func TestEveryFunctionOfASubscriberMayPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, log := start(t, broadcaster.Options{Sink: newStore()})
		b.Attach(broadcaster.Subscriber{
			Show: func(eventrt.Event) { panic("show") },
			Idle: func() { panic("idle") },
			End:  func() error { panic("end") },
		})
		b.Publish(createdEvent("job", 1))
		if err := b.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		if panics := b.Snapshot().Subscribers[0].Panics; panics != 3 || len(log.all()) != 1 {
			t.Errorf("%d panics, logged %q", panics, log.all())
		}
	})
}

func TestSubscribersAreCountedByName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, log := start(t, broadcaster.Options{Sink: newStore()})
		release := make(chan struct{})
		b.Attach(broadcaster.Subscriber{Name: "slow", Buffer: 2, Show: func(eventrt.Event) { <-release }})
		end := b.Attach(broadcaster.Subscriber{Show: func(eventrt.Event) { panic("oh") }})
		b.Publish(createdEvent("job", 0))
		synctest.Wait()
		<-end()
		b.Attach(broadcaster.Subscriber{Show: func(eventrt.Event) {}})
		for n := range 5 {
			b.Publish(createdEvent("job", n))
		}
		synctest.Wait()
		want := []broadcaster.SubscriberStats{
			{Name: "function", Seen: 6, Panics: 1}, // of two subscribers; one has ended
			{Name: "slow", Dropped: 3, Waiting: 2},
		}
		if diff := cmp.Diff(want, b.Snapshot().Subscribers); diff != "" {
			t.Errorf("while one hangs (- expected, + found):\n%s", diff)
		}
		close(release)
		if err := b.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		want[1] = broadcaster.SubscriberStats{Name: "slow", Seen: 3, Dropped: 3}
		if diff := cmp.Diff(want, b.Snapshot().Subscribers); diff != "" {
			t.Errorf("after Shutdown (- expected, + found):\n%s", diff)
		}
		said := 0
		for _, line := range log.all() {
			if strings.Contains(line, "slower than events come") && strings.Contains(line, `"subscriber"="slow" "dropped"=3`) {
				said++
			}
		}
		if said != 1 {
			t.Errorf("said %d times that a subscriber is slow: %q", said, log.all())
		}
	})
}

// TestSubscribersComeAndGoWhileEventsAreRecorded is for the race detector. Each subscriber that
// stays sees all events in order.
func TestSubscribersComeAndGoWhileEventsAreRecorded(t *testing.T) {
	b, _ := start(t, broadcaster.Options{Sink: newStore()})
	var stays journal
	b.Attach(broadcaster.Subscriber{Buffer: 1000, Show: stays.add})
	var all sync.WaitGroup
	all.Go(func() {
		for n := range 500 {
			b.Publish(createdEvent("job", n))
		}
	})
	all.Go(func() {
		for range 100 {
			stop := b.Attach(broadcaster.Subscriber{Buffer: 1, Show: func(eventrt.Event) {}})
			_ = b.Snapshot().Subscribers
			<-stop()
		}
	})
	all.Wait()
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	var want []string
	for n := range 500 {
		want = append(want, fmt.Sprintf("created %d", n))
	}
	if got := stays.all(); got != strings.Join(want, ",") {
		t.Errorf("saw %s", got)
	}
}

// TestNamesOfPastSubscribersAreBounded: 20,000 come and go, each under a name of its own.
func TestNamesOfPastSubscribersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := start(t, broadcaster.Options{Sink: newStore()})
		for n := range 20_000 {
			stop := b.Attach(broadcaster.Subscriber{Name: fmt.Sprint("request-", n), Buffer: 1, Show: func(eventrt.Event) {}})
			b.Publish(failedEvent("job"))
			<-stop()
		}
		all := b.Snapshot().Subscribers
		var seen uint64
		for _, s := range all {
			seen += s.Seen
		}
		if len(all) != 101 || all[0].Name != "others" || all[0].Seen != 19_900 || seen != 20_000 {
			t.Errorf("%d names; the first has %+v; %d seen", len(all), all[0], seen)
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
