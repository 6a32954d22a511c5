package correlator

import (
	"fmt"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/sink"
)

// outages are the answers of a server that is away.
var outages = map[string]func() (sink.Answer, time.Duration){
	"refused": func() (sink.Answer, time.Duration) { return unreachable, 5 * ms },
	"503":     func() (sink.Answer, time.Duration) { return fails(sink.ScopeServer), 5 * ms },
	"500":     func() (sink.Answer, time.Duration) { return fails(sink.ScopeUnknown), 5 * ms },
	"hangs":   hangs,
}

// awayBetween makes a world whose server is away between two moments. Calls that hang then come
// back late, even if the server is there again.
func awayBetween(t *testing.T, from, to time.Duration, answer func() (sink.Answer, time.Duration)) *world {
	w := newWorld(t, Options{})
	w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
		if w.now >= from && w.now < to {
			return answer()
		}
		return done(), 5 * ms
	}
	return w
}

// TestAnOutage costs about a call a second, loses nothing, and its end is noticed soon.
func TestAnOutage(t *testing.T) {
	const onset = 10 * time.Second
	for name, answer := range outages {
		for _, c := range []struct{ namespaces, objects int }{{1, 1}, {1, 50}, {200, 1}, {2000, 1}} {
			for _, lasts := range []time.Duration{3 * time.Minute, time.Hour} {
				t.Run(fmt.Sprint(c.namespaces, "x", c.objects, " ", name, " for ", lasts), func(t *testing.T) {
					end := onset + lasts + 700*ms
					w := awayBetween(t, onset, end, answer)
					for n := range c.namespaces {
						w.recordAt(time.Second, fmt.Sprint("ns-", n), c.objects)
						w.recordAt(12*time.Second, fmt.Sprint("ns-", n), c.objects)
						w.recordAt(60*time.Second+time.Duration(n)*10*ms, fmt.Sprint("ns-", n), c.objects)
					}
					w.run(end + time.Minute)
					w.expectNothingLost(3 * c.namespaces * c.objects)
					failed, noticed := w.failedIn(0, clock.Never), clock.Never
					for _, call := range w.calls {
						if call.outcome == sink.Done && call.ended > end {
							noticed = min(noticed, call.ended-end)
						}
					}
					t.Logf("%d failed calls, %.2f a second, noticed after %v, all written after %v", failed, float64(failed)/lasts.Seconds(), noticed, w.calls[len(w.calls)-1].ended-end)
					most := 2 * time.Second
					if name == "hangs" {
						most = 12 * time.Second
					}
					if float64(failed) > 1.2*lasts.Seconds() || noticed > most {
						t.Errorf("%d failed calls in %v, its end was noticed after %v", failed, lasts, noticed)
					}
				})
			}
		}
	}
}

// TestAStormUnderLoad: calls that began before the storm succeed while others fail already. They
// must not decide which write goes next.
func TestAStormUnderLoad(t *testing.T) {
	for _, scope := range []sink.Scope{sink.ScopeUnknown, sink.ScopeServer} {
		for range 20 {
			w := newWorld(t, Options{})
			w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
				if w.now >= 10*time.Second {
					return fails(scope), ms
				}
				return done(), time.Duration(5+w.rng.IntN(75)) * ms
			}
			for n := range 1000 {
				w.recordAt(9*time.Second+time.Duration(n)*2500*time.Microsecond, fmt.Sprint("ns-", n%3), 1)
			}
			w.run(11500 * ms)
			if failed := w.failedIn(0, clock.Never); failed > 24 {
				t.Errorf("scope %v: %d calls failed in 1.5 s", scope, failed)
			}
		}
	}
}

// TestShutdownAfterAnOutage: a server that was away for 40 s is back shortly before Shutdown ends.
func TestShutdownAfterAnOutage(t *testing.T) {
	for name, answer := range outages {
		for _, c := range []struct{ namespaces, objects int }{{1, 200}, {200, 1}} {
			for _, limit := range []time.Duration{10 * time.Second, 30 * time.Second, time.Minute} {
				before := 1500 * ms
				if name == "hangs" {
					before = 3 * time.Second
				}
				for back := before; back < limit; back += 700 * ms {
					w := awayBetween(t, 10*time.Second, 50*time.Second+limit-back, answer)
					for n := range c.namespaces {
						w.recordAt(5*time.Second, fmt.Sprint("ns-", n), 1)
						w.recordAt(15*time.Second, fmt.Sprint("ns-", n), c.objects)
					}
					w.drain(50*time.Second, 50*time.Second+limit)
					w.run(50*time.Second + limit)
					if s := w.c.Stats(); s.Pending > 0 {
						t.Errorf("%s %dx%d Shutdown(%v), back %v before its end: %d are pending", name, c.namespaces, c.objects, limit, back, s.Pending)
					}
				}
			}
		}
	}
}

// TestHalfOfAllCallsFail at random: everything is written in the end, and nothing steps aside.
func TestHalfOfAllCallsFail(t *testing.T) {
	for _, namespaces := range []int{1, 10, 200} {
		t.Run(fmt.Sprint(namespaces), func(t *testing.T) {
			w := newWorld(t, Options{})
			w.answer = func(*sink.Write) (sink.Answer, time.Duration) {
				if w.rng.IntN(2) == 0 {
					return fails(sink.ScopeUnknown), 5 * ms
				}
				return done(), 5 * ms
			}
			for n := range 1000 {
				w.recordAt(time.Duration(n)*20*ms, fmt.Sprint("ns-", n%namespaces), 1)
			}
			w.run(5 * time.Minute)
			w.expectNothingLost(1000)
			for _, note := range w.notes {
				if note.Type == notice.SteppedAside {
					t.Error("an event stepped aside")
				}
			}
			sum, worst := time.Duration(0), time.Duration(0)
			for _, s := range w.stored {
				sum += s.after
				worst = max(worst, s.after)
			}
			mean := sum / time.Duration(len(w.stored))
			t.Logf("half %d: mean %v, worst %v", namespaces, mean, worst)
			if mean > 4*time.Second || worst > 45*time.Second {
				t.Errorf("events waited for %v in the mean, at most for %v", mean, worst)
			}
		})
	}
}
