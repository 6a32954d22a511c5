// Package customsink is an example of a sink of one's own: it writes the events of each namespace
// where that namespace lives, for a controller that looks after several clusters.
package customsink

import (
	"context"
	"errors"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Router is a eventrt.Sink that hands each write to the sink of its namespace. It must not be
// changed once it is in use.
type Router struct {
	// Of returns the sink of a namespace; nil if none is known.
	Of func(namespace string) eventrt.Sink
}

var _ eventrt.Sink = Router{}

var errUnknown = errors.New("no cluster is known for the namespace")

// Write implements eventrt.Sink. Where no cluster is known (yet), the write is tried again later.
func (r Router) Write(ctx context.Context, w *eventrt.Write) eventrt.Answer {
	s := r.Of(w.Namespace)
	if s == nil {
		return eventrt.Answer{Outcome: eventrt.Retry, Err: errUnknown}
	}
	return s.Write(ctx, w)
}
