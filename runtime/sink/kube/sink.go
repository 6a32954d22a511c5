package kube

import (
	"context"
	"sync/atomic"
	"time"

	"k8s.io/client-go/util/flowcontrol"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink/internal/form"
)

// Sink writes events to an API server. It is safe for concurrent use, holds no goroutine, and need not be closed.
type Sink struct {
	groups     []group // in order of preference
	limiter    flowcontrol.RateLimiter
	timeout    time.Duration
	onFallback func(error)
	err        error
	fellBack   atomic.Bool
}

// Err says why the sink is not usable, which it is from the start or never: a rest.Config that contradicts itself, a file
// that can't be read. Every write is then refused with this error. It is nil for a usable sink, also while the server is
// away.
func (s *Sink) Err() error { return s.err }

// Write sends one request to the server; one more, if Auto turns to the other group, or if an update has no resource
// version. It returns within the timeout of
// the options, and when ctx ends.
func (s *Sink) Write(ctx context.Context, w *runtime.Write) runtime.Answer {
	if s.err != nil {
		return runtime.Answer{Outcome: runtime.Refused, Mark: w.Mark, Err: s.err}
	}
	if err := form.Check(w); err != nil {
		return runtime.Answer{Outcome: runtime.Refused, Mark: w.Mark, Err: err}
	}
	if s.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.timeout)
		defer cancel()
	}
	first := s.choose(w)
	a := s.send(ctx, first, w)
	if a.Outcome == runtime.Forbidden && w.Operation == runtime.Create && len(s.groups) > 1 {
		return s.fallBack(ctx, first, a, w)
	}
	return a
}

// send writes through one group and marks the event with it.
func (s *Sink) send(ctx context.Context, g *group, w *runtime.Write) runtime.Answer {
	if err := s.wait(ctx); err != nil {
		return runtime.Answer{Outcome: runtime.Retry, Mark: w.Mark, Err: err}
	}
	a := s.request(ctx, g, w)
	a.Mark = markOf(g.form)
	return a
}

func (s *Sink) request(ctx context.Context, g *group, w *runtime.Write) runtime.Answer {
	if w.Operation == runtime.Update {
		return s.update(ctx, g, w)
	}
	return g.write(ctx, w)
}

// wait takes a request from the budget. Nothing was sent if that fails.
func (s *Sink) wait(ctx context.Context) error {
	if s.limiter == nil {
		return ctx.Err()
	}
	return s.limiter.Wait(ctx)
}
