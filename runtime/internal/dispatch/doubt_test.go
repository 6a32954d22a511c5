package dispatch

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// TestADoubtEnds once the refusal was given for as long as the doubt lasts; for want of the namespace at once after Drain.
func TestADoubtEnds(t *testing.T) {
	for _, c := range []struct {
		outcome runtime.Outcome
		drained bool
		after   time.Duration
		want    correlator.Fate
	}{
		{runtime.Forbidden, false, runtime.ForbiddenDoubt - 1, correlator.Kept},
		{runtime.Forbidden, false, runtime.ForbiddenDoubt, correlator.Refused},
		{runtime.Forbidden, true, runtime.ForbiddenDoubt - 1, correlator.Kept},
		{runtime.RefusedQuietly, false, runtime.ForbiddenDoubt - 1, correlator.Kept},
		{runtime.RefusedQuietly, false, runtime.ForbiddenDoubt, correlator.Refused},
		{runtime.RefusedQuietly, true, 2 * time.Second, correlator.Refused},
	} {
		d, _ := oneLane()
		refusal := runtime.Answer{Outcome: c.outcome, Scope: runtime.ScopeNamespace}
		if v := answerOne(t, d, 1, refusal, 0); v.Fate != correlator.Kept {
			t.Errorf("%v: fate %v of the first", c, v.Fate)
		}
		if c.drained {
			d.Drain()
		}
		if v := answerOne(t, d, 1, refusal, c.after); v.Fate != c.want {
			t.Errorf("%v: fate %v", c, v.Fate)
		}
	}
}

// TestALaneIsRefusedShardByShard: each shard is asked once, and then there is nothing to do.
func TestALaneIsRefusedShardByShard(t *testing.T) {
	d := New(Options{Workers: 8, Shards: 4, Delay: time.Second, MaxDelay: 10 * time.Second, MaxPatience: time.Minute})
	l := d.lookUp("n", correlator.Creates)
	d.refuse(l, 0)
	if d.Busy() {
		t.Error("busy with nothing to refuse")
	}
	d.refuse(l, 1<<1)
	d.refuse(l, 1<<3|1<<1)
	asked := map[int]int{}
	for j, _, ok := d.Take(0); ok; j, _, ok = d.Take(0) {
		if !j.Refuse {
			t.Fatalf("a job that refuses nothing: %+v", j)
		}
		asked[j.Shard]++
		d.Refused(&j, false)
	}
	if len(asked) != 2 || asked[1] != 1 || asked[3] != 1 || d.Busy() || !l.idle() {
		t.Errorf("asked, by shard: %v; busy %v, idle %v", asked, d.Busy(), l.idle())
	}
}

// restarting is a server that restarts again and again: it is away, then refuses everybody, and then serves for a while. The first
// call finds it away.
type restarting struct{ away, refuses, serves time.Duration }

func (r restarting) answer(now time.Duration) runtime.Answer {
	switch at := (now - time.Second) % (r.away + r.refuses + r.serves); {
	case at < r.away:
		return runtime.Answer{Outcome: runtime.Retry, Scope: runtime.ScopeServer}
	case at < r.away+r.refuses:
		return runtime.Answer{Outcome: runtime.Forbidden, Scope: runtime.ScopeNamespace}
	}
	return runtime.Answer{Outcome: runtime.Done}
}

// play makes calls of one lane for ten minutes. It returns how many were served, and an error if the dispatcher believes the refusals.
func (r restarting) play() (served int, err error) {
	d, _ := oneLane()
	for now := time.Second; now < 10*time.Minute; now += 20 * time.Millisecond {
		d.Ready(0, &correlator.Lane{Namespace: "n"}, now)
		j, _, ok := d.Take(now)
		if !ok {
			continue
		}
		a := r.answer(now)
		if v := d.Done(&j, 1, &a, now); v.Fate == correlator.Refused {
			return served, fmt.Errorf("at %v events are refused", now)
		}
		if a.Outcome == runtime.Done {
			served++
		}
	}
	return served, nil
}

// TestAServerThatRestartsAgainAndAgainLosesNothing holds that no refusal of a starting server is believed, although the server serves for little
// more than a second at a time.
func TestAServerThatRestartsAgainAndAgainLosesNothing(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 0))
		upTo := func(most time.Duration) time.Duration { return time.Duration(1 + rng.Int64N(int64(most))) }
		r := restarting{away: time.Second + upTo(5*time.Second), refuses: upTo(6 * time.Second), serves: 1100*time.Millisecond + upTo(2*time.Second)}
		served, err := r.play()
		if err != nil {
			t.Fatalf("seed %d, %+v: %v, after %d that were served", seed, r, err, served)
		}
	}
}

// TestAnOutageBeginsADoubtAnew also where calls of another lane have met it.
func TestAnOutageBeginsADoubtAnew(t *testing.T) {
	d, _ := oneLane()
	refusal := runtime.Answer{Outcome: runtime.Forbidden, Scope: runtime.ScopeNamespace}
	answerOne(t, d, 1, refusal, 0)
	d.Ready(0, &correlator.Lane{Namespace: "other", ID: 1}, 10*time.Second)
	away := runtime.Answer{Outcome: runtime.Retry, Scope: runtime.ScopeServer}
	for j, _, ok := d.Take(10 * time.Second); ok; j, _, ok = d.Take(10 * time.Second) {
		a := refusal
		if j.Lane.Namespace == "other" {
			a = away
		}
		if v := d.Done(&j, 1, &a, 10*time.Second); v.Fate == correlator.Refused {
			t.Fatal("refused in doubt")
		}
	}
	for _, c := range []struct {
		at   time.Duration
		want correlator.Fate
	}{
		{runtime.ForbiddenDoubt, correlator.Kept}, // the doubt begins with this answer
		{2*runtime.ForbiddenDoubt - 15*time.Second, correlator.Kept},
		{2 * runtime.ForbiddenDoubt, correlator.Refused},
	} {
		if v := answerOne(t, d, 1, refusal, c.at); v.Fate != c.want {
			t.Errorf("after %v: fate %v, want %v", c.at, v.Fate, c.want)
		}
	}
}

// TestADoubtIsAskedAboutMoreOftenAfterAnOutage for as long as a doubt lasts.
func TestADoubtIsAskedAboutMoreOftenAfterAnOutage(t *testing.T) {
	d, l := oneLane()
	refusal := runtime.Answer{Outcome: runtime.Forbidden, Scope: runtime.ScopeNamespace}
	for _, c := range []struct{ at, want time.Duration }{
		{time.Second, time.Second}, // the first delay is one second in any case
		{10 * time.Second, maxDoubtDelay},
		{20 * time.Second, restartDelay}, // an outage was met a moment ago
		{20*time.Second + runtime.ForbiddenDoubt - 1, restartDelay},
		{90 * time.Second, maxDoubtDelay},
	} {
		if c.at == 20*time.Second {
			d.away = c.at
		}
		l.doubt.since = c.at // so that it is never believed
		if c.at > time.Second {
			l.own.step = 10
		}
		answerOne(t, d, 1, refusal, c.at)
		if got := l.own.next - c.at; got != c.want {
			t.Errorf("at %v: the next call is %v later, want %v", c.at, got, c.want)
		}
	}
	if d.away = time.Minute; d.doubtDelay(time.Minute+runtime.ForbiddenDoubt) != maxDoubtDelay {
		t.Error("the outage still counts when a doubt has lasted")
	}
}
