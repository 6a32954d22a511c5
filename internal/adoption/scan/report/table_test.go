package report

import "testing"

// The last line of the table is plain: one site is no "1 calls", and zeros are left out.
func TestTableSummary(t *testing.T) {
	for _, c := range []struct {
		summary Summary
		want    string
	}{
		{Summary{}, "0 calls."},
		{Summary{Sites: 1, Direct: 1, Known: 1}, "1 call: 1 direct; the reason is known."},
		{Summary{Sites: 1, Direct: 1}, "1 call: 1 direct; the reason is not known."},
		{Summary{Sites: 2, Direct: 2, Known: 2}, "2 calls: 2 direct; all reasons are known."},
		{Summary{Sites: 2, ThroughWrapper: 2, InWrapper: 1}, "2 calls: 2 through 1 call in wrappers; no reason is known."},
		{
			Summary{Sites: 4, Direct: 1, ThroughWrapper: 3, InWrapper: 2, Known: 3},
			"4 calls: 1 direct, 3 through 2 calls in wrappers; the reason is known of 3, and not of 1.",
		},
	} {
		if got := summary(c.summary); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
