package correlator

import (
	"fmt"
	"testing"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/dispatch"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestAFullNamespaceTakesNoMemoryOfOthers: ten healthy namespaces have one Normal event a second
// each. Beside them, sick namespaces have as many Warnings pending as the memory holds.
func TestAFullNamespaceTakesNoMemoryOfOthers(t *testing.T) {
	floods := map[string]func() (sink.Answer, time.Duration){
		"hangs": sicknesses["hangs"], "500": sicknesses["500 after 5 ms"], "403": sicknesses["403"], "429": sicknesses["429"],
		"flood": func() (sink.Answer, time.Duration) { return done(), 20 * ms },
	}
	for name, answer := range floods {
		for warnings, bound := range map[int]int64{15_000: 8 << 20, 25_000: 16 << 20, 90_000: 64 << 20, 200_000: 64 << 20} {
			for _, sick := range []int{1, 40, 400} {
				if (name == "flood") != (warnings == 200_000) || testing.Short() && (warnings > 15_000 || sick > 40) {
					continue
				}
				t.Run(fmt.Sprint(name, "/", sick, "/", warnings), func(t *testing.T) {
					w := newWorld(t, Options{MaxBytes: bound})
					w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
						if write.Type == eventrt.Warning {
							return answer()
						}
						return done(), 5 * ms
					}
					for n := range warnings {
						w.at(time.Second+time.Duration(n)*50*time.Microsecond, func() {
							w.recordEvent(warning, fmt.Sprint("sick-", n%sick), fmt.Sprint("o-", n), "text")
						})
					}
					for second := range 600 {
						for n := range 10 {
							w.recordAt(time.Duration(second)*time.Second+time.Duration(n)*100*ms, fmt.Sprint("healthy-", n), 1)
						}
					}
					w.run(610 * time.Second)
					atFirst, most := time.Second, time.Second
					if sick == 400 { // they look like a server that is away
						atFirst, most = 50*time.Second, 5*time.Second
					}
					for n := range 10 {
						w.expectWithin(fmt.Sprint("healthy-", n), 0, atFirst, 600)
						w.expectWithin(fmt.Sprint("healthy-", n), minute, most, 540)
					}
					if w.c.Stats().Lost.Evicted == 0 {
						t.Error("the bound is not reached")
					}
				})
			}
		}
	}
}

// TestNamespacesWithOneEventEach: none holds more than its share. Normal events go before Warnings
// then, whichever came first, and acknowledged ones before both.
func TestNamespacesWithOneEventEach(t *testing.T) {
	const each = 10_000
	w := newWorld(t, Options{MaxEvents: each})
	w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
		if w.now > 30*time.Second {
			return unreachable, 5 * ms
		}
		return done(), 5 * ms
	}
	w.recordAt(0, "idle", each)
	for n := range each {
		w.at(minute, func() { w.recordEvent(warning, fmt.Sprint("w-", n), "o", "text") })
	}
	w.run(2*minute - 1)
	if s := w.c.Stats(); s.Pending != each || s.Lost != (eventrt.Lost{}) {
		t.Fatalf("acknowledged events do not go first: %+v", s)
	}
	for n := range each {
		w.at(2*minute, func() { w.recordEvent(normal, fmt.Sprint("n-", n), "o", "text") })
	}
	w.run(3 * minute)
	if s := w.c.Stats(); s.Pending != each || s.Lost.Evicted != each {
		t.Fatalf("%+v", s)
	}
	for _, r := range w.c.all {
		if !r.warning() && !r.work.InFlight() {
			t.Fatal("a Warning went, and a Normal event stays")
		}
	}
}

// TestNamespacesThatHoldTheMean: one event has to go, and no namespace holds more than the others.
func TestNamespacesThatHoldTheMean(t *testing.T) {
	w := newWorld(t, Options{})
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) { return unreachable, 5 * ms }
	for n := range 200 {
		w.recordEvent(warning, fmt.Sprint("w-", 100+n/2), fmt.Sprint("o-", n%2), "text")
		w.recordEvent(normal, fmt.Sprint("n-", 100+n/2), fmt.Sprint("o-", n%2), "text")
	}
	w.c.opts.MaxEvents = 399
	w.run(minute)
	warnings := 0
	for _, r := range w.c.all {
		if r.warning() {
			warnings++
		}
	}
	if s := w.c.Stats(); warnings != 200 || s.Lost.Evicted != 1 {
		t.Errorf("%d of 200 Warnings are held: %+v", warnings, s)
	}
}

// TestABigNamespaceInAnOutage: the server is away for five minutes. A namespace with much to write
// loses Normal events. Nobody loses a Warning.
func TestABigNamespaceInAnOutage(t *testing.T) {
	w := newWorld(t, Options{MaxBytes: 8 << 20})
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
		if w.now < 5*minute {
			return unreachable, 5 * ms
		}
		return done(), 5 * ms
	}
	warnings, stored := 0, 0
	record := func(at time.Duration, def *eventrt.Definition, namespace string) {
		w.at(at, func() { w.recordEvent(def, namespace, fmt.Sprint(w.now, w.serial), "text") })
	}
	for second := range 300 {
		at := time.Duration(second) * time.Second
		for n := range 100 {
			record(at+time.Duration(n)*10*ms, normal, "big")
		}
		for n := range 200 {
			if (second+n)%30 == 0 {
				record(at, normal, fmt.Sprint("small-", n))
				record(at, warning, fmt.Sprint("small-", n))
				warnings++
			}
		}
		record(at, warning, "big")
		warnings++
	}
	answer := w.answer
	w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
		a, after := answer(write)
		if a.Outcome == sink.Done && write.Type == eventrt.Warning {
			stored++
		}
		return a, after
	}
	w.run(20 * minute)
	if s := w.c.Stats(); stored != warnings || s.Lost.Evicted == 0 || s.Pending > 0 {
		t.Errorf("%d of %d Warnings are stored: %+v", stored, warnings, s)
	}
}

// TestAShrunkBound holds again without anybody recording, and no call evicts more than a few
// events.
func TestAShrunkBound(t *testing.T) {
	r := newRig(t, Options{MaxBytes: 64 << 20})
	for n := range 40_000 {
		e := about(fmt.Sprint("o-", n), normal, "x")
		r.c.Observe(&e, r.now)
	}
	r.c.SetMaxBytes(1 << 20)
	before, calls := r.c.Stats().Identities, 0
	for wake := time.Duration(0); wake <= r.now.Mono; calls++ {
		var w sink.Write
		_, wake = r.c.Next(r.now, &w)
		if after := r.c.Stats().Identities; before-after > dispatch.MostAtOnce {
			t.Fatalf("one call evicts %d events", before-after)
		}
		before = r.c.Stats().Identities
	}
	r.check()
	if s := r.c.Stats(); s.Bytes > 1<<20 || s.Bytes < 1<<19 || calls > 40_000/dispatch.MostAtOnce+2*tuning.Defaults.MaxInFlight {
		t.Errorf("after %d calls: %+v", calls, s)
	}
}
