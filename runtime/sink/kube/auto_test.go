package kube

import (
	"net/http"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
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

// handClock is moved by hand.
type handClock struct {
	runtime.Clock
	mono atomic.Int64
}

func (c *handClock) Now() runtime.Instant { return runtime.Instant{Mono: time.Duration(c.mono.Load())} }

func (c *handClock) advance(d time.Duration) { c.mono.Add(int64(d)) }

// create writes a new event into a namespace.
func create(t *testing.T, s *Sink, namespace string, want runtime.Outcome) runtime.Answer {
	t.Helper()
	w := newCreate()
	w.Namespace = namespace
	a := s.Write(t.Context(), w)
	if a.Outcome != want {
		t.Errorf("%s: answer %+v, want %v", namespace, a, want)
	}
	return a
}

// TestAutoTurnsBeyondDoubt: without a right in events.k8s.io nothing waits, but only after 30 s the core group goes first.
func TestAutoTurnsBeyondDoubt(t *testing.T) {
	s := newServer(t, newRights(false, true).answer)
	var clock handClock
	told := make(chan error, 2)
	sink := Options{Clock: &clock, OnFallback: func(err error) { told <- err }}.Auto(s.config())
	a := create(t, sink, "shop", runtime.Done)
	update := newUpdate()
	update.Mark = a.Mark
	if a := sink.Write(t.Context(), update); a.Outcome != runtime.Done {
		t.Errorf("answer %+v", a)
	}
	clock.advance(runtime.ForbiddenDoubt - 1)
	create(t, sink, "shop", runtime.Done)
	clock.advance(1)
	create(t, sink, "shop", runtime.Done)
	create(t, sink, "shop", runtime.Done)
	create(t, sink, "unheard-of", runtime.Done)
	checkGroups(t, s, "events", "core", "core", "events", "core", "events", "core", "core", "core")
	if err := <-told; !strings.Contains(err.Error(), `apiGroups: ["events.k8s.io"]`) {
		t.Errorf("told %v", err)
	}
	if len(told) > 0 {
		t.Errorf("told again: %v", <-told)
	}
}

// TestAutoWaitsForAStartingServer: a group that let events in before is not left for a 403 of some milliseconds.
func TestAutoWaitsForAStartingServer(t *testing.T) {
	r := newRights(true, true)
	s := newServer(t, r.answer)
	var clock handClock
	sink := Options{Clock: &clock, OnFallback: func(err error) { t.Errorf("fell back: %v", err) }}.Auto(s.config())
	create(t, sink, "shop", runtime.Done)
	for range 10 { // restarts, a minute apart
		clock.advance(time.Minute)
		r.events.Store(false)
		if a := create(t, sink, "shop", runtime.Forbidden); a.Missing == nil || a.Missing.Group != "events.k8s.io" || a.Missing.Namespace != "shop" {
			t.Errorf("missing %+v", a.Missing)
		}
	}
	r.events.Store(true)
	create(t, sink, "shop", runtime.Done)
	checkGroups(t, s, strings.Fields(strings.Repeat("events ", 12))...)
}

// TestAutoLeavesAGroupBeyondDoubt: a right that is taken away for good costs a wait of 30 s, once.
func TestAutoLeavesAGroupBeyondDoubt(t *testing.T) {
	r := newRights(true, true)
	s := newServer(t, r.answer)
	var clock handClock
	sink := Options{Clock: &clock}.Auto(s.config())
	create(t, sink, "shop", runtime.Done)
	r.events.Store(false)
	for range 30 {
		create(t, sink, "shop", runtime.Forbidden)
		clock.advance(time.Second)
	}
	create(t, sink, "shop", runtime.Done)
	create(t, sink, "shop", runtime.Done)
	checkGroups(t, s, strings.Fields(strings.Repeat("events ", 32)+"core core")...)
}

// TestAutoLooksAgain: every five minutes one create tries events.k8s.io; when it is let in, all do again.
func TestAutoLooksAgain(t *testing.T) {
	r := newRights(false, true)
	s := newServer(t, r.answer)
	var clock handClock
	sink := Options{Clock: &clock}.Auto(s.config())
	create(t, sink, "shop", runtime.Done)
	create(t, sink, "bank", runtime.Done)
	clock.advance(runtime.ForbiddenDoubt)
	create(t, sink, "shop", runtime.Done)
	create(t, sink, "bank", runtime.Done)
	clock.advance(apiserver.LookAgain)
	create(t, sink, "shop", runtime.Done) // looks
	create(t, sink, "bank", runtime.Done)
	r.events.Store(true)
	clock.advance(apiserver.LookAgain)
	create(t, sink, "bank", runtime.Done) // looks
	create(t, sink, "shop", runtime.Done)
	checkGroups(t, s, strings.Fields("events core events core  events core events core  events core core  events events")...)
}

// TestAutoTellsSafely has the host's function panic, and never come back.
func TestAutoTellsSafely(t *testing.T) {
	for name, f := range map[string]func(){"panic": func() { panic("mine") }, "exit": goruntime.Goexit, "block": nil} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, newRights(false, true).answer)
			var clock handClock
			called, release := make(chan struct{}), make(chan struct{})
			if f == nil {
				f = func() { <-release }
			}
			sink := Options{Clock: &clock, OnFallback: func(error) { close(called); f() }}.Auto(s.config())
			create(t, sink, "shop", runtime.Done)
			clock.advance(runtime.ForbiddenDoubt)
			create(t, sink, "shop", runtime.Done)
			<-called
			create(t, sink, "shop", runtime.Done)
			close(release)
		})
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
	var clock handClock
	sink := Options{Clock: &clock}.Auto(s.config())
	old := sink.Write(t.Context(), newCreate())
	r.events.Store(false)
	create(t, sink, "shop", runtime.Forbidden)
	clock.advance(runtime.ForbiddenDoubt)
	if a := sink.Write(t.Context(), newCreate()); a.Outcome != runtime.Done || a.Mark == old.Mark {
		t.Fatalf("answer %+v after %+v", a, old)
	}
	update := newUpdate()
	update.Mark = old.Mark
	if a := sink.Write(t.Context(), update); a.Outcome != runtime.Forbidden || a.Mark != old.Mark {
		t.Errorf("answer %+v", a)
	}
	checkGroups(t, s, "events", "events", "events", "core", "events")
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
	checkGroups(t, s, "events", "events", "core", "events", "events", "core")
}

func TestAutoAtOnce(t *testing.T) {
	s := newServer(t, newRights(false, true).answer)
	var clock handClock
	told := make(chan error, 32)
	sink := Options{Clock: &clock, OnFallback: func(err error) { told <- err }}.Auto(s.config())
	create(t, sink, "shop", runtime.Done)
	clock.advance(runtime.ForbiddenDoubt)
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() { create(t, sink, "shop", runtime.Done) })
	}
	wg.Wait()
	<-told
	if len(told) > 0 {
		t.Errorf("told %d times more", len(told))
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
