package broadcaster

import "time"

// lookInterval is the time between two looks at the accounts.
const lookInterval = 10 * time.Second

// watch looks at the accounts from time to time and says what nobody says on his way: whoever records must not, and a worker
// may hang in the sink. It ends with the workers.
func (b *Broadcaster) watch() {
	timer := b.clock.NewTimer(lookInterval)
	defer timer.Stop()
	for {
		select {
		case <-b.ctx.Done():
			return
		case <-timer.C():
		}
		now := b.clock.Now().Mono
		if t, ok := b.outages.overdue(now); ok {
			b.say.outage(t, b.Stats().Pending)
		}
		b.tellShed(now, false)
		b.tellLimited(now, false)
		b.subscribers.tellSlow()
		timer.Reset(lookInterval)
	}
}

// lastLook says what was not said until Shutdown.
func (b *Broadcaster) lastLook() {
	b.tellShed(b.clock.Now().Mono, true)
	b.tellLimited(b.clock.Now().Mono, true)
	b.subscribers.tellSlow()
}
