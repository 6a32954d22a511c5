package ctrlevents

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// lazy holds a broadcaster that is started with the first event, so that a manager which is never
// started leaves no goroutine behind. It is a Publisher, and safe for concurrent use.
type lazy struct {
	opts    broadcaster.Options
	started func(*broadcaster.Broadcaster) // called before the first event
	declare func(...*eventrt.Definition)   // called by Declare

	running  atomic.Pointer[broadcaster.Broadcaster]
	mu       sync.Mutex
	ended    bool
	rejected atomic.Uint64 // events that came after the end of one that was never started
	names    []string      // of its recorders; guarded by mu
}

var _ eventrt.Publisher = (*lazy)(nil)

// newLazy checks the options, and starts nothing.
func newLazy(opts broadcaster.Options, started func(*broadcaster.Broadcaster), declare func(...*eventrt.Definition)) (*lazy, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	return &lazy{opts: opts, started: started, declare: declare}, nil
}

// Publish records an event. One that comes after the end is counted as rejected.
func (s *lazy) Publish(e eventrt.Event) {
	if b := s.broadcaster(); b != nil {
		b.Publish(e)
		return
	}
	s.rejected.Add(1)
}

// Declare has the metrics count the reasons of definitions one by one.
func (s *lazy) Declare(definitions ...*eventrt.Definition) { s.declare(definitions...) }

// ContextAnnotation returns the broadcaster's.
func (s *lazy) ContextAnnotation(ctx context.Context) (key, value string) {
	if b := s.broadcaster(); b != nil {
		return b.ContextAnnotation(ctx)
	}
	return "", ""
}

// broadcaster starts it if need be; nil after the end of one that was never started.
func (s *lazy) broadcaster() *broadcaster.Broadcaster {
	if b := s.running.Load(); b != nil {
		return b
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.running.Load(); b != nil || s.ended {
		return b
	}
	b, err := broadcaster.New(s.opts)
	if err != nil { // newLazy has tried the same options: only the machine can have changed
		s.opts.Logger.Error(err, "Events can't be recorded")
		s.ended = true
		return nil
	}
	s.started(b)
	s.running.Store(b)
	return b
}

// made notes the name of a recorder that was made.
func (s *lazy) made(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.names, name) {
		s.names = append(s.names, name)
	}
}

// recorders returns the names of the recorders made so far.
func (s *lazy) recorders() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.names)
}

// shutdown writes what is pending until ctx ends.
func (s *lazy) shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	if b := s.running.Load(); b != nil {
		return b.Shutdown(ctx)
	}
	return nil
}

func (s *lazy) stats() (sum eventrt.Stats) {
	if b := s.running.Load(); b != nil {
		sum = b.Stats()
	}
	rejected := s.rejected.Load()
	sum.Recorded += rejected
	sum.Lost.Rejected += rejected
	return sum
}
