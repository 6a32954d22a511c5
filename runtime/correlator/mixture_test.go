package correlator

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime/internal/clock"
	testseed "github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/sink"
)

// troubles are the passing troubles of a namespace, an object or the server.
var troubles = []func(*rand.Rand) (sink.Answer, time.Duration){
	func(*rand.Rand) (sink.Answer, time.Duration) { return hangs() },
	func(*rand.Rand) (sink.Answer, time.Duration) { return fails(sink.ScopeUnknown), 5 * ms },
	func(*rand.Rand) (sink.Answer, time.Duration) { return fails(sink.ScopeNamespace), 20 * ms },
	func(*rand.Rand) (sink.Answer, time.Duration) { return fails(sink.ScopeObject), 5 * ms },
	func(*rand.Rand) (sink.Answer, time.Duration) { return forbidden(), 5 * ms },
	func(*rand.Rand) (sink.Answer, time.Duration) { return gone(), 5 * ms },
	func(*rand.Rand) (sink.Answer, time.Duration) { return done(), 900 * ms },
	func(rng *rand.Rand) (sink.Answer, time.Duration) {
		a := fails(sink.ScopeNamespace)
		a.Limited, a.MaybeStored, a.RetryAfter = true, false, time.Duration(rng.IntN(20))*time.Second
		return a, 5 * ms
	},
	func(rng *rand.Rand) (sink.Answer, time.Duration) {
		if rng.IntN(2) == 0 {
			return done(), 5 * ms
		}
		a := fails(sink.ScopeUnknown)
		a.RetryAfter = time.Duration(rng.IntN(600)) * time.Second
		return a, 5 * ms
	},
}

// episode is a trouble of a namespace, of one object of it, or of the server (an empty namespace).
type episode struct {
	namespace, object string
	from, to          time.Duration
	answer            func(*rand.Rand) (sink.Answer, time.Duration)
}

// mixtureGrace is the time within which waiting events are written once the server is back, beside
// namespaces that hang.
const mixtureGrace = 12 * time.Second

// TestMixtures plays random mixtures of trouble: namespaces and objects hang, fail, flood, are
// refused or limited, and the server goes away, in any order. Healthy namespaces are written within
// 5 s while the server is there, and once it is back within mixtureGrace; all others once their
// trouble is over.
func TestMixtures(t *testing.T) {
	first, histories := testseed.Of(t), max(1, *simHistories/20)
	t.Logf("%d mixtures", histories)
	for n := range histories {
		if err := mixture(t, first+uint64(n)); err != nil {
			t.Fatalf("mixture of -seed=%d: %v", first+uint64(n), err)
		}
	}
}

func mixture(t *testing.T, seed uint64) error {
	w := drawnWorld(t, Options{}, rand.New(rand.NewPCG(seed, seed^0x5eed)))
	bad, objects := 1+w.rng.IntN(40), 1+w.rng.IntN(12)
	const end = 4 * time.Minute
	var episodes []episode
	for b := range bad {
		from := time.Duration(w.rng.Int64N(int64(end)))
		e := episode{namespace: fmt.Sprint("bad-", b), from: from, to: from + time.Duration(w.rng.Int64N(int64(end-from)+1)), answer: troubles[w.rng.IntN(len(troubles))]}
		if w.rng.IntN(4) == 0 {
			e.object = fmt.Sprint("bad-", b, "/0")
		}
		episodes = append(episodes, e)
	}
	away := episode{from: end + 1, to: end + 1}
	if w.rng.IntN(3) == 0 {
		away.from = time.Duration(w.rng.Int64N(int64(end)))
		away.to = away.from + time.Duration(w.rng.Int64N(int64(2*time.Minute)))
		unreachable := fails(sink.ScopeServer)
		unreachable.MaybeStored = w.rng.IntN(2) == 0
		away.answer = func(*rand.Rand) (sink.Answer, time.Duration) { return unreachable, 5 * ms }
	}
	// in the last minute one call exceeds the server's rate
	limited := end - time.Duration(w.rng.Int64N(int64(minute)))
	limitedAt := clock.Never
	w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
		if w.now >= limited {
			limited, limitedAt = clock.Never, w.now
			return sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeServer, Limited: true}, 5 * ms
		}
		if w.now >= away.from && w.now < away.to {
			return away.answer(w.rng)
		}
		for _, e := range episodes {
			if e.namespace == write.Namespace && w.now >= e.from && w.now < e.to && (e.object == "" || e.object == write.Regarding.Name) {
				return e.answer(w.rng)
			}
		}
		return done(), time.Duration(1+w.rng.IntN(20)) * ms
	}
	for range 200 + w.rng.IntN(1500) {
		namespace := fmt.Sprint("bad-", w.rng.IntN(bad))
		object := fmt.Sprint(namespace, "/", w.rng.IntN(objects))
		w.at(time.Duration(w.rng.Int64N(int64(end))), func() { w.record(namespace, object, fmt.Sprint("text ", w.rng.IntN(5))) })
	}
	for s := range int(end/time.Second) / 4 {
		w.recordAt(time.Duration(4*s)*time.Second+time.Duration(w.rng.IntN(4000))*ms, "good", 1+w.rng.IntN(3))
	}
	w.run(end)
	for _, s := range w.stored {
		by := s.at + 5*time.Second
		if by >= away.from {
			by = max(by, away.to+mixtureGrace)
		}
		if by >= limitedAt { // calls went one at a time
			by += limitRaise
		}
		if s.namespace == "good" && s.at+s.after > by {
			return fmt.Errorf("an event of a healthy namespace, recorded at %v, is stored after %v; the server was away from %v to %v", s.at, s.after, away.from, away.to)
		}
	}
	w.run(max(end, away.to) + 15*time.Minute)
	s := w.c.Stats()
	switch {
	case s.Recorded != s.Written+s.Pending+s.Lost.Total():
		return fmt.Errorf("recorded %d, written %d, pending %d, lost %+v", s.Recorded, s.Written, s.Pending, s.Lost)
	case s.Pending > 0:
		return fmt.Errorf("%d are pending long after the last trouble is over: %+v", s.Pending, s)
	case s.Lost.Total() != s.Lost.Refused+s.Lost.Unacknowledged:
		return fmt.Errorf("lost %+v", s.Lost)
	case s.InFlight > 0 || w.c.d.Look().Slow != 0:
		return fmt.Errorf("%d are in flight: %+v", s.InFlight, w.c.d.Look())
	}
	return checkEmpty(w.c)
}
