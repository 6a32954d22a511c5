package broadcaster

import (
	"context"
	"sync"
	"time"
)

// callContext is the context of one call of the sink. It ends at its deadline, with its parent, or when the call is over. It starts a
// timer only if the sink calls more than Deadline: context.WithDeadline takes a sixth of the process's cost of a distinct event.
type callContext struct {
	parent   context.Context
	deadline time.Time

	mu     sync.Mutex
	made   context.Context // answers the sink's calls; nil until the first call
	cancel context.CancelFunc
	over   bool
}

// Deadline implements context.Context.
func (c *callContext) Deadline() (time.Time, bool) { return c.deadline, true }

// Done implements context.Context.
func (c *callContext) Done() <-chan struct{} { return c.context().Done() }

// Err implements context.Context.
func (c *callContext) Err() error { return c.context().Err() }

// Value implements context.Context. Package context finds its own context through Value, and so starts no goroutine for contexts
// derived from this one.
func (c *callContext) Value(key any) any { return c.context().Value(key) }

func (c *callContext) context() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made == nil {
		c.made, c.cancel = context.WithDeadline(c.parent, c.deadline)
		if c.over {
			c.cancel() // for a goroutine that keeps the context longer than the call
		}
	}
	return c.made
}

// end ends the context, because the call is over.
func (c *callContext) end() {
	c.mu.Lock()
	c.over = true
	cancel := c.cancel
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// callContexts makes several contexts at a time, which takes fewer allocations. It uses none twice, because a sink may keep one.
type callContexts struct{ unused []callContext }

const contextsAtOnce = 8

// next returns the context of a call that begins now.
func (s *callContexts) next(parent context.Context, timeout time.Duration) *callContext {
	if len(s.unused) == 0 {
		s.unused = make([]callContext, contextsAtOnce)
	}
	c := &s.unused[0]
	s.unused = s.unused[1:]
	c.parent, c.deadline = parent, time.Now().Add(timeout)
	return c
}
