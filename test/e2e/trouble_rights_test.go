package e2e

import (
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
	config := c.UserConfig(cluster.LimitedUser)
	all := parties(t, config)
	begun := time.Now()
	record := func(objects string, until time.Duration) {
		for time.Since(begun) < until {
			recordSteadily(all, namespace, objects+time.Since(begun).String(), 1, 100*time.Millisecond)
		}
	}
	record("doubt-", sink.ForbiddenProbe-2*time.Second)
	for _, p := range all[:2] {
		if s := p.stats(); s.Lost.Total() != 0 || s.Written != 0 || s.Pending == 0 {
			t.Errorf("%s refuses before the end of the doubt: %+v", p.name, s)
		}
	}
	record("refused-", sink.ForbiddenProbe+8*time.Second)
	for _, p := range all[:2] {
		if s := p.stats(); s.Lost.Refused < 250 || s.Written != 0 {
			t.Errorf("%s does not refuse after the doubt: %+v", p.name, s)
		}
	}
	allowAll(t, clients, cluster.LimitedUser)
	granted := time.Since(begun)
	record("granted-", granted+32*time.Second)
	end := time.Since(begun)
	record("found-", end+time.Second)
	endWithin(t, all, 30*time.Second)
	stored := storedBy(t, c, namespace, func(key string) bool { return strings.Contains(key, "-found-") })
	lost := storedBy(t, c, namespace, func(key string) bool { return strings.Contains(key, "-doubt-") })
	t.Logf("of what was recorded half a minute after the right was granted, stored: %v; of what was recorded before it: %v", stored, lost)
	for _, p := range all[:2] {
		if s := p.stats(); stored[p.name] < 8 || lost[p.name] != 0 || s.Recorded != s.Written+s.Lost.Refused {
			t.Errorf("%s: %d stored after the right was granted, %d of before: %+v", p.name, stored[p.name], lost[p.name], s)
		}
	}
}
