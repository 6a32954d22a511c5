// Package server stands in for an API server: it takes the writes of all three recorders under test through the interface
// each has for its sink, after a latency, not at all while it is down or hangs, and counts what it took.
package server

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// Server takes writes. Its fields are set before it is used.
type Server struct {
	// Latency is slept in each call.
	Latency time.Duration
	// Keep has every event kept, with the server's rules about what exists; otherwise calls are only counted.
	Keep bool

	down atomic.Bool
	hold atomic.Pointer[chan struct{}]

	calls        atomic.Int64
	failed       atomic.Int64
	acknowledged atomic.Int64
	inFlight     atomic.Int64
	mostInFlight atomic.Int64
	lastAt       atomic.Int64 // Unix nanoseconds of the last acknowledgement
	awaited      atomic.Pointer[awaited]

	store store
}

// errDown is what a client sees of a server that is away: an error of the transport, not an answer.
var errDown = errors.New("connection refused")

// Down takes the server away, or brings it back.
func (s *Server) Down(down bool) { s.down.Store(down) }

// Hang makes calls hang from now on, until the returned function is called.
func (s *Server) Hang() (release func()) {
	hold := make(chan struct{})
	s.hold.Store(&hold)
	return sync.OnceFunc(func() {
		s.hold.Store(nil)
		close(hold)
	})
}

// call is what every call has in common; write stores it.
func (s *Server) call(ctx context.Context, write func() error) error {
	s.calls.Add(1)
	s.enter()
	defer s.inFlight.Add(-1)
	if err := s.wait(ctx); err != nil {
		s.failed.Add(1)
		return err
	}
	if s.Keep {
		if err := write(); err != nil {
			return err
		}
	}
	s.lastAt.Store(time.Now().UnixNano())
	s.acknowledge()
	return nil
}

func (s *Server) enter() {
	n := s.inFlight.Add(1)
	for most := s.mostInFlight.Load(); n > most; most = s.mostInFlight.Load() {
		if s.mostInFlight.CompareAndSwap(most, n) {
			return
		}
	}
}

func (s *Server) wait(ctx context.Context) error {
	if hold := s.hold.Load(); hold != nil {
		select {
		case <-*hold:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if s.Latency > 0 {
		time.Sleep(s.Latency)
	}
	if s.down.Load() {
		return errDown
	}
	return nil
}

// Calls counts all calls, Failed those that found the server down, Acknowledged those that succeeded.
func (s *Server) Calls() int64        { return s.calls.Load() }
func (s *Server) Failed() int64       { return s.failed.Load() }
func (s *Server) Acknowledged() int64 { return s.acknowledged.Load() }

// MostInFlight is the largest number of calls that were under way at once.
func (s *Server) MostInFlight() int64 { return s.mostInFlight.Load() }

// LastAt is the time of the last acknowledgement; the zero time if there was none.
func (s *Server) LastAt() time.Time {
	if at := s.lastAt.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}

// Quiet waits until for the given time no call came, and none was under way that does not hang; or done reports true.
func (s *Server) Quiet(quiet time.Duration, done func() bool) {
	calls, since := s.Calls(), time.Now()
	for !done() && time.Since(since) < quiet {
		time.Sleep(time.Millisecond)
		if now := s.Calls(); now != calls || (s.inFlight.Load() > 0 && s.hold.Load() == nil) {
			calls, since = now, time.Now()
		}
	}
}
