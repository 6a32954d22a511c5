package kube

import (
	"context"

	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/runtime"
)

// noChange is a merge patch that changes nothing: the server stores nothing, and answers with the event's metadata. It needs
// no right that updates don't.
var noChange = []byte("{}")

// update sends an update. One without a resource version gets that of now: the correlator leaves it out where it has lost
// the reply to an earlier update, which may be under way still. Of two updates of the same version one fails, so that the
// earlier one, should it arrive last, can't take the count back.
func (s *Sink) update(ctx context.Context, g *group, w *runtime.Write) runtime.Answer {
	if w.ResourceVersion != 0 {
		return g.write(ctx, w)
	}
	a := g.version(ctx, w)
	if a.Outcome != runtime.Done {
		return a
	}
	if err := s.wait(ctx); err != nil {
		return runtime.Answer{Outcome: runtime.Retry, Err: err}
	}
	versioned := *w
	versioned.ResourceVersion = a.ResourceVersion
	return g.write(ctx, &versioned)
}

// version asks for the resource version of the event that w updates.
func (g *group) version(ctx context.Context, w *runtime.Write) runtime.Answer {
	req := g.client.Patch(types.MergePatchType).Name(w.Name).Body(noChange)
	a := g.send(ctx, w, prepare(req, w))
	a.MaybeStored = false
	return a
}
