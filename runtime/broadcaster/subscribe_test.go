package broadcaster_test

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// journal collects what a subscriber sees.
type journal struct {
	mu   sync.Mutex
	seen []string
}

func (j *journal) add(e runtime.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seen = append(j.seen, e.Message())
}

func (j *journal) all() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Join(j.seen, ",")
}

func TestASubscriberSeesWhatComesAfterSubscribe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := start(t, broadcaster.Options{Sink: newStore()})
		b.Publish(createdEvent("job", 1))
		var first, second journal
		b.Subscribe(0, first.add)
		b.Publish(createdEvent("job", 2))
		b.Publish(createdEvent("job", 2)) // every single occurrence, merged or not
		s := b.Subscribe(0, second.add)
		b.Publish(runtime.Event{}) // rejected
		b.Publish(createdEvent("job", 3))
		synctest.Wait()
		s.Stop()
		<-s.Done()
		b.Publish(createdEvent("job", 4))
		if err := b.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.Publish(createdEvent("job", 5))
		if got := first.all(); got != "created 2,created 2,created 3,created 4" {
			t.Errorf("the first saw %q", got)
		}
		if got := second.all(); got != "created 3" {
			t.Errorf("the second saw %q", got)
		}
		late := b.Subscribe(0, first.add)
		<-late.Done()
	})
}

func TestASlowSubscriberDropsAndCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := start(t, broadcaster.Options{Sink: newStore()})
		release := make(chan struct{})
		var seen int
		s := b.Subscribe(3, func(runtime.Event) { <-release; seen++ })
		b.Publish(createdEvent("job", 0))
		synctest.Wait() // it has taken that one, and hangs
		for n := range 10 {
			b.Publish(createdEvent("job", n))
		}
		if got := s.Dropped(); got != 7 {
			t.Errorf("%d dropped, expected 7 of 10 beside the 3 that may wait", got)
		}
		if stats := b.Stats(); stats.Recorded != 11 || stats.Lost.Total() != 0 {
			t.Errorf("a slow subscriber changed the accounting: %+v", stats)
		}
		close(release)
		if err := b.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		if seen != 4 {
			t.Errorf("it saw %d, expected the one it held and the 3 that waited", seen)
		}
	})
}

func TestAPanickingSubscriberHarmsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore()
		b, log := start(t, broadcaster.Options{Sink: s})
		bad := b.Subscribe(0, func(runtime.Event) { panic("oh") })
		var good journal
		b.Subscribe(0, good.add)
		b.Publish(createdEvent("job", 1))
		b.Publish(createdEvent("job", 2))
		if err := b.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		if bad.Panics() != 2 || good.all() != "created 1,created 2" || s.total() != 2 {
			t.Errorf("%d panics, the other saw %q, %d stored", bad.Panics(), good.all(), s.total())
		}
		if got := log.all(); len(got) != 1 {
			t.Errorf("logged %q, expected one line", got)
		}
	})
}
