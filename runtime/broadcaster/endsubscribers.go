package broadcaster

import (
	"context"
	"slices"
)

// endSubscribers ends all subscriptions and waits until they have shown what was waiting, or ctx and a moment more are over:
// one that hangs can't be ended. It says which are left behind, and returns their counts.
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

// await returns the subscriptions that have not ended when over fires; none, as soon as all have.
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
