package correlator

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/runtime"
)

var (
	awayAnswer = runtime.Answer{Outcome: runtime.Retry}
	hereAnswer = runtime.Answer{Outcome: runtime.Done}
)

// closedGate is a gate that closed at time 0.
func closedGate(g Gate) *Gate {
	for range 3 {
		g.Report(false, awayAnswer, 0)
	}
	return &g
}

func TestTheGateClosesAfterThreeFailuresInARow(t *testing.T) {
	var g Gate
	report := func(a runtime.Answer, closed bool) {
		t.Helper()
		if probe, ok := g.Pass(0); probe || !ok {
			t.Fatalf("an open gate: probe %v, passes %v", probe, ok)
		}
		g.Report(false, a, 0)
		if g.Closed() != closed {
			t.Fatalf("closed: %v", g.Closed())
		}
	}
	report(awayAnswer, false)
	report(awayAnswer, false)
	report(hereAnswer, false)
	report(awayAnswer, false)
	report(awayAnswer, false)
	report(awayAnswer, true)
	if _, ok := g.Pass(0); ok {
		t.Error("a closed gate lets a write pass")
	}
}

func TestOnlyAwayAnswersCloseTheGate(t *testing.T) {
	answers := []runtime.Answer{
		{Outcome: runtime.Done}, {Outcome: runtime.Gone}, {Outcome: runtime.Exists}, {Outcome: runtime.RefusedQuietly},
		{Outcome: runtime.Forbidden}, {Outcome: runtime.Refused}, {Outcome: runtime.Retry, Conflict: true},
	}
	for _, a := range answers {
		var g Gate
		g.Report(false, awayAnswer, 0)
		g.Report(false, awayAnswer, 0)
		g.Report(false, a, 0)
		g.Report(false, awayAnswer, 0)
		if g.Closed() {
			t.Errorf("%v does not interrupt the row", a)
		}
		c := closedGate(Gate{})
		c.Report(false, a, 0)
		if c.Closed() {
			t.Errorf("%v leaves the gate closed", a)
		}
		for range 10 {
			g.Report(false, a, 0)
		}
		if g.Closed() {
			t.Errorf("%v closes the gate", a)
		}
	}
}

func TestARetryAfterClosesTheGateAtOnce(t *testing.T) {
	for after, want := range map[time.Duration]time.Duration{
		time.Millisecond: time.Second, 7 * time.Second: 7 * time.Second, 24 * time.Hour: 5 * minute, math.MaxInt64: 5 * minute,
	} {
		var g Gate
		g.Report(false, runtime.Answer{Outcome: runtime.Retry, RetryAfter: after}, minute)
		if at, ok := g.Wake(); !g.Closed() || !ok || at != minute+want {
			t.Errorf("%v: closed %v, probe at %v, want %v", after, g.Closed(), at-minute, want)
		}
	}
}

func TestOneProbeAtATime(t *testing.T) {
	g := closedGate(Gate{})
	if _, ok := g.Pass(time.Second - 1); ok {
		t.Error("a probe before its time")
	}
	if probe, ok := g.Pass(time.Second); !probe || !ok {
		t.Fatalf("probe %v, passes %v", probe, ok)
	}
	if _, ok := g.Pass(time.Hour); ok {
		t.Error("a second probe")
	}
	if _, ok := g.Wake(); ok {
		t.Error("wakes while a probe is out")
	}
	g.Unused(false) // another's
	if _, ok := g.Pass(time.Hour); ok {
		t.Error("a second probe after a pass that was none was taken back")
	}
	g.Unused(true)
	if probe, ok := g.Pass(time.Hour); !probe || !ok {
		t.Error("no probe after one was taken back")
	}
}

func TestProbesSlowDown(t *testing.T) {
	tests := []struct {
		name string
		gate Gate
		want []time.Duration
	}{
		{"defaults", Gate{}, seconds(1, 2, 4, 8, 10, 10)},
		{"others", Gate{Delay: 3 * time.Second, MaxDelay: minute}, seconds(3, 6, 12, 24, 48, 60, 60)},
		{"a delay beyond the most", Gate{Delay: minute, MaxDelay: time.Second}, seconds(1, 1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := closedGate(tt.gate)
			for round := range 2 { // the second after it had opened
				var now time.Duration
				var got []time.Duration
				for range tt.want {
					at, ok := g.Wake()
					if !ok {
						t.Fatal("no probe is wanted")
					}
					got, now = append(got, at-now), at
					g.Pass(now)
					g.Report(true, awayAnswer, now)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("round %d: %s", round, diff)
				}
				at, _ := g.Wake()
				g.Pass(at)
				g.Report(true, hereAnswer, at)
				if g.Closed() {
					t.Fatal("a good answer leaves the gate closed")
				}
				for range 3 {
					g.Report(false, awayAnswer, 0)
				}
			}
		})
	}
}

func TestProbesWithoutEndKeepTheirDelay(t *testing.T) {
	g := closedGate(Gate{Delay: 1, MaxDelay: time.Hour})
	for now := time.Duration(0); now < 1000*time.Hour; {
		at, _ := g.Wake()
		if at <= now || at > now+time.Hour {
			t.Fatalf("at %v the next probe is due at %v", now, at)
		}
		now = at
		g.Pass(now)
		g.Report(true, awayAnswer, now)
	}
}

func TestStragglersDoNotDelayTheProbe(t *testing.T) {
	g := closedGate(Gate{})
	before, _ := g.Wake()
	for range 10 { // writes that had passed before it closed
		g.Report(false, runtime.Answer{Outcome: runtime.Retry, RetryAfter: minute}, time.Millisecond)
	}
	if at, ok := g.Wake(); !ok || at != before {
		t.Errorf("the probe is due at %v, was %v", at, before)
	}
}

func TestAStragglersGoodAnswerOpensTheGate(t *testing.T) {
	g := closedGate(Gate{})
	g.Pass(time.Second)
	g.Report(false, hereAnswer, time.Second)
	if probe, ok := g.Pass(time.Second); probe || !ok {
		t.Errorf("probe %v, passes %v", probe, ok)
	}
}
