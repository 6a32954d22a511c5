package guard

import (
	"sync/atomic"
	"time"
)

// patience is how long whoever has something to say waits for a logger.
const patience = time.Second

// Speaker calls loggers so that whoever has something to say comes back, whatever they do: one that blocks is left behind after a second,
// and what is said until it comes back is lost; one that panics or ends its goroutine loses the line. The zero Speaker is ready, and
// safe for concurrent use.
type Speaker struct{ blocked atomic.Bool }

// Say calls f, which says one line, in a goroutine of its own, and waits until it is said. The goroutine ends with f.
func (s *Speaker) Say(f func()) {
	if s.blocked.Load() {
		return
	}
	said := make(chan struct{})
	var late atomic.Bool
	go func() {
		defer func() {
			_ = recover()
			close(said)
			if late.Load() {
				s.blocked.Store(false)
			}
		}()
		f()
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-said:
	case <-timer.C:
		s.blocked.Store(true)
		late.Store(true)
		select {
		case <-said: // just now
			s.blocked.Store(false)
		default:
		}
	}
}
