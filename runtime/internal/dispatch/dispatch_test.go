package dispatch

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

const ms = time.Millisecond

func done() runtime.Answer { return runtime.Answer{Outcome: runtime.Done} }

func away(s runtime.Scope) runtime.Answer {
	return runtime.Answer{Outcome: runtime.Retry, Scope: s}
}

func limited(s runtime.Scope, patience time.Duration) runtime.Answer {
	return runtime.Answer{Outcome: runtime.Retry, Scope: s, Limited: true, RetryAfter: patience}
}

// slowest is the longest that an item of a namespace waited for its write; stored says how many were written.
func (w *world) slowest(namespace string) (d time.Duration, stored int) {
	for _, c := range w.calls {
		if c.item.namespace == namespace && c.outcome == runtime.Done {
			stored++
			d = max(d, c.end-c.item.ready)
		}
	}
	return d, stored
}

// failedIn is the most failed calls in any second from a moment on, and how many there were in all.
func (w *world) failedIn(from time.Duration, keep func(*call) bool) (most, all int) {
	var ends []time.Duration
	for i := range w.calls {
		c := &w.calls[i]
		if c.outcome == runtime.Done || c.end < from || !keep(c) {
			continue
		}
		ends = append(ends, c.end)
		n := 0
		for _, e := range ends {
			if e > c.end-time.Second {
				n++
			}
		}
		most = max(most, n)
	}
	return most, len(ends)
}

func every(*call) bool { return true }

// healthy records 360 items of a namespace in a minute.
func (w *world) healthy(namespace string) {
	for n := range 360 {
		w.at(time.Duration(n)*time.Second/6, func() {
			w.record(&item{namespace: namespace, object: fmt.Sprint("o", n%90), door: correlator.Creates, kind: correlator.Kind(n % 2)})
		})
	}
}

func TestABadNamespaceHoldsUpNobody(t *testing.T) {
	for _, c := range []struct {
		bad   int
		takes time.Duration
		scope runtime.Scope
	}{
		{50, 2 * ms, runtime.ScopeUnknown}, {1000, 2 * ms, runtime.ScopeUnknown}, {1000, 2 * ms, runtime.ScopeNamespace},
		{1000, 10 * time.Second, runtime.ScopeUnknown}, {5000, 300 * ms, runtime.ScopeServer},
	} {
		t.Run(fmt.Sprintf("%d objects, %v, %v", c.bad, c.takes, c.scope), func(t *testing.T) {
			w := newWorld(rand.New(rand.NewPCG(1, 2)), 8, 8)
			w.answer = func(i *item) (runtime.Answer, time.Duration) {
				if i.namespace == "bad" {
					return away(c.scope), c.takes
				}
				return done(), 5 * ms
			}
			for n := range c.bad {
				w.at(0, func() { w.record(&item{namespace: "bad", object: fmt.Sprint("b", n), kind: correlator.Warning}) })
			}
			w.healthy("good")
			w.run(3 * time.Minute)
			if d, n := w.slowest("good"); n != 360 || d > 2*time.Second {
				t.Errorf("%d of 360 events of a healthy namespace were written, the slowest after %v", n, d)
			}
			if most, all := w.failedIn(15*time.Second, every); most > 2 {
				t.Errorf("%d failed calls in a second, %d in all", most, all)
			}
		})
	}
}

func TestAServerThatIsAwayCostsACallASecond(t *testing.T) {
	for _, spaces := range []int{1, 3, 200} {
		for _, scope := range []runtime.Scope{runtime.ScopeUnknown, runtime.ScopeServer} {
			w := newWorld(rand.New(rand.NewPCG(1, 2)), 8, 8)
			w.answer = func(*item) (runtime.Answer, time.Duration) {
				if w.now < 3*time.Minute {
					return away(scope), 2 * ms
				}
				return done(), 2 * ms
			}
			for n := range 3000 {
				w.at(time.Duration(n)*60*ms, func() {
					w.record(&item{namespace: fmt.Sprint("n", n%spaces), object: fmt.Sprint("o", n), kind: correlator.Normal})
				})
			}
			w.run(3*time.Minute + 20*time.Second)
			most, all := w.failedIn(2*time.Second, every)
			t.Logf("%d namespaces, %v: %d failed calls", spaces, scope, all)
			if most > 3 || all > 200 {
				t.Errorf("%d namespaces, %v: %d failed calls in a second, %d in all", spaces, scope, most, all)
			}
			if len(w.stored) != 3000 {
				t.Errorf("%d namespaces, %v: %d of 3000 written", spaces, scope, len(w.stored))
			}
		}
	}
}

func TestARateIsUsed(t *testing.T) {
	t.Run("a namespace with a bucket", func(t *testing.T) {
		w := newWorld(rand.New(rand.NewPCG(1, 2)), 8, 8)
		tokens, last := 20.0, time.Duration(0)
		w.answer = func(i *item) (runtime.Answer, time.Duration) {
			if i.namespace == "good" {
				return done(), 5 * ms
			}
			tokens = min(20, tokens+(w.now-last).Seconds()*5)
			last = w.now
			if tokens < 1 {
				return limited(runtime.ScopeNamespace, 0), 3 * ms
			}
			tokens--
			return done(), 5 * ms
		}
		for n := range 2000 {
			w.at(0, func() { w.record(&item{namespace: "slow", object: fmt.Sprint("b", n), kind: correlator.Normal}) })
		}
		for n := range 150 {
			w.at(10*time.Second, func() { w.record(&item{namespace: "slow", object: fmt.Sprint("w", n), kind: correlator.Warning}) })
		}
		w.healthy("good")
		w.run(time.Minute)
		_, n := w.slowest("slow")
		if n < 250 {
			t.Errorf("%d written at 5 a second in a minute", n)
		}
		warnings := 0
		for _, c := range w.calls {
			if c.item.kind == correlator.Warning && c.item.namespace == "slow" && c.outcome == runtime.Done && c.end < 45*time.Second {
				warnings++
			}
		}
		if warnings != 150 {
			t.Errorf("%d of 150 Warnings were written before the correlator.Normal ones", warnings)
		}
		if d, n := w.slowest("good"); n != 360 || d > 2*time.Second {
			t.Errorf("%d of 360 events of a healthy namespace were written, the slowest after %v", n, d)
		}
		if most, _ := w.failedIn(2*time.Second, every); most > 2 {
			t.Errorf("%d failed calls in a second", most)
		}
	})
	t.Run("one seat", func(t *testing.T) {
		w := newWorld(rand.New(rand.NewPCG(1, 2)), 8, 8)
		busy := time.Duration(0)
		w.answer = func(*item) (runtime.Answer, time.Duration) {
			if w.now < busy {
				return limited(runtime.ScopeServer, time.Second), ms
			}
			busy = w.now + 20*ms
			return done(), 20 * ms
		}
		for n := range 1000 {
			w.at(time.Duration(n)*10*ms, func() {
				w.record(&item{namespace: fmt.Sprint("n", n%4), object: fmt.Sprint("b", n), kind: correlator.Normal})
			})
		}
		w.run(time.Minute)
		most, all := w.failedIn(0, every)
		t.Logf("%d written, %d failed calls", len(w.stored), all)
		if len(w.stored) != 1000 || most > 8 || all > 60 {
			t.Errorf("%d of 1000 written; %d failed calls in a second, %d in all", len(w.stored), most, all)
		}
	})
}

func TestARefusalIsInDoubtAtFirst(t *testing.T) {
	play := func(until time.Duration, outcome runtime.Outcome) *world {
		w := newWorld(rand.New(rand.NewPCG(1, 2)), 8, 8)
		w.answer = func(i *item) (runtime.Answer, time.Duration) {
			if w.now < until {
				return runtime.Answer{Outcome: outcome, Scope: runtime.ScopeNamespace}, 2 * ms
			}
			return done(), 2 * ms
		}
		for n := range 600 {
			w.at(time.Duration(n)*200*ms, func() {
				w.record(&item{namespace: fmt.Sprint("n", n%2), object: fmt.Sprint("o", n%40), kind: correlator.Normal})
			})
		}
		w.run(4 * time.Minute)
		if n := len(w.stored) + len(w.refused); n != 600 || w.waiting() != 0 {
			t.Errorf("%d stored and %d refused of 600, %d wait", len(w.stored), len(w.refused), w.waiting())
		}
		return w
	}
	t.Run("a server that starts", func(t *testing.T) {
		if w := play(300*ms, runtime.Forbidden); len(w.refused) > 0 {
			t.Errorf("%d refused", len(w.refused))
		}
	})
	t.Run("a right that is missing for longer than the doubt", func(t *testing.T) {
		w := play(time.Minute, runtime.Forbidden)
		_, all := w.failedIn(0, every)
		for _, i := range w.refused {
			if i.ready > time.Minute+ProbeDenied {
				t.Errorf("refused: %v, though the right was granted", i)
			}
		}
		if len(w.refused) < 200 || all > 40 {
			t.Errorf("%d refused, %d failed calls", len(w.refused), all)
		}
	})
	t.Run("a namespace that is made again", func(t *testing.T) {
		if w := play(20*time.Second, runtime.RefusedQuietly); len(w.refused) > 0 {
			t.Errorf("%d refused", len(w.refused))
		}
		w := play(50*time.Second, runtime.RefusedQuietly)
		for _, i := range w.refused {
			if i.ready > 40*time.Second {
				t.Errorf("refused: %v, though the namespace was made again soon", i)
			}
		}
	})
}
