// Package customsink is an example of a custom sink. It writes the events of each namespace to the
// cluster of that namespace, for a controller that manages several clusters.
package customsink

import (
	"context"
	"errors"

	"github.com/event-gen/event-gen/runtime/sink"
)

// Router is a sink.Sink that hands each write to the sink of its namespace. It must not be
// changed while it is in use.
type Router struct {
	// Of returns the sink of a namespace; nil if its cluster is unknown.
	Of func(namespace string) sink.Sink
}

var _ sink.Sink = Router{}

var errUnknown = errors.New("no cluster is known for the namespace")

// Write implements sink.Sink. If the cluster is not known yet, the write is retried later.
func (r Router) Write(ctx context.Context, w *sink.Write) sink.Answer {
	s := r.Of(w.Namespace)
	if s == nil {
		return sink.Answer{Outcome: sink.Retry, Err: errUnknown}
	}
	return s.Write(ctx, w)
}
