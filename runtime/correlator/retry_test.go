package correlator

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/internal/tuning"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestAnEventThatIsNeverTakenStepsAside after five tries, and 30 s. The next event of its object
// goes, and its own tries go on, a minute apart at most.
func TestAnEventThatIsNeverTakenStepsAside(t *testing.T) {
	for delay, aside := range map[time.Duration]time.Duration{0: 35 * time.Second, 20 * time.Second: 80 * time.Second} {
		r := newRig(t, Options{tuning: tuning.Tuning{RetryDelay: delay, MaxRetryDelay: delay}})
		r.record(about("a", normal, "bad"), about("a", normal, "good"))
		var tries []time.Duration
		var notes []notice.Notice
		good := time.Duration(-1)
		for ; r.now.Mono < 260*minute; r.pass(time.Second) {
			for w := (sink.Write{}); ; {
				ok, _ := r.c.Next(r.now, &w)
				if !ok {
					break
				}
				a := fails(sink.ScopeObject)
				if string(w.Note) == "good" {
					good, a = r.now.Mono, done()
				} else {
					tries = append(tries, r.now.Mono)
				}
				notes = append(notes, r.c.Done(&w, a, r.now)...)
				r.check()
			}
		}
		if good != aside || len(notes) != 1 || notes[0].Type != notice.SteppedAside || r.c.Stats().Failing != 1 {
			t.Errorf("delays of %v: the next was written at %v, %v, %d are aside", delay, good, notes, r.c.Stats().Failing)
		}
		for n := 12; n < len(tries); n++ {
			if gap := tries[n] - tries[n-1]; gap != minute {
				t.Errorf("delays of %v: tries %d and the one before are %v apart", delay, n, gap)
			}
		}
		r.pass(minute)
		r.ok(r.next())
		if s := r.c.Stats(); s.Failing != 0 || s.Pending != 0 {
			t.Errorf("in the end: %+v", s)
		}
	}
}

func TestRetriesSlowDown(t *testing.T) {
	tests := []struct {
		name string
		opts Options
		want []time.Duration
	}{
		{"defaults", Options{}, seconds(1, 2, 4, 8, 10, 10, 10)},
		{"others", Options{tuning: tuning.Tuning{RetryDelay: 3 * time.Second, MaxRetryDelay: 15 * time.Second}}, seconds(3, 6, 12, 15, 15)},
		{"a delay beyond the most", Options{tuning: tuning.Tuning{RetryDelay: minute}}, seconds(10, 10)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, tt.opts)
			e := about("job", normal, "x")
			r.record(e)
			// an answer starts the delays anew, though more is pending by then
			for _, end := range []sink.Outcome{sink.Refused, sink.Done, sink.Done} {
				w := r.next()
				for _, d := range tt.want {
					r.done(w, fails(sink.ScopeObject))
					w = r.nextIn(d)
				}
				r.record(e)
				r.done(w, answer(end))
				r.pass(time.Hour)
			}
		})
	}
}

// TestShutdownTriesAgainSoon while other calls succeed: half of all calls fail, or their answers
// get lost.
func TestShutdownTriesAgainSoon(t *testing.T) {
	for _, lost := range []bool{false, true, false, true, false, true} {
		w := newWorld(t, Options{})
		stored := map[string]*corev1.Event{}
		w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
			// if none of the first calls succeeds, this is an outage
			fault := w.now > time.Second && w.rng.IntN(2) == 0
			switch {
			case fault && !lost:
				return fails(sink.ScopeUnknown), 5 * ms
			case write.Operation == sink.Read && !fault:
				return apiserver.Read(stored[write.Name]), 5 * ms
			case write.Operation == sink.Create && stored[write.Name] != nil && !fault:
				return sink.Answer{Outcome: sink.Exists, Mark: 1}, 5 * ms
			}
			if stored[write.Name] == nil {
				stored[write.Name] = form.Core(write)
			}
			if fault {
				return fails(sink.ScopeServer), 5 * ms
			}
			return done(), 5 * ms
		}
		for n := range 300 {
			w.at(time.Duration(n)*25*ms, func() { w.record("prod", fmt.Sprint("o-", n%30), fmt.Sprint("text ", n/30)) })
		}
		w.run(7500 * ms)
		before := w.c.Stats().Written
		w.drain(w.now, clock.Never)
		w.run(7500*ms + 20*time.Second) // with delays of up to 10 s it takes more than a minute
		last := w.calls[len(w.calls)-1].ended - 7500*ms
		t.Logf("lost answers %t: %d of 300 are written before, the last after %v", lost, before, last)
		w.expectNothingLost(300)
	}
}

// TestNoAnswerIsAskedForWithoutEnd: creates, updates and reads each get one answer for ever, in
// every mixture. No event is written in a loop without a pause.
func TestNoAnswerIsAskedForWithoutEnd(t *testing.T) {
	answers := map[string]sink.Answer{
		"done": done(), "conflict": {Outcome: sink.Retry, Conflict: true, Scope: sink.ScopeWrite}, "fails": fails(sink.ScopeObject),
		"gone": {Outcome: sink.Gone}, "exists": {Outcome: sink.Exists}, "quiet": gone(), "forbidden": forbidden(),
		"refused": {Outcome: sink.Refused, Scope: sink.ScopeObject}, "invalid": {Outcome: sink.Refused, Scope: sink.ScopeWrite, Invalid: true},
	}
	rng := newRand(t)
	for _, identity := range []Identity{Instance, Unique} {
		for create, toCreate := range answers {
			for update, toUpdate := range answers {
				for read, toRead := range answers {
					// a read that is done returns nothing, this event, or another one
					for stored := range 3 {
						if stored > 0 && read != "done" {
							continue
						}
						w := drawnWorld(t, Options{}, rng, writerOptions{Identity: identity, Tag: 1})
						w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
							switch write.Operation {
							case sink.Create:
								return toCreate, 5 * ms
							case sink.Update:
								return toUpdate, 5 * ms
							}
							a := toRead
							if stored > 0 {
								a.Stored = &corev1.Event{Count: 1, InvolvedObject: write.Regarding, Reason: write.Reason, Type: write.Type, Action: write.Action, ReportingController: write.ReportingController, ReportingInstance: write.ReportingInstance}
								if stored == 2 {
									a.Stored.Reason = "Foreign"
								}
							}
							return a, 5 * ms
						}
						for n := range 60 {
							w.at(time.Duration(n)*time.Second, func() { w.record("prod", "o", "same") })
						}
						w.run(10 * minute)
						if len(w.calls) > 10*40 {
							t.Errorf("%v: creates %s, updates %s, reads %s (%d): %d calls", identity, create, update, read, stored, len(w.calls))
						}
					}
				}
			}
		}
	}
}

// TestOneEventInAnOutage is tried each second, too.
func TestOneEventInAnOutage(t *testing.T) {
	const back = 100700 * ms
	w := awayBetween(t, 0, back, outages["refused"])
	w.recordAt(12*time.Second, "prod", 1)
	w.run(back + 2*time.Second)
	w.expectNothingLost(1)
}
