package dispatch

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// firstDone is when the first write of a namespace was done that was ready at a moment or later; negative: none was.
func (w *world) firstDone(namespace string, from time.Duration) time.Duration {
	for _, c := range w.calls {
		if c.item.namespace == namespace && c.item.ready >= from && c.outcome == runtime.Done {
			return c.end
		}
	}
	return -1
}

// TestANamespaceThatHasNotFailedGoesFirst has a server in trouble for many namespaces before anything was served. One of which nothing is
// known is tried before those that have failed.
func TestANamespaceThatHasNotFailedGoesFirst(t *testing.T) {
	w := newWorld(rand.New(rand.NewPCG(1, 2)), 8, 8)
	w.answer = func(i *item) (runtime.Answer, time.Duration) {
		if i.namespace == "good" {
			return done(), 5 * ms
		}
		return away(runtime.ScopeUnknown), 5 * ms
	}
	for n := range 100 {
		w.at(time.Duration(n)*20*ms, func() { w.record(&item{namespace: fmt.Sprint("bad-", n%20), object: fmt.Sprint("o", n/40)}) })
	}
	w.at(30*time.Second, func() { w.record(&item{namespace: "good", object: "o"}) })
	w.run(2 * time.Minute)
	if at := w.firstDone("good", 0); at < 0 || at > 32*time.Second {
		t.Errorf("written at %v, expected within two seconds of 30 s", at)
	}
}

// TestAnAnswerAboutAnObjectEndsADoubt has a lane refused while a server starts, and then an answer that speaks of one object only: the
// lane's other objects must not wait as if the refusal held.
func TestAnAnswerAboutAnObjectEndsADoubt(t *testing.T) {
	w := newWorld(rand.New(rand.NewPCG(1, 2)), 8, 8)
	w.answer = func(i *item) (runtime.Answer, time.Duration) {
		switch {
		case w.now < 300*ms:
			return runtime.Answer{Outcome: runtime.Forbidden, Scope: runtime.ScopeNamespace}, 5 * ms
		case i.object == "denied":
			return away(runtime.ScopeObject), 5 * ms
		}
		return done(), 5 * ms
	}
	w.at(0, func() { w.record(&item{namespace: "n", object: "denied"}) })
	w.run(1500 * ms) // refused, and answered for the object alone thereafter
	if l := w.d.lookUp("n", correlator.Creates); l.own.sick || l.doubt.cause != granted {
		t.Errorf("the lane is sick (%v), or in doubt still: %+v", l.own.sick, l.doubt)
	}
}

// TestReadyTellsOfAnEarlierTry: a lane that waits with what has failed before is tried earlier once it has something new, and nobody would
// know of it if Ready did not tell.
func TestReadyTellsOfAnEarlierTry(t *testing.T) {
	d := New(Options{Workers: 8, Shards: 1, Delay: time.Second, MaxDelay: 10 * time.Second, MaxPatience: time.Minute})
	d.server.fall(0)
	d.server.soon, d.server.next = time.Second, 8*time.Second
	d.server.sure = false
	at := correlator.Lane{Namespace: "n", Kind: correlator.Retry}
	if d.Ready(0, &at, 0) {
		t.Error("a lane in the rings is found by whoever looks")
	}
	if _, _, ok := d.Take(0); ok {
		t.Fatal("expected the lane to wait at the server")
	}
	d.spaces["n"].proven = true
	at.Kind = correlator.Warning
	if !d.Ready(0, &at, 0) {
		t.Error("expected to be told that the lane goes earlier")
	}
	if next := d.NextTry(0); next != time.Second {
		t.Errorf("the next try is at %v, expected 1s", next)
	}
}
