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

// TestAnAnswerAboutAnObjectProvesWiderScopesWell: the server was taken to be away because of three bad namespaces. The next try meets one
// object that is denied for now, or too many events of one object, so that it is not away. What the server has said of itself holds further on.
func TestAnAnswerAboutAnObjectProvesWiderScopesWell(t *testing.T) {
	for _, c := range []struct {
		name   string
		sure   bool
		answer runtime.Answer
	}{
		{"denied", false, away(runtime.ScopeObject)}, {"limited", false, limited(runtime.ScopeObject, 0)},
		{"denied, the storage is away", true, away(runtime.ScopeObject)}, {"limited, the storage is away", true, limited(runtime.ScopeObject, 0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := New(Options{Workers: 8, Shards: 1, Delay: time.Second, MaxDelay: 10 * time.Second, MaxPatience: time.Minute})
			d.Ready(0, &correlator.Lane{Namespace: "n"}, 0)
			d.server.fall(0)
			d.groups[correlator.Creates].fall(0)
			d.server.sure = c.sure
			d.server.told = true
			d.Take(0) // finds where the lane has to wait
			j, _, ok := d.Take(time.Second)
			if !ok {
				t.Fatal("expected a try")
			}
			v := d.Done(&j, 1, &c.answer, time.Second)
			if d.server.sick != c.sure || d.groups[correlator.Creates].sick {
				t.Errorf("sick: the server %v, creates %v", d.server.sick, d.groups[correlator.Creates].sick)
			}
			if told := len(v.News) == 1 && v.News[0].What == Well; told == c.sure {
				t.Errorf("told: %+v", v.News)
			}
			if excused := v.Fate == correlator.Excused; excused != (c.sure && !c.answer.Limited) {
				t.Errorf("the object is excused: %v", excused)
			}
		})
	}
}

// TestARightIsFoundByAnAnswerAboutAnObject: a right was missing beyond doubt. The call that asks again meets an object that is denied for
// now, which an authorizer lets in.
func TestARightIsFoundByAnAnswerAboutAnObject(t *testing.T) {
	w := quietWorld(nil)
	w.answer = func(i *item) (runtime.Answer, time.Duration) {
		switch {
		case w.now < time.Minute:
			return runtime.Answer{Outcome: runtime.Forbidden, Scope: runtime.ScopeNamespace}, 5 * ms
		case i.object == "denied":
			return away(runtime.ScopeObject), 5 * ms
		}
		return done(), 5 * ms
	}
	w.recordAt(0, "n", "o")
	w.recordAt(31*time.Second, "n", "o")
	w.recordAt(2*time.Minute, "n", "denied")
	w.recordAt(2*time.Minute+time.Second, "n", "good")
	w.run(3 * time.Minute)
	if at := w.firstDone("n", 2*time.Minute); at < 0 || at > 2*time.Minute+2*time.Second {
		t.Errorf("what is recorded after the right was granted is written at %v", at)
	}
}

// TestOneNamespaceDoesNotUseUpTheChecks: an API group is sick, and a namespace that has failed there is tried again and again. One of
// which nothing is known is tried at once all the same, and so is each of some more.
func TestOneNamespaceDoesNotUseUpTheChecks(t *testing.T) {
	w := quietWorld(func(i *item) runtime.Answer {
		if i.namespace == "good" {
			return done()
		}
		return away(runtime.ScopeGroup)
	})
	for n := range 3 {
		w.recordAt(0, fmt.Sprint("bad-", n), "o")
	}
	for n := range 20 {
		w.recordAt(100*ms, "bad-0", fmt.Sprint("o", n))
	}
	for n := range crossChecks - 1 {
		w.recordAt(3*time.Second, fmt.Sprint("unknown-", n), "o")
	}
	w.recordAt(3*time.Second, "good", "o")
	w.run(5 * time.Second)
	if d, n := w.slowest("good"); n != 1 || d > 100*ms {
		t.Errorf("%d written, after %v", n, d)
	}
	if most, _ := w.failedIn(200*ms, func(c *call) bool { return c.item.namespace == "bad-0" }); most > 1 {
		t.Errorf("%d failed calls in a second of a namespace that is known to fail", most)
	}
}

// TestALaneThatWasRefusedOnceIsNotKnownToFail has a server that starts refuse a healthy namespace, and then an API group that is closed for
// three others, which go on failing.
func TestALaneThatWasRefusedOnceIsNotKnownToFail(t *testing.T) {
	w := quietWorld(nil)
	w.answer = func(i *item) (runtime.Answer, time.Duration) {
		switch {
		case w.now < 300*ms:
			return runtime.Answer{Outcome: runtime.Forbidden, Scope: runtime.ScopeNamespace}, 5 * ms
		case i.namespace == "good":
			return done(), 5 * ms
		}
		return away(runtime.ScopeGroup), 5 * ms
	}
	w.recordAt(0, "good", "o")
	for n := range 40 {
		w.recordAt(400*ms+time.Duration(n)*100*ms, fmt.Sprint("bad-", n%3), fmt.Sprint("o", n))
	}
	w.run(10 * time.Second)
	if d, n := w.slowest("good"); n != 1 || d > 1500*ms {
		t.Errorf("%d written, after %v", n, d)
	}
}

// TestAFailureEndsADoubt: a lane was refused by a server that starts. What fails next there is one object, for a cause of which the
// answer does not tell how far it reaches: the others of the lane do not wait for it.
func TestAFailureEndsADoubt(t *testing.T) {
	w := quietWorld(nil)
	w.answer = func(i *item) (runtime.Answer, time.Duration) {
		switch {
		case w.now < 300*ms:
			return runtime.Answer{Outcome: runtime.Forbidden, Scope: runtime.ScopeNamespace}, 5 * ms
		case i.object == "bad":
			return away(runtime.ScopeUnknown), 5 * ms
		}
		return done(), 5 * ms
	}
	w.recordAt(0, "n", "bad")
	w.recordAt(10*ms, "n", "good")
	w.run(10 * time.Second)
	for _, i := range w.stored {
		if i.object == "good" {
			if d, _ := w.slowest("n"); d > 1200*ms {
				t.Errorf("written after %v", d)
			}
			return
		}
	}
	t.Error("not written")
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

// quietWorld answers by a function, in 5 ms.
func quietWorld(answer func(*item) runtime.Answer) *world {
	w := newWorld(rand.New(rand.NewPCG(1, 2)), 8, 8)
	w.answer = func(i *item) (runtime.Answer, time.Duration) { return answer(i), 5 * ms }
	return w
}

// recordAt records an item of an object.
func (w *world) recordAt(at time.Duration, namespace, object string) {
	w.at(at, func() { w.record(&item{namespace: namespace, object: object}) })
}

// TestANamespaceHoldsHalfTheWorkers has a namespace that is well, but slow.
func TestANamespaceHoldsHalfTheWorkers(t *testing.T) {
	w := quietWorld(nil)
	most, flying := 0, 0
	w.answer = func(i *item) (runtime.Answer, time.Duration) {
		flying++
		most = max(most, flying)
		w.at(w.now+800*ms, func() { flying-- })
		return done(), 800 * ms
	}
	for n := range 50 {
		w.recordAt(0, "slow", fmt.Sprint("o", n))
	}
	w.run(10 * time.Second)
	if most != 4 {
		t.Errorf("one namespace has %d calls in flight, with 8 workers", most)
	}
}

// TestANamespaceThatHangsIsSickSoon has three calls of a namespace hang: it is sick once they are stuck.
func TestANamespaceThatHangsIsSickSoon(t *testing.T) {
	w := quietWorld(nil)
	w.answer = func(i *item) (runtime.Answer, time.Duration) {
		if i.namespace == "hangs" {
			return away(runtime.ScopeUnknown), 10 * time.Second
		}
		return done(), 5 * ms
	}
	for n := range 3 {
		w.recordAt(0, "hangs", fmt.Sprint("o", n))
	}
	w.recordAt(1100*ms, "good", "o")
	w.run(1200 * ms)
	if !w.d.spaces["hangs"].health.sick || w.d.server.sick {
		t.Errorf("sick: the namespace %v, the server %v", w.d.spaces["hangs"].health.sick, w.d.server.sick)
	}
}

// TestASuccessBetweenFailuresKeepsAScopeWell has many bad objects in a namespace, but each failure is followed by a success.
func TestASuccessBetweenFailuresKeepsAScopeWell(t *testing.T) {
	w := quietWorld(func(i *item) runtime.Answer {
		if i.object[0] == 'b' {
			return away(runtime.ScopeUnknown)
		}
		return done()
	})
	for n := range 9 {
		w.recordAt(time.Duration(n)*100*ms, "n", fmt.Sprint("bad-", n))
		w.recordAt(time.Duration(n)*100*ms+50*ms, "n", fmt.Sprint("good-", n))
	}
	w.run(900 * ms)
	if s := w.d.spaces["n"]; s.health.sick || s.lanes[correlator.Creates].own.sick {
		t.Error("the namespace is sick")
	}
	if d, n := w.slowest("n"); n != 9 || d > 10*ms {
		t.Errorf("%d of 9 written, the slowest after %v", n, d)
	}
}

// TestWhatIsKnownToFailWidensNothing has three bad objects, whose retries fail one after another with no success in between.
func TestWhatIsKnownToFailWidensNothing(t *testing.T) {
	w := quietWorld(func(i *item) runtime.Answer {
		if i.object[0] == 'b' {
			return away(runtime.ScopeUnknown)
		}
		return done()
	})
	for n := range 3 {
		w.recordAt(time.Duration(n)*100*ms, "n", fmt.Sprint("bad-", n))
		w.recordAt(time.Duration(n)*100*ms+50*ms, "n", fmt.Sprint("good-", n))
	}
	w.run(30 * time.Second)
	if s := w.d.spaces["n"]; s.health.sick || s.lanes[correlator.Creates].own.sick || len(w.calls) < 15 {
		t.Errorf("after %d calls, the namespace or its lane is sick", len(w.calls))
	}
}

// TestAnAnswerSpeaksOfNoWiderScopeThanItMay has all namespaces but one fail by answers that speak of a namespace at the widest.
func TestAnAnswerSpeaksOfNoWiderScopeThanItMay(t *testing.T) {
	w := quietWorld(func(i *item) runtime.Answer {
		if i.namespace == "good" {
			return done()
		}
		return away(runtime.ScopeNamespace)
	})
	for n := range 30 {
		w.recordAt(time.Duration(n)*10*ms, fmt.Sprint("bad-", n%10), fmt.Sprint("o", n))
	}
	w.recordAt(400*ms, "good", "o")
	w.run(time.Second)
	if d, n := w.slowest("good"); n != 1 || d > 10*ms || w.d.server.sick || w.d.groups[correlator.Creates].sick {
		t.Errorf("%d written, after %v; sick: the server %v, creates %v", n, d, w.d.server.sick, w.d.groups[correlator.Creates].sick)
	}
}

// TestTriesLeaveASlotToWhatIsNotKnownToFail: of the two slots of tries, what is known to fail uses one.
func TestTriesLeaveASlotToWhatIsNotKnownToFail(t *testing.T) {
	b := budget{most: 2, bound: 8, flying: 1}
	if at := b.admits(time.Second, false); at >= 0 {
		t.Errorf("what is known to fail may be tried at %v", at)
	}
	if at := b.admits(time.Second, true); at != time.Second {
		t.Errorf("what is not known to fail may be tried at %v", at)
	}
}

// TestAfterAnOutageNamespacesAreTriedSoon has namespaces fall sick in an outage of the server, and be tried in it until their delays
// are long.
func TestAfterAnOutageNamespacesAreTriedSoon(t *testing.T) {
	w := quietWorld(nil)
	w.answer = func(*item) (runtime.Answer, time.Duration) {
		if w.now < time.Minute {
			return away(runtime.ScopeUnknown), 5 * ms
		}
		return done(), 5 * ms
	}
	for n := range 60 {
		w.recordAt(time.Duration(n)*10*ms, fmt.Sprint("n", n%3), fmt.Sprint("o", n))
	}
	w.run(75 * time.Second)
	for _, n := range []string{"n0", "n1", "n2"} {
		first := time.Duration(-1)
		for _, c := range w.calls {
			if c.item.namespace == n && c.outcome == runtime.Done && first < 0 {
				first = c.end
			}
		}
		if first < 0 || first > 72*time.Second {
			t.Errorf("%s is served first at %v, after an outage until 1m0s", n, first)
		}
	}
	if len(w.stored) != 60 {
		t.Errorf("%d of 60 written", len(w.stored))
	}
}

// TestWarningsGoFirst: a worker that comes back takes a Warning before Normal events that have waited for longer.
func TestWarningsGoFirst(t *testing.T) {
	d := New(Options{Workers: 1, Shards: 1, Delay: time.Second, MaxDelay: 10 * time.Second, MaxPatience: time.Minute})
	for n, kind := range []correlator.Kind{correlator.Normal, correlator.Normal, correlator.Warning} {
		d.Ready(0, &correlator.Lane{ID: uint32(n), Namespace: fmt.Sprint("n", n), Kind: kind}, 0)
	}
	if j, _, ok := d.Take(0); !ok || j.Lane.Namespace != "n2" {
		t.Errorf("taken first: %+v, %v", j.Lane, ok)
	}
}

// TestOneWorkerMakesOneCall: the sink of one worker may not be safe for concurrent use, so that a call that hangs gives its slot to nobody.
func TestOneWorkerMakesOneCall(t *testing.T) {
	d := New(Options{Workers: 1, Shards: 1, Delay: time.Second, MaxDelay: 10 * time.Second, MaxPatience: time.Minute})
	for n := range 2 {
		d.Ready(0, &correlator.Lane{ID: uint32(n), Namespace: fmt.Sprint("n", n)}, 0)
	}
	if _, _, ok := d.Take(0); !ok {
		t.Fatal("expected a job")
	}
	if j, _, ok := d.Take(5 * time.Second); ok {
		t.Errorf("a second call begins beside one that hangs: %+v", j.Lane)
	}
}

// TestWarningsGoFirstWhereLanesWait: of the lanes that wait at a scope, one with a Warning is let go first.
func TestWarningsGoFirstWhereLanesWait(t *testing.T) {
	d := New(Options{Workers: 8, Shards: 1, Delay: time.Second, MaxDelay: 10 * time.Second, MaxPatience: time.Minute})
	d.server.fall(0)
	d.server.soon, d.server.next = time.Second, time.Second
	for n, kind := range []correlator.Kind{correlator.Normal, correlator.Warning} {
		namespace := fmt.Sprint("n", n)
		d.Ready(0, &correlator.Lane{ID: uint32(n), Namespace: namespace, Kind: kind}, 0)
		d.spaces[namespace].proven = true
	}
	if j, _, ok := d.Take(0); ok {
		t.Fatalf("taken from a server that rests: %+v", j.Lane)
	}
	// The rings are asked for Warnings first, so that the Normal event waits behind. A third namespace comes last.
	d.Ready(0, &correlator.Lane{ID: 2, Namespace: "n2", Kind: correlator.Warning}, 0)
	d.spaces["n2"].proven = true
	d.Take(0)
	for _, want := range []string{"n1", "n2"} {
		j, _, ok := d.Take(time.Second)
		if !ok || j.Lane.Namespace != want {
			t.Fatalf("taken: %+v, %v, expected %s", j.Lane, ok, want)
		}
		d.Done(&j, 1, &runtime.Answer{Outcome: runtime.Retry, Limited: true, Scope: runtime.ScopeServer}, time.Second)
		d.server.soon, d.server.next = time.Second, time.Second
	}
}

// TestAServerThatIsBackExcusesItsNamespaces: a namespace whose last call failed in an outage of the server is tried at once when that is
// over, though its own delay has grown.
func TestAServerThatIsBackExcusesItsNamespaces(t *testing.T) {
	d := New(Options{Workers: 8, Shards: 1, Delay: time.Second, MaxDelay: 10 * time.Second, MaxPatience: time.Minute})
	for n := range 2 {
		d.Ready(0, &correlator.Lane{ID: uint32(n), Namespace: fmt.Sprint("n", n), Kind: correlator.Kind(n)}, 0)
	}
	hurt := &d.spaces["n1"].health
	for _, s := range []*trouble{&d.server, hurt} {
		s.fall(0)
	}
	hurt.excused, hurt.soon, hurt.next = true, time.Second, 9*time.Second
	d.Take(0) // finds where the lanes have to wait
	j, _, ok := d.Take(2 * time.Second)
	if !ok || j.Lane.Namespace != "n0" {
		t.Fatalf("tried: %+v, %v", j.Lane, ok)
	}
	d.Done(&j, 1, &runtime.Answer{Outcome: runtime.Done}, 2*time.Second)
	if d.server.sick || hurt.excused || hurt.next > 2*time.Second {
		t.Errorf("the server is sick: %v; the namespace is tried at %v", d.server.sick, hurt.next)
	}
}
