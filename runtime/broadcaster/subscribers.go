package broadcaster

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/event-gen/event-gen/runtime"
)

// subscribers holds the subscriptions. It is read for every event and changed rarely.
type subscribers struct {
	mu   sync.Mutex
	list atomic.Pointer[[]*Subscription] // subscriptions that are offered events
	all  []*Subscription                 // subscriptions that have not ended
	past map[string]SubscriberStats      // the counts of ended subscriptions
	// closed: Shutdown has begun.
	closed bool
}

func (l *subscribers) offer(e *runtime.Event) {
	list := l.list.Load()
	if list == nil {
		return
	}
	for _, s := range *list {
		s.offer(e)
	}
}

func (l *subscribers) add(s *Subscription) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.all = append(l.all, s)
	l.publish(append(l.offered(), s))
	return true
}

func (l *subscribers) remove(s *Subscription) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.publish(without(l.offered(), s))
}

// offered is a copy of the list. The lock is held.
func (l *subscribers) offered() []*Subscription {
	if list := l.list.Load(); list != nil {
		return slices.Clone(*list)
	}
	return nil
}

func (l *subscribers) publish(list []*Subscription) {
	if len(list) == 0 {
		l.list.Store(nil)
		return
	}
	l.list.Store(&list)
}

func without(list []*Subscription, s *Subscription) []*Subscription {
	return slices.DeleteFunc(list, func(other *Subscription) bool { return other == s })
}

// ended keeps the counts of a subscription.
func (l *subscribers) ended(s *Subscription) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = without(l.all, s)
	addTo(l.past, s.stats())
}

func addTo(sums map[string]SubscriberStats, s SubscriberStats) {
	sum := sums[s.Name]
	sum.Name = s.Name
	sum.add(s)
	sums[s.Name] = sum
}

func (l *subscribers) stats() []SubscriberStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	sums := maps.Clone(l.past)
	for _, s := range l.all {
		addTo(sums, s.stats())
	}
	return slices.SortedFunc(maps.Values(sums), func(x, y SubscriberStats) int { return strings.Compare(x.Name, y.Name) })
}

// tellSlow logs the subscribers that miss events. The goroutine of a hanging subscriber can't log that itself.
func (l *subscribers) tellSlow() {
	for _, s := range l.living() {
		s.tellSlow()
	}
}

// living returns the subscriptions that have not ended.
func (l *subscribers) living() []*Subscription {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}

// close accepts no more subscribers, and tells the existing ones to end. It returns them.
func (l *subscribers) close() []*Subscription {
	l.mu.Lock()
	l.closed = true
	l.list.Store(nil)
	l.mu.Unlock()
	list := l.living()
	for _, s := range list {
		s.signal()
	}
	return list
}

// endSubscribers ends all subscriptions. It waits until they have shown the waiting events, or until ctx and a moment more are over,
// because a hanging subscriber can't be ended. It logs the subscribers left behind, and returns their counts.
func (b *Broadcaster) endSubscribers(ctx context.Context) (behind []SubscriberStats) {
	list := await(b.subscribers.close(), ctx.Done())
	if len(list) > 0 {
		timer := b.clock.NewTimer(grace)
		defer timer.Stop()
		list = await(list, timer.C())
	}
	for _, s := range list {
		stats := s.stats()
		b.say.leftBehind(stats)
		behind = append(behind, stats)
	}
	return behind
}

// await returns the subscriptions that have not ended when over fires, or none as soon as all have ended.
func await[T any](list []*Subscription, over <-chan T) []*Subscription {
	for i, s := range list {
		select {
		case <-s.done:
		case <-over:
			return slices.DeleteFunc(list[i:], (*Subscription).hasEnded)
		}
	}
	return nil
}

func (s *Subscription) hasEnded() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}
