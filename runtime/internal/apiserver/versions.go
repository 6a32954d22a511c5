package apiserver

import (
	"strconv"
	"sync/atomic"

	"github.com/event-gen/event-gen/runtime"
)

// NoChange is a merge patch that changes nothing: the server stores nothing, and answers with the event. It needs the right that updates
// need.
const NoChange = "{}"

// ParseVersion reads a resource version. One that is no decimal integer counts as unknown, which is 0.
func ParseVersion(s string) uint64 {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0
	}
	return v
}

// FormatVersion is the reverse of ParseVersion; empty for 0.
func FormatVersion(v uint64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatUint(v, 10)
}

// Versions gives every update the version of the event that it changes. Of two updates of one version one fails, so an earlier update whose
// reply was lost can't take the count back if it arrives last. If the correlator has lost the version with that reply, Versions asks the
// server for it. It does not ask a sink that returns no versions, as fakes do. The zero value is ready for use.
type Versions struct{ none atomic.Bool }

// Write sends a write through a function. With ask set, that function sends NoChange in place of the write.
func (v *Versions) Write(w *runtime.Write, send func(w *runtime.Write, ask bool) runtime.Answer) runtime.Answer {
	if w.Operation != runtime.Update || w.ResourceVersion != 0 || v.none.Load() {
		return v.note(send(w, false))
	}
	asked := v.note(send(w, true))
	if asked.Outcome != runtime.Done {
		if asked.MaybeStored && asked.Scope == runtime.ScopeServer {
			asked.Scope = runtime.ScopeUnknown // only what was not even sent shows that there is no server
		}
		asked.MaybeStored = false
		return asked
	}
	versioned := *w
	versioned.ResourceVersion = asked.ResourceVersion
	return v.note(send(&versioned, false))
}

// note notes whether the sink returns versions.
func (v *Versions) note(a runtime.Answer) runtime.Answer {
	if a.Outcome == runtime.Done {
		v.none.Store(a.ResourceVersion == 0)
	}
	return a
}
