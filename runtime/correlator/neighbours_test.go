package correlator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime/sink"
)

// sicknesses are what a server may answer to the writes into some of its namespaces.
var sicknesses = map[string]func() (sink.Answer, time.Duration){
	"hangs":          hangs,
	"500 after 5 ms": func() (sink.Answer, time.Duration) { return fails(sink.ScopeUnknown), 5 * ms },
	"500 after 1 s":  func() (sink.Answer, time.Duration) { return fails(sink.ScopeUnknown), time.Second },
	"503":            func() (sink.Answer, time.Duration) { return fails(sink.ScopeServer), 5 * ms },
	"webhook":        func() (sink.Answer, time.Duration) { return fails(sink.ScopeNamespace), 5 * ms },
	"403":            func() (sink.Answer, time.Duration) { return forbidden(), 5 * ms },
	"404":            func() (sink.Answer, time.Duration) { return gone(), 5 * ms },
	"429":            func() (sink.Answer, time.Duration) { return limitedTo(sink.ScopeNamespace), 5 * ms },
}

func limitedTo(scope sink.Scope) sink.Answer {
	return sink.Answer{Outcome: sink.Retry, Scope: scope, Limited: true, RetryAfter: 600 * time.Second, Err: fmt.Errorf("429")}
}

// neighbours runs a server on which n namespaces are sick from onset to recovery, and three kinds
// of healthy ones: busy, rare, and new ones every two seconds.
func neighbours(t *testing.T, n int, spread bool, sick func(time.Duration) bool, answer func() (sink.Answer, time.Duration)) *world {
	w := newWorld(t, Options{})
	w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
		if strings.HasPrefix(write.Namespace, "sick") {
			var number int
			fmt.Sscanf(write.Namespace, "sick-%d", &number)
			at := w.now
			if spread {
				at -= time.Duration(number) * time.Second / time.Duration(n)
			}
			if sick(at) {
				return answer()
			}
		}
		return done(), 5 * ms
	}
	for half := range 2 * 160 {
		at := time.Duration(half) * 500 * ms
		for b := range n {
			w.recordAt(at+time.Duration(b)*500*ms/time.Duration(n), fmt.Sprint("sick-", b), 1)
		}
		w.recordAt(at+100*ms, "busy", 2)
		if half%30 == 5 {
			w.recordAt(at+200*ms, "rare", 1)
		}
		if half%4 == 0 {
			w.recordAt(at+300*ms, fmt.Sprint("new-", half), 1)
		}
	}
	w.run(300 * time.Second)
	return w
}

const (
	onset    = 10 * time.Second
	recovery = 150 * time.Second
)

func TestNeighbours(t *testing.T) {
	for name, answer := range sicknesses {
		for _, n := range []int{1, 5, 40, 400} {
			for _, spread := range []bool{false, true} {
				t.Run(fmt.Sprint(name, "/", n, "/spread ", spread), func(t *testing.T) {
					if n == 400 && testing.Short() {
						t.Skip()
					}
					w := neighbours(t, n, spread, func(at time.Duration) bool { return at >= onset && at < recovery }, answer)
					first, later := w.longestWaits(onset + 60*time.Second)
					rate := float64(w.failedIn(onset, recovery)) / (recovery - onset).Seconds()
					var rec time.Duration
					for _, s := range w.stored {
						if s.at+s.after > recovery {
							rec = max(rec, s.at+s.after-recovery)
						}
					}
					_ = rec
					t.Logf("ROW %-16s %3d spread %-5t: first minute %6.1f s, later %6.1f s, failed %5.1f a second recovered after %v", name, n, spread, first.Seconds(), later.Seconds(), rate, rec)
					most := 5 * time.Second
					if n == 400 {
						most = 50 * time.Second
						if name == "500 after 1 s" {
							most = 70 * time.Second
						}
					}
					if first > most || later > 5*time.Second || rate > 14 {
						t.Errorf("first minute %v, later %v, failed calls %v a second", first, later, rate)
					}
				})
			}
		}
	}
}

func TestNeighboursThatFlap(t *testing.T) {
	for name, answer := range sicknesses {
		for _, n := range []int{1, 5, 40, 400} {
			t.Run(fmt.Sprint(name, "/", n), func(t *testing.T) {
				if n == 400 && testing.Short() {
					t.Skip()
				}
				w := neighbours(t, n, false, func(at time.Duration) bool { return at >= onset && at < recovery && at/(5*time.Second)%2 == 0 }, answer)
				first, later := w.longestWaits(onset + 60*time.Second)
				rate := float64(w.failedIn(onset, recovery)) / (recovery - onset).Seconds()
				t.Logf("ROW %-16s %3d flaps: first minute %6.1f s, later %6.1f s, failed %5.1f a second", name, n, first.Seconds(), later.Seconds(), rate)
				if first > 8*time.Second || later > 8*time.Second || rate > 14 {
					t.Errorf("first minute %v, later %v, failed calls %v a second", first, later, rate)
				}
			})
		}
	}
}

// longestWaits returns the longest waits of events of healthy namespaces, those recorded before a
// moment and those from then on. What is not stored waits until now.
func (w *world) longestWaits(border time.Duration) (before, after time.Duration) {
	note := func(at, wait time.Duration) {
		if at < border {
			before = max(before, wait)
		} else {
			after = max(after, wait)
		}
	}
	for _, s := range w.stored {
		if !strings.HasPrefix(s.namespace, "sick") {
			note(s.at, s.after)
		}
	}
	for key, at := range w.recorded {
		if !strings.HasPrefix(key, "sick") {
			note(at, w.now-at)
		}
	}
	return before, after
}
