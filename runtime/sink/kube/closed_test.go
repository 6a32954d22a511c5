package kube

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/event-gen/event-gen/runtime/sink"
)

// TestAGroupThatIsNoLongerServed: a server restarts without events.k8s.io. An event that was
// created there is patched through core/v1, which is the same storage, in the form in which it was
// created; new events have the form of the core group.
func TestAGroupThatIsNoLongerServed(t *testing.T) {
	var closed atomic.Bool
	s := newServer(t, func(w http.ResponseWriter, r received) {
		if closed.Load() && !r.isCore() {
			text(http.StatusNotFound, "404 page not found\n", "Audit-Id", "1")(w, r)
			return
		}
		stored("42")(w, r)
	})
	target := Auto(s.config())
	created := create(t, target, "shop", sink.Done)
	closed.Store(true)
	w := newUpdate()
	w.Mark = created.Mark
	a := target.Write(t.Context(), w)
	t.Logf("update of an event of events.k8s.io: %v, error %v", a.Outcome, a.Err)
	if a.Outcome != sink.Done || a.Mark != created.Mark {
		t.Errorf("answer %+v", a)
	}
	last := s.got()[len(s.got())-1]
	t.Logf("%s %s %s", last.method, last.path, last.body)
	const want = `{"metadata":{"resourceVersion":"41"},"series":{"count":3,"lastObservedTime":"2026-03-04T05:07:07.891234Z"}}`
	if !last.isCore() || string(last.body) != want {
		t.Errorf("want the patch %s through core/v1", want)
	}
	create(t, target, "shop", sink.Done)
	checkGroups(t, s, "events", "events", "core", "events", "core")
}
