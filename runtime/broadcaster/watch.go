package broadcaster

import (
	"strings"
	"sync"
	"time"
)

// lookInterval is the time between two looks at the accounts.
const lookInterval = 10 * time.Second

// watch looks at the accounts from time to time and logs losses. A recording goroutine must not log them, and a worker
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

// lastLook logs, at Shutdown, losses and limits that no line has named yet.
func (b *Broadcaster) lastLook() {
	b.tellShed(b.clock.Now().Mono, true)
	b.tellLimited(b.clock.Now().Mono, true)
	b.subscribers.tellSlow()
}

// shedInterval is the least time between two lines about shed events.
const shedInterval = time.Minute

// shedding remembers which shed occurrences are in the log already.
type shedding struct {
	mu   sync.Mutex
	told []uint64      // by shard: the losses that are in the log
	next time.Duration // when more may be said
}

// tellShed logs the losses since the last line, at most once in shedInterval, and at the end. It reads the accounts,
// so that recording costs nothing more.
func (b *Broadcaster) tellShed(now time.Duration, atEnd bool) {
	if lost, options := b.untoldShed(now, atEnd); lost > 0 {
		b.say.shed(lost, strings.Join(options, ", "), b.Stats().Pending)
	}
}

// untoldShed returns the number of shed occurrences that are not in the log, and the options that bound them. It counts them as logged
// from then on.
func (b *Broadcaster) untoldShed(now time.Duration, atEnd bool) (lost uint64, options []string) {
	l := &b.shedding
	l.mu.Lock()
	defer l.mu.Unlock()
	if now < l.next && !atEnd {
		return 0, nil
	}
	var identities, bytes bool
	for i := range b.shards {
		shed, full := b.shedBy(i)
		if shed == l.told[i] {
			continue
		}
		lost += shed - l.told[i]
		l.told[i] = shed
		identities = identities || full
		bytes = bytes || !full
	}
	if lost > 0 {
		l.next = now + shedInterval
	}
	return lost, boundsOf(identities, bytes)
}

// shedBy returns how much a shard has shed, and whether it is full of identities. If it is not, MaxBytes was the bound.
func (b *Broadcaster) shedBy(shard int) (shed uint64, full bool) {
	s := &b.shards[shard]
	s.mu.Lock()
	stats := s.c.Stats()
	s.mu.Unlock()
	return stats.Lost.Shed, stats.Identities >= b.opts.shardOptions(shard).MaxIdentities
}

func boundsOf(identities, bytes bool) (options []string) {
	if identities {
		options = append(options, "MaxIdentities")
	}
	if bytes {
		options = append(options, "MaxBytes")
	}
	return options
}

// limited remembers which occurrences lost to limits are in the log already.
type limited struct {
	mu   sync.Mutex
	told uint64        // the losses that are in the log
	next time.Duration // the earliest time of the next line
}

// tellLimited logs the losses to limits since the last line, at most once in shedInterval, and at the end.
func (b *Broadcaster) tellLimited(now time.Duration, atEnd bool) {
	stats := b.Stats()
	l := &b.limited
	l.mu.Lock()
	lost := stats.Lost.Limited - l.told
	if lost == 0 || now < l.next && !atEnd {
		l.mu.Unlock()
		return
	}
	l.told, l.next = stats.Lost.Limited, now+shedInterval
	l.mu.Unlock()
	b.say.limited(lost, stats.Pending)
}
