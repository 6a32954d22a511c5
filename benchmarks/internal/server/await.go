package server

import (
	"fmt"
	"time"
)

// Await waits until so many calls have succeeded since the server was made. It sleeps until the last of them wakes it, so that waiting
// costs no processor time that somebody measures. Only one goroutine may wait at a time.
func (s *Server) Await(acknowledged int64) {
	done := make(chan struct{})
	s.awaited.Store(&awaited{n: acknowledged, done: done})
	defer s.awaited.Store(nil)
	if s.Acknowledged() >= acknowledged {
		return
	}
	select {
	case <-done:
	case <-time.After(patience):
		panic(fmt.Sprintf("%d calls have succeeded within %v, %d were expected", s.Acknowledged(), patience, acknowledged))
	}
}

// patience is how long anything is waited for. Whatever takes longer is an error of the benchmark.
const patience = 30 * time.Second

// awaited is what a goroutine waits for.
type awaited struct {
	n    int64
	done chan struct{}
}

// acknowledge counts a call that has succeeded, and wakes who waits for it.
func (s *Server) acknowledge() {
	n := s.acknowledged.Add(1)
	if a := s.awaited.Load(); a != nil && a.n == n {
		close(a.done)
	}
}
