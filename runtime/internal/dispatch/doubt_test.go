package dispatch

import (
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
