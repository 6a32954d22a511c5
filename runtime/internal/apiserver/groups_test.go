package apiserver

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/sink"
)

// stepClock is moved by hand.
type stepClock struct{ mono time.Duration }

func (c *stepClock) now() time.Duration { return c.mono }

// cluster answers by rights; while it starts it forbids everything.
type cluster struct {
	rights   map[string][2]bool // of a namespace, by form
	starting bool
	calls    []form.Form
}

func (c *cluster) send(f, _ form.Form, w *sink.Write) sink.Answer {
	c.calls = append(c.calls, f)
	if c.starting || !c.rights[w.Namespace][f] {
		r := &sink.Right{Verb: "create", Resource: "events", Group: f.GroupVersion().Group, Namespace: w.Namespace}
		return sink.Answer{Outcome: sink.Forbidden, Missing: r, Err: forbiddenBy(r, errors.New("403"))}
	}
	return sink.Answer{Outcome: sink.Done}
}

// TestGroups has random namespaces with rights in one group or both, a server that restarts, and
// rights that stay as they are. A rule of the package is checked after each create: with a right
// and a server that has started, nothing is refused; events of a namespace that were let in through
// events.k8s.io never go elsewhere because of a restart.
func TestGroups(t *testing.T) {
	seed.Check(t, func(t *rapid.T) {
		clock := &stepClock{}
		c := &cluster{rights: map[string][2]bool{}}
		g := NewGroups(clock.now, nil)
		names := rapid.IntRange(1, 4).Draw(t, "namespaces")
		for i := range names {
			r := rapid.IntRange(1, 3).Draw(t, "rights")
			c.rights[fmt.Sprint(i)] = [2]bool{r&1 != 0, r&2 != 0}
		}
		allowed := map[string]bool{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			clock.mono += time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "pause"))
			if c.starting = rapid.IntRange(0, 3).Draw(t, "starting") == 0; c.starting {
				tryStarting(t, g, c, clock, names)
				c.starting = false
			}
			ns := fmt.Sprint(rapid.IntRange(0, names-1).Draw(t, "namespace"))
			a := g.Write(&sink.Write{Operation: sink.Create, Namespace: ns}, c.send)
			if a.Outcome != sink.Done {
				t.Fatalf("%s %v: %+v", ns, c.rights[ns], a)
			}
			if a.Mark == MarkOf(form.CoreV1) && allowed[ns] {
				t.Fatalf("%s: events went through the core group after a restart", ns)
			}
			allowed[ns] = allowed[ns] || a.Mark == MarkOf(form.EventsV1)
		}
	})
}

// tryStarting has creates meet a server that starts, for less than a second.
func tryStarting(t *rapid.T, g *Groups, c *cluster, clock *stepClock, names int) {
	for range rapid.IntRange(1, 5).Draw(t, "creates") {
		ns := fmt.Sprint(rapid.IntRange(0, names-1).Draw(t, "namespace"))
		if a := g.Write(&sink.Write{Operation: sink.Create, Namespace: ns}, c.send); a.Outcome != sink.Forbidden || a.Missing == nil {
			t.Fatalf("%+v", a)
		}
		clock.mono += 100 * time.Millisecond
	}
}

// TestGroupsCost: without a right in events.k8s.io a create costs one call, but for those until the
// denial is confirmed, and a look every five minutes.
func TestGroupsCost(t *testing.T) {
	clock := &stepClock{}
	c := &cluster{rights: map[string][2]bool{}}
	g := NewGroups(clock.now, nil)
	const namespaces, hours = 500, 4
	creates := 0
	for ; clock.mono < hours*time.Hour; clock.mono += time.Second {
		ns := fmt.Sprint(creates % namespaces)
		c.rights[ns] = [2]bool{form.CoreV1: true}
		if a := g.Write(&sink.Write{Operation: sink.Create, Namespace: ns}, c.send); a.Outcome != sink.Done {
			t.Fatalf("%+v", a)
		}
		creates++
	}
	// Twice in each namespace both groups are asked: for the first event, and when the denial is
	// confirmed.
	if extra, most := len(c.calls)-creates, 2*namespaces+hours*12; extra > most {
		t.Errorf("%d calls more than creates, want at most %d", extra, most)
	}
}

// TestGroupsBound: more namespaces than are remembered cost no memory, and nothing is refused.
func TestGroupsBound(t *testing.T) {
	c := &cluster{rights: map[string][2]bool{}}
	g := NewGroups(nil, nil)
	for i := range 2 * maxNamespaces {
		ns := fmt.Sprint(i)
		c.rights[ns] = [2]bool{true, true}
		g.Write(&sink.Write{Operation: sink.Create, Namespace: ns}, c.send)
	}
	if n := len(g.namespaces); n > maxNamespaces {
		t.Errorf("%d namespaces are remembered", n)
	}
}

// TestGroupsNotServed: a group that is not served is left at once, and for both the answer is
// final.
func TestGroupsNotServed(t *testing.T) {
	missing := sink.Answer{Outcome: sink.Refused, Scope: sink.ScopeGroup, Err: errors.New("404")}
	served := [2]bool{form.CoreV1: true}
	send := func(f, _ form.Form, w *sink.Write) sink.Answer {
		if served[f] {
			return sink.Answer{Outcome: sink.Done}
		}
		return missing
	}
	told := make(chan error, 1)
	g := NewGroups(nil, func(err error) { told <- err; panic("of the program's own") })
	w := &sink.Write{Operation: sink.Create, Namespace: "shop"}
	if a := g.Write(w, send); a.Outcome != sink.Done || a.Mark != MarkOf(form.CoreV1) {
		t.Errorf("%+v", a)
	}
	if err := <-told; err == nil || err.Error() != "404" {
		t.Errorf("told %v", err)
	}
	served[form.CoreV1] = false
	if a := g.Write(w, send); a.Outcome != sink.Refused {
		t.Errorf("%+v", a)
	}
}

// try creates an event in a namespace and compares which groups were asked.
func (c *cluster) try(t *testing.T, g *Groups, namespace string, want sink.Outcome, asked ...form.Form) {
	t.Helper()
	c.calls = nil
	a := g.Write(&sink.Write{Operation: sink.Create, Namespace: namespace}, c.send)
	if a.Outcome != want || !slices.Equal(c.calls, asked) {
		t.Errorf("%s: %v, asked %v; want %v, %v", namespace, a.Outcome, c.calls, want, asked)
	}
}

// TestGroupsDifferByNamespace: one that came up after the turn, and has rights in events.k8s.io
// only, goes there from its second event on; the look of one namespace sends all others back.
func TestGroupsDifferByNamespace(t *testing.T) {
	clock := &stepClock{}
	c := &cluster{rights: map[string][2]bool{"core": {false, true}, "too": {false, true}, "events": {true, false}}}
	g := NewGroups(clock.now, nil)
	for _, ns := range []string{"core", "too"} {
		c.try(t, g, ns, sink.Done, form.EventsV1, form.CoreV1)
	}
	clock.mono += sink.ForbiddenProbe
	for _, ns := range []string{"core", "too"} {
		c.try(t, g, ns, sink.Done, form.EventsV1, form.CoreV1)
		c.try(t, g, ns, sink.Done, form.CoreV1)
	}
	c.try(t, g, "events", sink.Done, form.CoreV1, form.EventsV1)
	c.try(t, g, "events", sink.Done, form.EventsV1)
	clock.mono += LookAgain
	c.rights["core"], c.rights["too"] = [2]bool{true, true}, [2]bool{true, true}
	c.try(t, g, "core", sink.Done, form.EventsV1) // looks
	c.try(t, g, "too", sink.Done, form.EventsV1)  // goes back without a look of its own
}

// TestGroupsLeaveADeniedGroup: a right that is taken away for good costs a wait of 30 s, once.
func TestGroupsLeaveADeniedGroup(t *testing.T) {
	clock := &stepClock{}
	c := &cluster{rights: map[string][2]bool{"a": {true, true}}}
	g := NewGroups(clock.now, nil)
	c.try(t, g, "a", sink.Done, form.EventsV1)
	c.rights["a"] = [2]bool{form.CoreV1: true}
	for range 30 {
		c.try(t, g, "a", sink.Forbidden, form.EventsV1)
		clock.mono += time.Second
	}
	c.try(t, g, "a", sink.Done, form.EventsV1, form.CoreV1)
	c.try(t, g, "a", sink.Done, form.CoreV1)
}
