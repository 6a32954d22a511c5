package correlator

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

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
	r.done(r.nextIn(15*minute), sink.Answer{Outcome: sink.Refused})
	if w := r.nextIn(15 * minute); w.Count != 1 { // in an event of its own
		t.Errorf("%s", summary(w))
	}
}

func TestShutdownLiftsTheInterval(t *testing.T) {
	r := newRig(t, Options{})
	e := about("job", rare(15*minute), "noise")
	r.record(e)
	r.ok(r.next())
	r.record(e)
	w := r.nextIn(15 * minute)
	r.record(e)
	r.c.Drain(r.now, Never)
	r.ok(w)
	if w := r.next(); w.Count != 3 {
		t.Errorf("%s", summary(w))
	}
}

func TestEventsWithAnIntervalHaveLimitsOfTheirOwn(t *testing.T) {
	r := newRig(t, Options{Threshold: 1})
	defs := []*eventrt.Definition{rare(minute), rare(2 * minute), testDefinition("Rare", eventrt.Normal), testDefinition("Rare", eventrt.Normal)}
	for n, def := range defs {
		def.Action = fmt.Sprint("Act", n)
		r.record(distinct("job", def, 0, 3)...)
	}
	writes := map[bool]int{}
	for _, w := range r.writeAll() {
		writes[w.Aggregate]++
	}
	// The last two share what the first two have alone.
	if want := (map[bool]int{false: 3, true: 3}); !cmp.Equal(writes, want) {
		t.Errorf("writes, by whether they are aggregates: %v, want %v", writes, want)
	}
	r.record(distinct("job", defs[0], 5, 2)...)
	if w := r.nextIn(minute); !w.Aggregate || w.Count != 4 {
		t.Errorf("%s", summary(w))
	}
}
