package correlator

import (
	"slices"
	"testing"
	"time"

	testseed "github.com/event-gen/event-gen/runtime/internal/seed"

	"github.com/event-gen/event-gen/runtime/correlator/internal/dispatch"
)

// TestStoredIsBounded plays histories of 2 to 32 writers of the same events. Their requests and
// answers get lost or come twice, they evict events, and some end by force. The stored counts are
// at least the written ones, and at most the written and unacknowledged ones.
func TestStoredIsBounded(t *testing.T) {
	histories := 400
	if testing.Short() {
		histories = 60
	}
	first := testseed.Of(t)
	for _, writers := range []int{2, 12, 32} {
		recorded, unacknowledged := uint64(0), uint64(0)
		for n := range histories {
			h := newWriters(first + uint64(n))
			h.identity, h.calm, h.strips, h.refuses, h.takes, h.people, h.loops = Controller, false, false, false, false, false, false
			h.living = nil
			for range writers {
				h.startBounded()
			}
			ended := h.playBounded(200*writers + 400)
			stored := uint64(0)
			for _, n := range h.counts() {
				stored += n
			}
			if stored < ended.written || stored > ended.written+ended.unacknowledged {
				t.Errorf("-seed=%d: %d writers: written %d, unacknowledged %d, stored %d", first+uint64(n), writers, ended.written, ended.unacknowledged, stored)
			}
			recorded += ended.recorded
			unacknowledged += ended.unacknowledged
		}
		t.Logf("%d writers: %d occurrences, %d unacknowledged", writers, recorded, unacknowledged)
	}
}

// accounts belong to all processes that have ended.
type accounts struct{ recorded, written, unacknowledged uint64 }

func (h *writers) startBounded() {
	h.start()
	p := h.living[len(h.living)-1]
	p.blind = false
	p.c.opts.MaxEvents = 50
}

// playBounded takes steps. Then everything arrives and is written.
func (h *writers) playBounded(steps int) (all accounts) {
	end := func(p *writer) {
		for _, w := range p.flight {
			if h.rng.IntN(2) == 0 {
				h.late = append(h.late, lateWrite{w, h.now.Mono})
			}
		}
		for p.c.Abandon(dispatch.MostAtOnce) {
		}
		s := p.c.Stats()
		all.recorded += s.Recorded
		all.written += s.Written
		all.unacknowledged += s.Lost.Unacknowledged
		h.living = slices.DeleteFunc(h.living, func(o *writer) bool { return o == p })
	}
	for range steps {
		p := h.living[h.rng.IntN(len(h.living))]
		switch roll := h.rng.IntN(500); {
		case roll < 60:
			h.record(p)
		case roll < 220:
			h.send(p)
		case roll < 420:
			h.answer(p)
		case roll < 440:
			h.arrive()
		case roll < 490:
			h.pass(time.Duration(h.rng.IntN(2000)) * ms)
		case roll < 491:
			end(p)
			h.startBounded()
		default:
			h.forget(p)
		}
	}
	if err := h.settle(); err != nil {
		panic(err)
	}
	for len(h.living) > 0 {
		end(h.living[0])
	}
	return all
}
