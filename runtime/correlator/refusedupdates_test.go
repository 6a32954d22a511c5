package correlator

import (
	"fmt"
	"testing"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// updateRefusals are the ways in which a server takes creates and refuses updates. A Read is an
// empty patch, which a policy about the content lets pass.
var updateRefusals = map[string]struct {
	answer sink.Answer
	reads  bool
}{
	"no right to patch":       {answer: forbidden()},
	"a policy":                {answer: sink.Answer{Outcome: sink.Refused, Scope: sink.ScopeObject}},
	"a policy by the content": {answer: sink.Answer{Outcome: sink.Refused, Scope: sink.ScopeObject}, reads: true},
	"invalid":                 {answer: sink.Answer{Outcome: sink.Refused, Scope: sink.ScopeWrite, Invalid: true}, reads: true},
}

// refusedLife is one process that records an event each five seconds.
type refusedLife struct {
	w       *world
	creates []int // by hour
	refused []int // calls, by hour
}

// TestUpdatesAreRefusedForDays: nothing that counts as written is missing on the server, no event
// is lost, and neither creates nor calls grow with time: not by a restart, nor by a record that was
// forgotten, nor with the next leader.
func TestUpdatesAreRefusedForDays(t *testing.T) {
	for name, refusal := range updateRefusals {
		for _, interval := range []time.Duration{0, time.Second, 10 * time.Second} {
			for _, ttl := range []time.Duration{time.Hour, 24 * time.Hour} {
				t.Run(fmt.Sprintf("%s, interval %v, TTL %v", name, interval, ttl), func(t *testing.T) {
					testRefusedUpdates(t, refusal.answer, refusal.reads, interval, ttl)
				})
			}
		}
	}
}

func testRefusedUpdates(t *testing.T, refusal sink.Answer, reads bool, interval, ttl time.Duration) {
	const life, crash = 12 * time.Hour, 0
	now := clock.Instant{}
	server := newSimServer(&now, ttl)
	def := testDefinition("Started", eventrt.Normal)
	def.Correlation.Interval = interval
	var written, unacknowledged, inMemory uint64
	for n := range 3 { // a first process, the same container again, the next leader
		p := &refusedLife{w: newWorld(t, Options{EventTTL: ttl}, writerOptions{Identity: Controller, Tag: uint64(n + 1)}), creates: make([]int, 12), refused: make([]int, 12)}
		w, begins := p.w, time.Duration(n)*life
		early := 0
		w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
			now = w.instant()
			now.Mono, now.Wall = now.Mono+begins, now.Wall.Add(begins)
			hour := min(int(w.now/time.Hour), 11)
			if w.now < 10*minute {
				early++
			}
			if write.Operation == sink.Update || write.Operation == sink.Read && !reads {
				if w.now > minute && !w.c.d.Draining() {
					p.refused[hour]++
				}
				return refusal, 5 * ms
			}
			if write.Operation == sink.Create && !w.c.d.Draining() {
				p.creates[hour]++
			}
			return server.take(form.EventsV1, form.EventsV1, write), 5 * ms
		}
		for at := time.Duration(0); at < life-time.Second; at += 5 * time.Second {
			if at < 6*time.Hour || at > 6*time.Hour+10*minute {
				w.at(at, func() { w.recordEvent(def, "prod", "o", "same") })
			}
		}
		w.at(6*time.Hour+9*minute, func() {
			if r := w.c.all[0]; r.work == nil {
				w.c.evict(r)
			} else {
				t.Error("the event is not written in a pause of nine minutes")
			}
		})
		w.run(life - time.Second)
		s := w.c.Stats()
		if s.Lost != (eventrt.Lost{}) {
			t.Errorf("life %d loses %+v before Shutdown", n, s.Lost)
		}
		if n == crash {
			inMemory += s.Pending
		} else {
			w.drain(life-time.Second, life)
			w.run(life)
		}
		s = w.c.Stats()
		written, unacknowledged = written+s.Written, unacknowledged+s.Lost.Unacknowledged
		if lost := s.Lost.Total() - s.Lost.Unacknowledged; lost > 0 || n != crash && s.Pending > 0 {
			t.Errorf("life %d: %+v", n, s)
		}
		p.expectFew(t, n, early)
	}
	if stored := server.total(); stored < written || stored > written+unacknowledged {
		t.Errorf("%d are written, %d unacknowledged, %d stored", written, unacknowledged, stored)
	}
	if recorded := uint64(3 * (12*720 - 121)); written+unacknowledged+inMemory != recorded {
		t.Errorf("%d are written, %d unacknowledged, %d were in memory at the crash, of %d", written, unacknowledged, inMemory, recorded)
	}
}

// expectFew holds that creates and refused calls stay few. The seventh hour has a second record.
func (p *refusedLife) expectFew(t *testing.T, life, early int) {
	for hour, n := range p.creates {
		if most := map[bool]int{true: 16, false: 12}[hour == 0 || hour == 6]; n > most {
			t.Errorf("life %d: %d creates in hour %d, at most %d are promised", life, n, hour, most)
		}
		if n := p.refused[hour]; n > 12 && hour != 6 {
			t.Errorf("life %d: %d refused calls in hour %d", life, n, hour)
		}
	}
	if early > 40 || p.creates[1] == 0 {
		t.Errorf("life %d: %d calls in its first ten minutes", life, early)
	}
}

// TestWritersShareTheSecondName: nobody can update an event any more. Its two writers go on in one
// other event.
func TestWritersShareTheSecondName(t *testing.T) {
	now := clock.Instant{}
	server := newSimServer(&now, time.Hour)
	first, names := "", map[string]bool{}
	for n := range 2 {
		w := newWorld(t, Options{}, writerOptions{Identity: Controller, Tag: uint64(n + 1)})
		w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
			if first == "" {
				first = write.Name
			}
			if write.Operation == sink.Update && write.Name == first {
				return updateRefusals["invalid"].answer, 5 * ms
			}
			names[write.Name] = true
			now = w.instant()
			return server.take(form.EventsV1, form.EventsV1, write), 5 * ms
		}
		for s := range 10 {
			w.at(time.Duration(s)*time.Second, func() { w.record("prod", "o", "same") })
		}
		w.run(minute)
		w.expectNothingLost(10)
	}
	if len(names) != 2 {
		t.Errorf("events of %d names: %v", len(names), names)
	}
}
