package broadcaster

import (
	"sync"
	"time"
)

// limited knows what has been said of the occurrences that waited too long for a token of their limit.
type limited struct {
	mu   sync.Mutex
	told uint64        // the losses that are said
	next time.Duration // when more may be said
}

// tellLimited says what was lost to limits since the last line, at most once in shedInterval, or else at the end.
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
