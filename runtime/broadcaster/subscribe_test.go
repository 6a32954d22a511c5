package broadcaster_test

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// journal collects what a subscriber sees.
type journal struct {
	mu   sync.Mutex
	seen []string
}

func (j *journal) add(e eventrt.Event) {
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
		b.Attach(broadcaster.Subscriber{Show: first.add})
		b.Publish(createdEvent("job", 2))
		b.Publish(createdEvent("job", 2)) // every single occurrence, merged or not
		stop := b.Attach(broadcaster.Subscriber{Show: second.add})
		b.Publish(eventrt.Event{}) // rejected
		b.Publish(createdEvent("job", 3))
		synctest.Wait()
		<-stop()
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
		late := b.Attach(broadcaster.Subscriber{Show: first.add})
		<-late()
	})
}
