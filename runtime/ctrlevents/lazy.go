package ctrlevents

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/internal/inside"
)

// lazy holds a broadcaster that is started with the first event, so that a manager which is never
// started leaves no goroutine behind. It is a Publisher, and safe for concurrent use.
type lazy struct {
	p       *pipeline
	running atomic.Pointer[broadcaster.Broadcaster]

	seen     sync.Map     // *eventrt.Definition, of typed events
	seenMost atomic.Int32 // how many
	mu       sync.Mutex
	opts     broadcaster.Options
	ended    bool
	names    []string // of its recorders
	unwatch  func()   // once running
}

var _ eventrt.Publisher = (*lazy)(nil)

// newLazy checks the options, and starts nothing.
func (p *pipeline) newLazy(opts broadcaster.Options) (*lazy, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	return &lazy{p: p, opts: opts}, nil
}

// Publish records an event. One that comes after the end is counted as rejected.
func (s *lazy) Publish(e eventrt.Event) {
	b := s.broadcaster()
	if b == nil {
		s.p.rejected.Add(1)
		return
	}
	s.declareSeen(e.Definition())
	b.Publish(e)
}

// mostSeen bounds the definitions that are declared by their first event. Those of generated
// packages are few; a program may make one for each event.
const mostSeen = 4096

// declareSeen declares the definition of a typed event whose recorder is FromEvents's, which knows
// no definitions.
func (s *lazy) declareSeen(def *eventrt.Definition) {
	if def == nil || def.Forwarded {
		return
	}
	if _, known := s.seen.Load(def); !known && s.seenMost.Add(1) <= mostSeen {
		s.seen.Store(def, true)
		s.p.declare([]*eventrt.Definition{def})
	}
}

// Declare has the metrics count the reasons of definitions one by one, and the check ask for their
// controllers.
func (s *lazy) Declare(definitions ...*eventrt.Definition) {
	for _, def := range definitions {
		if def != nil && def.ReportingController != "" {
			s.made(def.ReportingController)
		}
	}
	s.p.declare(definitions)
}

// Inside is the broadcaster's.
func (s *lazy) Inside(inside.Key) inside.Texts { return texts{s} }

type texts struct{ s *lazy }

func (t texts) ContextAnnotation(ctx context.Context) (key, value string) {
	if b := t.s.broadcaster(); b != nil {
		return b.Inside(inside.Key{}).ContextAnnotation(ctx)
	}
	return "", ""
}

func (t texts) Redact(text string) string {
	if t.s.p.base.Redact == nil {
		return text
	}
	if b := t.s.broadcaster(); b != nil {
		return b.Inside(inside.Key{}).Redact(text)
	}
	return "<redacted>" // no event has it any more, at most a log line
}

// broadcaster starts it if need be; nil after the end of one that was never started or is released.
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
	s.unwatch = s.p.watch(b)
	s.running.Store(b)
	return b
}

// setFilter sets the filter, for a broadcaster that is started later too.
func (s *lazy) setFilter(f broadcaster.Filter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.Filter = f
	if b := s.running.Load(); b != nil {
		_ = b.SetFilter(f) // the pipeline has checked it
	}
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

// snapshot returns the broadcaster's state; a zero one before its start.
func (s *lazy) snapshot() (state broadcaster.Snapshot) {
	if b := s.running.Load(); b != nil {
		state = b.Snapshot()
	}
	return state
}

// unwatched takes the broadcaster off the page.
func (s *lazy) unwatched() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unwatch != nil {
		s.unwatch()
	}
}
