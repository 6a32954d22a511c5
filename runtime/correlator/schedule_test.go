package correlator

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	eventrt "github.com/event-gen/event-gen/runtime"
	testseed "github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/sink"
)

const minute = time.Minute

// noise records one event every so often for a while, answers each write at once, and returns when
// writes began.
func (r *rig) noise(e eventrt.Event, every, lasting time.Duration) (writes []time.Duration) {
	r.t.Helper()
	for end := r.now.Mono + lasting; r.now.Mono <= end; r.pass(every) {
		r.record(e)
		for range r.writeAll() {
			writes = append(writes, r.now.Mono)
		}
	}
	return writes
}

func seconds(n ...int) (d []time.Duration) {
	for _, s := range n {
		d = append(d, time.Duration(s)*time.Second)
	}
	return d
}

func TestConstantNoiseIsWrittenOnSchedule(t *testing.T) {
	tests := []struct {
		name    string
		opts    Options
		lasting time.Duration
		want    []time.Duration
	}{
		{"defaults", Options{}, 30 * minute, seconds(0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811, 1111, 1411, 1711)},
		{"another first interval", Options{FirstInterval: 10 * time.Second}, 20 * minute, seconds(0, 10, 30, 70, 150, 310, 610, 910)},
		{"another cap", Options{MaxInterval: 3 * time.Second}, 15 * time.Second, seconds(0, 1, 3, 6, 9, 12, 15)},
		{"a first interval beyond the cap", Options{FirstInterval: minute, MaxInterval: 10 * time.Second}, 30 * time.Second, seconds(0, 10, 20, 30)},
		{"events that expire soon", Options{EventTTL: 20 * time.Second}, 40 * time.Second, seconds(0, 1, 3, 7, 15, 24, 33)},
		{"events that never expire", Options{EventTTL: math.MaxInt64}, 2 * time.Second, seconds(0, 1)},
		{"events that expire after 36 years", Options{EventTTL: 1 << 60}, 2 * time.Second, seconds(0, 1)},
		{"an interval that can't double", Options{FirstInterval: math.MaxInt64, MaxInterval: 7 * time.Second}, 20 * time.Second, seconds(0, 7, 14)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := newRig(t, tt.opts).noise(about("job", normal, "noise"), 100*time.Millisecond, tt.lasting)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheIntervalStaysUnderHalfOfTheEventsTime(t *testing.T) {
	testseed.Check(t, func(t *rapid.T) {
		duration := func(label string) time.Duration {
			return time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, label))
		}
		c := newCorrelator(Options{EventTTL: duration("ttl"), FirstInterval: duration("first"), MaxInterval: duration("max")})
		before := time.Duration(0)
		for step := range 256 {
			d := c.intervalOf(&record{def: normal, step: uint8(step)})
			if d < before || d > c.opts.EventTTL/2 || d > c.opts.MaxInterval {
				t.Fatalf("step %d: %v after %v, with %+v", step, d, before, c.opts)
			}
			before = d
		}
	})
}

// TestNoiseOfAnyKindKeepsTheSchedule holds the number of writes and the staleness, whatever the
// pattern of an event that is never quiet for its window.
func TestNoiseOfAnyKindKeepsTheSchedule(t *testing.T) {
	testseed.Check(t, func(rt *rapid.T) {
		r := newRig(t, Options{})
		gaps := rapid.SliceOfN(rapid.Int64Range(0, int64(4*minute)), 1, 200).Draw(rt, "gaps")
		// oldest is when the first occurrence came that is not written
		writes, oldest := 0, time.Duration(-1)
		write := func() {
			for range r.writeAll() {
				writes++
				if wait := r.now.Mono - oldest; oldest >= 0 && wait > 5*minute {
					rt.Fatalf("an occurrence waited for %v", wait)
				}
				oldest = -1
			}
		}
		for _, gap := range gaps {
			r.record(about("job", normal, "noise"))
			if oldest < 0 {
				oldest = r.now.Mono
			}
			write()
			next := r.now.Mono + time.Duration(gap)
			for at, ok := r.wake(); ok && at <= next; at, ok = r.wake() {
				r.pass(at - r.now.Mono)
				write()
			}
			r.pass(next - r.now.Mono)
		}
		if most := 11 + int(r.now.Mono/(5*minute)); writes > most {
			rt.Fatalf("%d writes in %v, at most %d may be", writes, r.now.Mono, most)
		}
	})
}

func TestAQuietWindowResetsTheSchedule(t *testing.T) {
	short := testDefinition("Short", eventrt.Normal)
	short.Correlation.Window = minute
	tests := []struct {
		name  string
		def   *eventrt.Definition
		quiet time.Duration
		// of the writes after it, counted from the first occurrence; the interval was 128 s
		want []time.Duration
	}{
		{"longer than the window", normal, 10*minute + 1, seconds(0, 1, 3)},
		{"just the window", normal, 10 * minute, seconds(0)},
		{"longer than the spec's window", short, minute + 1, seconds(0, 1, 3)},
		{"just the spec's window", short, minute, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, Options{})
			e := about("job", tt.def, "noise")
			r.noise(e, time.Second, 127*time.Second)
			r.pass(-time.Second) // noise has passed on after its last write
			if s := r.c.Stats(); s.Pending != 0 {
				t.Fatalf("pending: %+v", s)
			}
			r.pass(tt.quiet)
			start := r.now.Mono
			var got []time.Duration
			for _, at := range r.noise(e, time.Second, 6*time.Second) {
				got = append(got, at-start)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOccurrencesInFlightWaitForTheNextTick(t *testing.T) {
	r := newRig(t, Options{})
	e := about("job", normal, "x")
	r.record(e)
	w := r.next()
	r.record(e, e, e)
	r.pass(300 * time.Millisecond)
	r.nothingDue()
	r.ok(w)
	if w := r.nextIn(700 * time.Millisecond); w.Count != 4 || w.Operation != sink.Update {
		t.Errorf("%s", summary(w))
	}
}

func TestASlowAnswerDelaysNoFurther(t *testing.T) {
	r := newRig(t, Options{})
	e := about("job", normal, "x")
	r.record(e)
	w := r.next()
	r.record(e)
	r.pass(time.Hour / 2)
	r.ok(w)
	if w := r.next(); w.Count != 2 {
		t.Errorf("%s", summary(w))
	}
}

func TestAnOccurrenceLaterThanTheIntervalIsWrittenAtOnce(t *testing.T) {
	r := newRig(t, Options{})
	e := about("job", normal, "x")
	for n := range 5 {
		r.record(e)
		if w := r.next(); int(w.Count) != n+1 {
			t.Fatalf("%s", summary(w))
		} else {
			r.ok(w)
		}
		r.nothingDue()
		r.pass(9 * minute)
	}
}

func TestTimesOfAWrite(t *testing.T) {
	r := newRig(t, Options{})
	start := r.now.Wall
	observeAt := func(at time.Time) {
		e := about("job", normal, "x")
		e.SetTime(at)
		r.record(e)
	}
	observeAt(start)
	r.ok(r.next())
	r.pass(minute)
	observeAt(start.Add(-time.Hour)) // the wall clock went back
	w := r.next()
	if !w.First.Equal(start) || !w.Last.Equal(start) {
		t.Errorf("first %v, last %v; want both %v", w.First, w.Last, start)
	}
	r.ok(w)
	r.pass(minute)
	observeAt(start.Add(2 * minute))
	if w := r.next(); !w.First.Equal(start) || !w.Last.Equal(start.Add(2*minute)) {
		t.Errorf("first %v, last %v", w.First, w.Last)
	}
}

func TestTimesThatCantBeAreTakenForNow(t *testing.T) {
	for _, at := range []time.Time{time.Unix(-5, 0), time.Unix(0, 0), time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC), time.Unix(math.MaxInt64, 0), time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC)} {
		r := newRig(t, Options{})
		e := about("job", normal, "x")
		e.SetTime(at)
		r.record(e)
		if w := r.next(); !w.First.Equal(r.now.Wall) || !w.Last.Equal(r.now.Wall) {
			t.Errorf("%v: first %v, last %v", at, w.First, w.Last)
		}
	}
}

// TestAClockThatWasAheadDatesNothingOnceItIsRight has a wall clock that is two hours ahead for a
// moment.
func TestAClockThatWasAheadDatesNothingOnceItIsRight(t *testing.T) {
	r := newRig(t, Options{})
	near := func(what string, at time.Time) {
		t.Helper()
		if d := at.Sub(r.now.Wall); d > 0 || d < -minute {
			t.Errorf("%s is %v from now", what, d)
		}
	}
	r.now.Wall = r.now.Wall.Add(2 * time.Hour)
	r.record(about("a", normal, "x"), about("waits", normal, "x"))
	r.ok(r.next())
	r.record(about("a", normal, "x"))
	r.now.Wall = r.now.Wall.Add(-2 * time.Hour)
	waits := r.next()
	near("what was recorded before, first", waits.First)
	near("what was recorded before, last", waits.Last)
	r.ok(waits)
	r.ok(r.nextIn(time.Second))
	r.pass(minute)
	r.record(about("a", normal, "x"), about("b", normal, "x"))
	for range 2 {
		w := r.next()
		near(w.Regarding.Name+", first", w.First)
		near(w.Regarding.Name+", last", w.Last)
		r.ok(w)
	}
}

// TestAnOccurrenceKeepsItsTime until its write, which comes later, though the clock was ahead when
// the occurrence before it was recorded.
func TestAnOccurrenceKeepsItsTime(t *testing.T) {
	r := newRig(t, Options{})
	e := about("a", normal, "x")
	r.record(e)
	r.ok(r.next())
	r.now.Wall = r.now.Wall.Add(2 * time.Hour)
	r.record(e)
	r.now.Wall = r.now.Wall.Add(-2 * time.Hour)
	r.pass(300 * time.Millisecond)
	r.record(e)
	last := r.now.Wall
	if w := r.nextIn(700 * time.Millisecond); !w.Last.Equal(last) {
		t.Errorf("last %v, expected %v; now is %v", w.Last, last, r.now.Wall)
	}
}

// TestAnOccurrenceOfAMomentAgo is dated to that, within a second as well.
func TestAnOccurrenceOfAMomentAgo(t *testing.T) {
	for _, ago := range []time.Duration{time.Millisecond, 700 * time.Millisecond, 10 * time.Second} {
		r := newRig(t, Options{})
		r.pass(900 * time.Millisecond)
		e := about("job", normal, "x")
		at := r.now.Wall.Add(-ago)
		e.SetTime(at)
		if p, _ := r.c.Observe(&e, r.now); p != eventrt.NoProblem {
			t.Fatal(p)
		}
		if w := r.next(); !w.First.Equal(at) || !w.Last.Equal(at) {
			t.Errorf("%v ago: first %v, last %v", ago, w.First, w.Last)
		}
	}
}

// TestAnOccurrenceIsNotAheadOfNow gives events a time to come. Their writes begin a second later.
func TestAnOccurrenceIsNotAheadOfNow(t *testing.T) {
	r := newRig(t, Options{})
	for range 2 {
		e := about("job", normal, "x")
		e.SetTime(r.now.Wall.Add(time.Hour))
		if p, _ := r.c.Observe(&e, r.now); p != eventrt.NoProblem {
			t.Fatal(p)
		}
		recorded := r.now.Wall
		r.pass(time.Second)
		w := r.next()
		if !w.Last.Equal(recorded) || w.Operation == sink.Create && !w.First.Equal(recorded) {
			t.Errorf("%s: first %v, last %v; recorded at %v", describe(w), w.First, w.Last, recorded)
		}
		r.ok(w)
	}
}
