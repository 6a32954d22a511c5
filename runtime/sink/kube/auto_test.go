package kube

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime/sink"
)

// rights answers like a server that lets only some groups in.
type rights struct{ events, core atomic.Bool }

func (r *rights) answer(w http.ResponseWriter, req received) {
	allowed, group := r.events.Load(), "events.k8s.io"
	if req.isCore() {
		allowed, group = r.core.Load(), ""
	}
	if !allowed {
		writeStatus(w, rbac(group, ""))
		return
	}
	stored("5")(w, req)
}

func newRights(events, core bool) *rights {
	var r rights
	r.events.Store(events)
	r.core.Store(core)
	return &r
}

// handClock is moved by hand.
type handClock struct{ at atomic.Int64 }

func (c *handClock) now() time.Duration { return time.Duration(c.at.Load()) }

func (c *handClock) advance(d time.Duration) { c.at.Add(int64(d)) }

// create writes a new event into a namespace.
func create(t *testing.T, s *Sink, namespace string, want sink.Outcome) sink.Answer {
	t.Helper()
	w := newCreate()
	w.Namespace = namespace
	a := s.Write(t.Context(), w)
	if a.Outcome != want {
		t.Errorf("%s: answer %+v, want %v", namespace, a, want)
	}
	return a
}

// TestAutoTurnsToCore: without a right in events.k8s.io nothing waits, but only after 30 s the
// core group goes first.
func TestAutoTurnsToCore(t *testing.T) {
	s := newServer(t, newRights(false, true).answer)
	var clock handClock
	told := make(chan error, 2)
	target := Options{now: clock.now, OnFallback: func(err error) { told <- err }}.Auto(s.config())
	a := create(t, target, "shop", sink.Done)
	update := newUpdate()
	update.Mark = a.Mark
	if a := target.Write(t.Context(), update); a.Outcome != sink.Done {
		t.Errorf("answer %+v", a)
	}
	clock.advance(sink.ForbiddenProbe - 1)
	create(t, target, "shop", sink.Done)
	clock.advance(1)
	create(t, target, "shop", sink.Done)
	create(t, target, "shop", sink.Done)
	create(t, target, "unheard-of", sink.Done)
	checkGroups(t, s, "events", "core", "core", "events", "core", "events", "core", "core", "core")
	if err := <-told; !strings.Contains(err.Error(), `apiGroups: ["events.k8s.io"]`) {
		t.Errorf("told %v", err)
	}
	if len(told) > 0 {
		t.Errorf("told again: %v", <-told)
	}
}

// checkGroups compares where the requests went.
func checkGroups(t *testing.T, s *server, want ...string) {
	t.Helper()
	var got []string
	for _, r := range s.got() {
		if r.isCore() {
			got = append(got, "core")
		} else {
			got = append(got, "events")
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("requests to %v, want %v", got, want)
	}
}

func TestAutoWithoutAnyRight(t *testing.T) {
	r := newRights(false, false)
	s := newServer(t, r.answer)
	target := Options{OnFallback: func(err error) { t.Errorf("fell back: %v", err) }}.Auto(s.config())
	a := target.Write(t.Context(), newCreate())
	want := `user "system:serviceaccount:shop:ctrl" has no right to write events in namespace "shop"; add one of these rules: ` +
		`apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"]; or ` +
		`apiGroups: [""], resources: ["events"], verbs: ["create", "patch"]`
	if a.Outcome != sink.Forbidden || a.Err.Error() != want {
		t.Errorf("answer %+v", a)
	}
	r.events.Store(true)
	if a := target.Write(t.Context(), newCreate()); a.Outcome != sink.Done {
		t.Errorf("answer after the rule was added: %+v", a)
	}
	checkGroups(t, s, "events", "core", "events")
}

// TestAutoKeepsToOneGroup takes rights away while events live: an event stays in its group,
// whatever new ones do.
func TestAutoKeepsToOneGroup(t *testing.T) {
	r := newRights(true, true)
	s := newServer(t, r.answer)
	var clock handClock
	target := Options{now: clock.now}.Auto(s.config())
	old := target.Write(t.Context(), newCreate())
	r.events.Store(false)
	create(t, target, "shop", sink.Forbidden)
	clock.advance(sink.ForbiddenProbe)
	if a := target.Write(t.Context(), newCreate()); a.Outcome != sink.Done || a.Mark == old.Mark {
		t.Fatalf("answer %+v after %+v", a, old)
	}
	update := newUpdate()
	update.Mark = old.Mark
	if a := target.Write(t.Context(), update); a.Outcome != sink.Forbidden || a.Mark != old.Mark {
		t.Errorf("answer %+v", a)
	}
	checkGroups(t, s, "events", "events", "events", "core", "events")
}

// TestAutoPlacesClusterScopedEvents: an event about a cluster-scoped object in kube-system goes to
// default in the form of the core group, which the server would refuse in kube-system.
func TestAutoPlacesClusterScopedEvents(t *testing.T) {
	for want, events := range map[string]bool{"/namespaces/kube-system/": true, "/namespaces/default/": false} {
		s := newServer(t, newRights(events, true).answer)
		target := Auto(s.config())
		w := newCreate()
		w.Namespace, w.Regarding.Namespace = "kube-system", ""
		a := target.Write(t.Context(), w)
		update := newUpdate()
		update.Namespace, update.Regarding.Namespace, update.Mark = "kube-system", "", a.Mark
		if b := target.Write(t.Context(), update); a.Outcome != sink.Done || b.Outcome != sink.Done {
			t.Errorf("answers %+v, %+v", a, b)
		}
		for _, r := range s.got()[len(s.got())-2:] {
			if !strings.Contains(r.path, want) || w.Namespace != "kube-system" {
				t.Errorf("%s, want %s", r.path, want)
			}
		}
	}
}
