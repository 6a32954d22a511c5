package dispatch

import (
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// What is new of a scope.
type What uint8

const (
	// Sick: the scope takes nothing for now.
	Sick What = iota + 1
	// Well: it does again.
	Well
	// Denied: a right is missing beyond doubt.
	Denied
	// Granted: a right that was missing has been granted.
	Granted
	// Gone: the namespace is gone, or ends, and what was pending there is lost.
	Gone
)

// News is a change of a scope that should be logged.
type News struct {
	What      What
	Scope     runtime.Scope
	Namespace string
	Err       error         // of the last call
	Reach     runtime.Scope // the widest scope of the cause, by the last answer
	Took      time.Duration // Well: how long it was sick
	Calls     int           // failed calls meanwhile
}

func (t *trouble) news(w What, now time.Duration) News {
	scopes := [...]runtime.Scope{ofServer: runtime.ScopeServer, ofGroup: runtime.ScopeGroup, ofNamespace: runtime.ScopeNamespace, ofLane: runtime.ScopeNamespace}
	return News{What: w, Scope: scopes[t.scope], Namespace: t.name, Err: t.err, Reach: t.reach, Took: now - t.since, Calls: t.calls}
}

// outbreak is the news of the widest scope of a lane that has become sick, unless a scope around it is known to be.
func (l *lane) outbreak(now time.Duration) []News {
	for _, t := range l.chain() {
		if t.sick {
			if t.told {
				return nil
			}
			t.told = true
			return []News{t.news(Sick, now)}
		}
	}
	return nil
}
