package kube

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/event-gen/event-gen/runtime"
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

func TestAutoPrefersEventsV1(t *testing.T) {
	s := newServer(t, newRights(true, true).answer)
	a := Auto(s.config()).Write(t.Context(), newCreate())
	if r := s.only(t); r.isCore() || a.Outcome != runtime.Done {
		t.Errorf("request to %s, answer %+v", r.path, a)
	}
}

func TestAutoFallsBack(t *testing.T) {
	s := newServer(t, newRights(false, true).answer)
	var told []error
	sink := Options{OnFallback: func(err error) { told = append(told, err) }}.Auto(s.config())
	a := sink.Write(t.Context(), newCreate())
	if a.Outcome != runtime.Done {
		t.Fatalf("answer %+v", a)
	}
	update := newUpdate()
	update.Mark = a.Mark
	for _, w := range []*runtime.Write{update, newCreate()} {
		if a := sink.Write(t.Context(), w); a.Outcome != runtime.Done {
			t.Errorf("answer %+v", a)
		}
	}
	checkGroups(t, s, "events", "core", "core", "core")
	if len(told) != 1 || !strings.Contains(told[0].Error(), `apiGroups: ["events.k8s.io"]`) {
		t.Errorf("told %v", told)
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
	sink := Options{OnFallback: func(err error) { t.Errorf("fell back: %v", err) }}.Auto(s.config())
	a := sink.Write(t.Context(), newCreate())
	want := `no right to write events in namespace "shop"; add one of these rules: ` +
		`apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"]; or ` +
		`apiGroups: [""], resources: ["events"], verbs: ["create", "patch"]`
	if a.Outcome != runtime.Forbidden || a.Err.Error() != want {
		t.Errorf("answer %+v", a)
	}
	r.events.Store(true)
	if a := sink.Write(t.Context(), newCreate()); a.Outcome != runtime.Done {
		t.Errorf("answer after the rule was added: %+v", a)
	}
	checkGroups(t, s, "events", "core", "events")
}

// TestAutoKeepsToOneGroup takes rights away while events live: an event stays in its group, whatever new ones do.
func TestAutoKeepsToOneGroup(t *testing.T) {
	r := newRights(true, true)
	s := newServer(t, r.answer)
	sink := Auto(s.config())
	old := sink.Write(t.Context(), newCreate())
	r.events.Store(false)
	if a := sink.Write(t.Context(), newCreate()); a.Outcome != runtime.Done || a.Mark == old.Mark {
		t.Fatalf("answer %+v after %+v", a, old)
	}
	update := newUpdate()
	update.Mark = old.Mark
	if a := sink.Write(t.Context(), update); a.Outcome != runtime.Forbidden || a.Mark != old.Mark {
		t.Errorf("answer %+v", a)
	}
	checkGroups(t, s, "events", "events", "core", "events")
}

// TestAutoPerNamespace has rights in one group here and in the other there.
func TestAutoPerNamespace(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, r received) {
		newRights(strings.Contains(r.path, "/shop/"), !strings.Contains(r.path, "/shop/")).answer(w, r)
	})
	sink := Auto(s.config())
	for _, namespace := range []string{"shop", "bank", "shop", "bank"} {
		w := newCreate()
		w.Namespace = namespace
		if a := sink.Write(t.Context(), w); a.Outcome != runtime.Done {
			t.Errorf("%s: answer %+v", namespace, a)
		}
	}
	checkGroups(t, s, "events", "events", "core", "core", "events", "core")
}

func TestAutoAtOnce(t *testing.T) {
	s := newServer(t, newRights(false, true).answer)
	var told atomic.Int32
	sink := Options{OnFallback: func(error) { told.Add(1) }}.Auto(s.config())
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			if a := sink.Write(t.Context(), newCreate()); a.Outcome != runtime.Done {
				t.Errorf("answer %+v", a)
			}
		})
	}
	wg.Wait()
	if told.Load() != 1 {
		t.Errorf("told %d times", told.Load())
	}
}

// TestAutoLeavesOtherRefusals alone: only a missing right is a reason to change groups.
func TestAutoLeavesOtherRefusals(t *testing.T) {
	for _, answer := range []func(http.ResponseWriter, received){answered(invalid()), answered(terminating()), text(500, "")} {
		s := newServer(t, answer)
		Auto(s.config()).Write(t.Context(), newCreate())
		checkGroups(t, s, "events")
	}
}
