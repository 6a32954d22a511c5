package apiserver

import (
	"errors"
	"net"
	"testing"

	"github.com/event-gen/event-gen/runtime"
)

// TestAReadWithoutAnAnswer before an update stores nothing. Only one that could not be sent shows that there is no server.
func TestAReadWithoutAnAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want runtime.Scope
	}{
		"sent":     {errors.New("stream error"), runtime.ScopeUnknown},
		"not sent": {&net.OpError{Op: "dial", Err: errors.New("connection refused")}, runtime.ScopeServer},
	} {
		var v Versions
		a := v.Write(&runtime.Write{Operation: runtime.Update}, func(_ *runtime.Write, ask bool) runtime.Answer {
			if !ask {
				t.Errorf("%s: the update was sent without a version", name)
			}
			return NoAnswer(c.err)
		})
		if a.Outcome != runtime.Retry || a.Scope != c.want || a.MaybeStored {
			t.Errorf("%s: %+v", name, a)
		}
	}
}
