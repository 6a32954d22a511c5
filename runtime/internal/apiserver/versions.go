package apiserver

import (
	"strconv"
	"sync/atomic"

	"github.com/event-gen/event-gen/runtime"
)

// NoChange is a merge patch that changes nothing: a server stores nothing, and answers with the event. It needs no right
// that updates don't.
const NoChange = "{}"

// ParseVersion reads a resource version. One that is no decimal integer counts as unknown, which is 0.
func ParseVersion(s string) uint64 {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0
	}
	return v
}

// FormatVersion is the reverse; empty for 0.
func FormatVersion(v uint64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatUint(v, 10)
}

// Versions has every update say which version of the event it changes, so that an earlier one whose reply was lost, should it
// arrive last, can't take the count back. Where the correlator has lost the version, with that reply, the server is asked for
// it: of two updates of one version one fails. A sink that tells no versions, as fakes do, is not asked. The zero value is
// ready for use.
type Versions struct{ untold atomic.Bool }

// Write sends a write through a function that, if told to ask, sends NoChange in its place.
func (v *Versions) Write(w *runtime.Write, send func(w *runtime.Write, ask bool) runtime.Answer) runtime.Answer {
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
func (v *Versions) heed(a runtime.Answer) runtime.Answer {
	if a.Outcome == runtime.Done {
		v.untold.Store(a.ResourceVersion == 0)
	}
	return a
}
