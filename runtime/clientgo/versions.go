package clientgo

import (
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime"
)

// noChange is a patch that changes nothing: a server stores nothing, and answers with the event.
const noChange = "{}"

// precondition is the part of a patch that says which version the event must have. A server answers 409 where it has another.
type precondition struct {
	ResourceVersion string `json:"resourceVersion"`
}

// preconditionOf is nil for an event whose version is not known.
func preconditionOf(e metav1.Object) *precondition {
	if e.GetResourceVersion() == "" {
		return nil
	}
	return &precondition{e.GetResourceVersion()}
}

// versions has every update say which version of the event it changes, so that an earlier one whose reply was lost, should it
// arrive last, can't take the count back. Where the version is not known, since that reply was lost, the sink is asked for it:
// of two updates of one version one fails. A sink that tells no versions, as fakes do, is not asked.
type versions struct{ untold atomic.Bool }

// write sends a write through a function that calls the sink, which asks for the version instead if it is told so.
func (v *versions) write(w *runtime.Write, send func(w *runtime.Write, ask bool) runtime.Answer) runtime.Answer {
	if w.Operation != runtime.Update || w.ResourceVersion != 0 || v.untold.Load() {
		return v.heed(send(w, false))
	}
	asked := v.heed(send(w, true))
	if asked.Outcome != runtime.Done {
		asked.MaybeStored = false
		return asked
	}
	versioned := *w
	versioned.ResourceVersion = asked.ResourceVersion
	return v.heed(send(&versioned, false))
}

// heed notes whether the sink tells versions.
func (v *versions) heed(a runtime.Answer) runtime.Answer {
	if a.Outcome == runtime.Done {
		v.untold.Store(a.ResourceVersion == 0)
	}
	return a
}
