package correlator

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	testseed "github.com/event-gen/event-gen/runtime/internal/seed"
)

func TestCountsSaturate(t *testing.T) {
	tests := []struct {
		recorded uint64
		want     int32
	}{
		{math.MaxInt32 - 1, math.MaxInt32 - 1}, {math.MaxInt32, math.MaxInt32}, {math.MaxInt32 + 1, math.MaxInt32}, {math.MaxUint64 / 2, math.MaxInt32},
	}
	for _, tt := range tests {
		r := newRig(t, Options{})
		r.record(about("job", normal, "x"))
		extra := tt.recorded - 1
		of := &r.only().work.ledger
		of.count += uint32(min(extra, math.MaxUint32-1))
		of.pending += extra
		r.c.counts.Recorded += extra
		r.c.counts.Pending += extra
		w := r.next()
		if carried := r.only().work.carried; w.Count != tt.want || carried != tt.recorded {
			t.Errorf("%d recorded: count %d, carried %d", tt.recorded, w.Count, carried)
		}
		r.ok(w)
		r.stats(books{written: tt.recorded})
		r.record(about("job", normal, "x"))
		if w := r.nextIn(time.Second); w.Count != int32(min(tt.recorded+1, math.MaxInt32)) {
			t.Errorf("%d recorded: next count %d", tt.recorded+1, w.Count)
		}
	}
}

// TestLedger compares a ledger with plain sums, on random operations.
func TestLedger(t *testing.T) {
	testseed.Check(t, func(t *rapid.T) {
		l := ledger{totals: &totals{}}
		recorded, written, lost, acknowledged := uint64(0), uint64(0), uint64(0), uint64(0)
		inFlight := false
		ops := map[string]func(*rapid.T){
			"add":   func(*rapid.T) { l.add(); recorded++ },
			"begin": func(*rapid.T) { l.carried, inFlight = l.pending, true },
			"stored": func(t *rapid.T) {
				if inFlight {
					written, acknowledged, inFlight = written+l.carried, acknowledged+l.carried, false
					l.written(l.carried)
					l.carried, l.unanswered = 0, 0
				}
			},
			"no answer": func(*rapid.T) {
				if inFlight {
					l.mayBeStored()
					inFlight = false
				}
			},
			"lose": func(t *rapid.T) {
				if n := l.pending; !inFlight {
					base, unanswered := l.base, l.unanswered > 0
					a, b := l.lose(n)
					if lost += a + b; a+b != n {
						t.Fatalf("%d and %d of %d are lost", a, b, n)
					}
					if unanswered {
						acknowledged -= uint64(l.base - base)
					}
					l.carried = 0
				}
			},
			"give up": func(t *rapid.T) {
				if !inFlight {
					lost += l.giveUp()
					l.carried = 0
				}
			},
			"found": func(t *rapid.T) {
				if inFlight {
					return
				}
				mine := rapid.Uint64Range(acknowledged, acknowledged+l.unanswered).Draw(t, "mine")
				others := rapid.Uint64Range(0, 5).Draw(t, "others")
				n := l.found(mine, mine+others)
				written, acknowledged = written+n, acknowledged+n
				if acknowledged != mine || uint64(l.base) != others {
					t.Fatalf("%d of %d found are acknowledged, base %d", acknowledged, mine, l.base)
				}
			},
			"found others": func(t *rapid.T) {
				if !inFlight {
					l.foundOthers(7)
					acknowledged = 0
				}
			},
			"renew": func(t *rapid.T) {
				if !inFlight {
					l.renew()
					acknowledged, l.carried = 0, 0
				}
			},
			"": func(t *rapid.T) {
				switch {
				case recorded != written+lost+l.pending:
					t.Fatalf("recorded %d, written %d, lost %d, pending %d", recorded, written, lost, l.pending)
				case uint64(l.count) != acknowledged+l.pending:
					t.Fatalf("count %d, acknowledged %d, pending %d", l.count, acknowledged, l.pending)
				case l.carried > l.pending || l.unanswered > l.pending:
					t.Fatalf("carried %d, unanswered %d, pending %d", l.carried, l.unanswered, l.pending)
				}
			},
		}
		t.Repeat(ops)
	})
}
