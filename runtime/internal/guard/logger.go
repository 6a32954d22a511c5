// Package guard calls functions of the host so that a panic in one of them ends only that call.
package guard

import (
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
)

// Logger returns a logger whose sink may panic. Only the line is lost then. It is safe for concurrent use if the
// logger is.
func Logger(l logr.Logger) logr.Logger {
	next := l.GetSink()
	if next == nil {
		return l
	}
	if _, guarded := next.(*sink); guarded {
		return l
	}
	return logr.New(&sink{deeper(next, 1)}).V(l.GetV())
}

// deeper makes a sink that shows its caller leave out the guard's own frames.
func deeper(s logr.LogSink, depth int) logr.LogSink {
	if d, ok := s.(logr.CallDepthLogSink); ok {
		return d.WithCallDepth(depth)
	}
	return s
}

type sink struct{ next logr.LogSink }

var _ logr.CallDepthLogSink = (*sink)(nil)

// Init does nothing: the next sink has been initialized.
func (s *sink) Init(logr.RuntimeInfo) {}

// Enabled is false for a sink that panics.
func (s *sink) Enabled(level int) (enabled bool) {
	defer func() { _ = recover() }()
	return s.next.Enabled(level)
}

func (s *sink) Info(level int, msg string, keysAndValues ...any) {
	defer func() { _ = recover() }()
	s.next.Info(level, msg, keysAndValues...)
}

func (s *sink) Error(err error, msg string, keysAndValues ...any) {
	defer func() { _ = recover() }()
	s.next.Error(err, msg, keysAndValues...)
}

// WithValues leaves out values that the next sink panics on.
func (s *sink) WithValues(keysAndValues ...any) logr.LogSink {
	return s.with(func() logr.LogSink { return s.next.WithValues(keysAndValues...) })
}

func (s *sink) WithName(name string) logr.LogSink {
	return s.with(func() logr.LogSink { return s.next.WithName(name) })
}

func (s *sink) WithCallDepth(depth int) logr.LogSink {
	return s.with(func() logr.LogSink { return deeper(s.next, depth) })
}

func (s *sink) with(make func() logr.LogSink) (made logr.LogSink) {
	made = s
	defer func() { _ = recover() }()
	return &sink{make()}
}

// patience is the longest wait for a logger.
const patience = time.Second

// Speaker calls loggers so that its caller returns whatever they do. It leaves a logger that blocks behind after a second, and drops further
// lines until that logger comes back. A logger that panics or ends its goroutine loses the line. The zero Speaker is ready, and safe for
// concurrent use.
type Speaker struct{ blocked atomic.Bool }

// Say calls f, which logs one line, in a goroutine of its own, and waits for it. The goroutine ends with f.
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
