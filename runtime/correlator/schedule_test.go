package correlator

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	eventrt "github.com/event-gen/event-gen/runtime"
	testseed "github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
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
		{"another first interval", Options{tuning: tuning.Tuning{FirstInterval: 10 * time.Second}}, 20 * minute, seconds(0, 10, 30, 70, 150, 310, 610, 910)},
		{"another cap", Options{MaxInterval: 3 * time.Second}, 15 * time.Second, seconds(0, 1, 3, 6, 9, 12, 15)},
		{"a first interval beyond the cap", Options{MaxInterval: 10 * time.Second, tuning: tuning.Tuning{FirstInterval: minute}}, 30 * time.Second, seconds(0, 10, 20, 30)},
		{"events that expire soon", Options{EventTTL: 20 * time.Second}, 40 * time.Second, seconds(0, 1, 3, 7, 15, 24, 33)},
		{"events that never expire", Options{EventTTL: math.MaxInt64}, 2 * time.Second, seconds(0, 1)},
		{"events that expire after 36 years", Options{EventTTL: 1 << 60}, 2 * time.Second, seconds(0, 1)},
		{"an interval that can't double", Options{MaxInterval: 7 * time.Second, tuning: tuning.Tuning{FirstInterval: math.MaxInt64}}, 20 * time.Second, seconds(0, 7, 14)},
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
		c := newCorrelator(Options{EventTTL: duration("ttl"), MaxInterval: duration("max"), tuning: tuning.Tuning{FirstInterval: duration("first")}})
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
		// oldest is the time of the first unwritten occurrence
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

// TestTimesOfAWrite: a past time becomes the time of the occurrence, within a second as well. A
// future or impossible time counts as now. Writes begin a second after each occurrence.
func TestTimesOfAWrite(t *testing.T) {
	ago := func(d time.Duration) func(time.Time) time.Time {
		return func(now time.Time) time.Time { return now.Add(-d) }
	}
	isNow := func(now time.Time) time.Time { return now }
	at := func(at time.Time) func(time.Time) time.Time { return func(time.Time) time.Time { return at } }
	for n, c := range []struct{ given, want func(now time.Time) time.Time }{
		{ago(ms), ago(ms)}, {ago(700 * ms), ago(700 * ms)}, {ago(10 * time.Second), ago(10 * time.Second)},
		{ago(-ms), isNow}, {ago(-time.Hour), isNow},
		{at(time.Unix(-5, 0)), isNow}, {at(time.Unix(0, 0)), isNow}, {at(time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC)), isNow},
		{at(time.Unix(math.MaxInt64, 0)), isNow}, {at(time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC)), isNow},
	} {
		r := newRig(t, Options{})
		r.now.Wall = r.now.Wall.Add(900 * ms)
		first := c.want(r.now.Wall)
		for range 2 {
			e, last := about("job", normal, "x"), c.want(r.now.Wall)
			internals.SetTime(&e, c.given(r.now.Wall))
			r.c.Observe(&e, r.now)
			r.pass(time.Second)
			w := r.next()
			if w.Operation == sink.Create && !w.First.Equal(first) || !w.Last.Equal(last) {
				t.Errorf("%d: %s: first %v, last %v; expected %v and %v", n, describe(w), w.First, w.Last, first, last)
			}
			r.ok(w)
		}
	}
}

// TestAnOccurrenceKeepsItsTime until its later write, though the clock was ahead at the occurrence
// before it, and though an occurrence with an earlier date follows.
func TestAnOccurrenceKeepsItsTime(t *testing.T) {
	r := newRig(t, Options{})
	e := about("a", normal, "x")
	first := r.now.Wall
	r.record(e)
	r.ok(r.next())
	r.now.Wall = r.now.Wall.Add(2 * time.Hour)
	r.record(e)
	r.now.Wall = r.now.Wall.Add(-2 * time.Hour)
	r.pass(300 * ms)
	r.record(e)
	last := r.now.Wall
	internals.SetTime(&e, first.Add(-time.Hour))
	r.c.Observe(&e, r.now)
	if w := r.nextIn(700 * ms); !w.First.Equal(first) || !w.Last.Equal(last) {
		t.Errorf("first %v, last %v, expected %v and %v; now is %v", w.First, w.Last, first, last, r.now.Wall)
	}
}

// rare is an event with an interval of its own.
func rare(interval time.Duration) *eventrt.Definition {
	def := testDefinition("Rare", eventrt.Normal)
	def.Correlation.Interval = interval
	return def
}

func TestIntervalKeepsWritesApart(t *testing.T) {
	tests := []struct {
		name     string
		opts     Options
		interval time.Duration
		every    time.Duration
		lasting  time.Duration
		want     []time.Duration
	}{
		{"constant noise", Options{}, 15 * minute, time.Second, 46 * minute, seconds(0, 900, 1800, 2700)},
		{"a pause beyond the window", Options{}, 15 * minute, 11 * minute, 44 * minute, seconds(0, 1320, 2640)},
		{"a pause beyond the interval", Options{}, 15 * minute, 16 * minute, 50 * minute, seconds(0, 960, 1920, 2880)},
		{"a pause of just the interval", Options{}, 15 * minute, 15 * minute, 45 * minute, seconds(0, 900, 1800, 2700)},
		{"shorter than the schedule's last step", Options{}, minute, time.Second, 3 * minute, seconds(0, 60, 120, 180)},
		{"beyond half of the event's time", Options{EventTTL: 20 * minute}, 15 * minute, time.Second, 25 * minute, seconds(0, 600, 1200)},
		{"just half of the event's time", Options{EventTTL: 30 * minute}, 15 * minute, time.Second, 31 * minute, seconds(0, 900, 1800)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := newRig(t, tt.opts).noise(about("job", rare(tt.interval), "noise"), tt.every, tt.lasting)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestARetryDoesNotWaitForTheInterval(t *testing.T) {
	r := newRig(t, Options{})
	e := about("job", rare(15*minute), "noise")
	r.record(e)
	r.done(r.next(), sink.Answer{Outcome: sink.Retry})
	r.ok(r.nextIn(time.Second))
	r.record(e)
	r.done(r.nextIn(15*minute), sink.Answer{Outcome: sink.Gone}) // since the retry began
	r.ok(r.next())
	r.record(e)
	r.done(r.nextIn(15*minute), sink.Answer{Outcome: sink.Refused, Invalid: true})
	if w := r.next(); w.Count != 1 { // in an event of its own
		t.Errorf("%s", summary(w))
	}
}
