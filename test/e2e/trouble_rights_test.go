package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// TestAMissingRight records without the right to, and grants it in the end. What is recorded waits
// for the doubt to end and is refused then, and the right is found once it is granted.
func TestAMissingRight(t *testing.T) {
	t.Parallel() // it waits for the most part
	c := startCluster(t)
	clients := newClientset(t, c)
	namespace := newNamespace(t, clients)
	all := parties(t, c.UserConfig(cluster.LimitedUser))
	record := func(objects string, until func() bool) (n int) {
		for begun := time.Now(); !until() && time.Since(begun) < sink.ForbiddenProbe+faultBound; n++ {
			recordSteadily(all, namespace, fmt.Sprint(objects, n), 1, 100*time.Millisecond)
		}
		return n
	}
	others, begun := startPace(t, c), time.Now()
	doubtful := record("doubt-", func() bool { return time.Since(begun) > sink.ForbiddenProbe-2*time.Second })
	for _, p := range all[:2] {
		if s := p.stats(); time.Since(begun) < sink.ForbiddenProbe && (s.Lost.Total() != 0 || s.Written != 0 || s.Pending == 0) {
			t.Errorf("%s refuses before the end of the doubt: %+v", p.name, s)
		}
	}
	both := func(met func(p party) bool) func() bool { return func() bool { return met(all[0]) && met(all[1]) } }
	record("refused-", both(func(p party) bool { return p.stats().Lost.Refused > uint64(doubtful) }))
	took := time.Since(begun)
	if most := others.allow(sink.ForbiddenProbe + 8*time.Second); took > most {
		t.Errorf("the doubt ends after %v, expected at most %v", took, most)
	}
	for _, p := range all[:2] {
		if s := p.stats(); s.Lost.Refused <= uint64(doubtful) || s.Written != 0 {
			t.Errorf("%s does not refuse after the doubt: %+v", p.name, s)
		}
	}
	allowAll(t, clients, cluster.LimitedUser)
	others, begun = startPace(t, c), time.Now()
	record("granted-", both(func(p party) bool { return p.stats().Written > 0 }))
	took = time.Since(begun).Round(time.Millisecond)
	if most := others.allow(sink.ForbiddenProbe + 2*time.Second); took > most {
		t.Errorf("the right is found %v after it was granted, expected at most %v", took, most)
	}
	const n = 10
	recordSteadily(all, namespace, "found", n, 100*time.Millisecond)
	endWithin(t, all, faultBound)
	stored := storedBy(t, c, namespace, func(key string) bool { return strings.Contains(key, "-found-") })
	lost := storedBy(t, c, namespace, func(key string) bool { return strings.Contains(key, "-doubt-") })
	t.Logf("of %d that were recorded when the right was found, %v after it was granted, stored: %v; of what was recorded before: %v", n, took, stored, lost)
	for _, p := range all[:2] {
		if s := p.stats(); stored[p.name] != n || lost[p.name] != 0 || s.Recorded != s.Written+s.Lost.Refused {
			t.Errorf("%s: %d stored after the right was found, %d of before: %+v", p.name, stored[p.name], lost[p.name], s)
		}
	}
}
