package spell

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"type", "reason", "message", "related", "regarding"}
	for word, want := range map[string]string{
		"mesage":     "message",
		"Message":    "message",
		"messgae":    "message",
		"typ":        "type",
		"tpye":       "type",
		"tap":        "",
		"typos":      "",
		"relating":   "",
		"regardings": "regarding",
		"colour":     "",
		"":           "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "ab", 2}, {"ab", "", 2}, {"ab", "ba", 1}, {"kitten", "sitting", 3}, {"create", "craete", 1}, {"abc", "abc", 0},
	} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestPlurals holds that a reason is near another one that differs by a plural only.
func TestPlurals(t *testing.T) {
	for _, c := range []struct {
		a, b string
		near bool
	}{
		{"PodGone", "PodsGone", true}, {"PrimaryCreated", "PrimariesCreated", true}, {"PoliciesApplied", "PolicyApplied", true},
		{"CookieSet", "CookiesSet", true}, {"KeyAdded", "KeysAdded", true}, {"ClassAdded", "ClassesAdded", true},
		{"ProcessKilled", "ProcessesKilled", true}, {"BatchDone", "BatchesDone", true}, {"CacheFull", "CachesFull", true},
		{"BoxFull", "BoxesFull", true}, {"HashChanged", "HashesChanged", true}, {"StatusSet", "StatusesSet", true},
		{"AliasSet", "AliasesSet", true}, {"DatabaseGone", "DatabasesGone", true}, {"PhaseDone", "PhasesDone", true},
		{"EvictedPolicy", "PoliciesEvicted", true}, {"PolicyApplied", "PolicesApplied", true},
		{"PolicyApplied", "PoliceApplied", true}, // a typing mistake
		{"CopyMade", "CopeMade", false}, {"PassSet", "PassageSet", false}, {"PrimaryCreated", "PrimalsCreated", false},
		{"PassDone", "PasDone", false}, {"CaseFailed", "CAFailed", false},
	} {
		for _, names := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			var n Names[string]
			n.Add(names[0], names[0])
			if like, near := n.Add(names[1], names[1]); near != c.near || near && like != names[0] {
				t.Errorf("%s after %s: got %q, %t", names[1], names[0], like, near)
			}
		}
	}
}
