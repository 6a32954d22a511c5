package report

import "testing"

// The last line of the table is plain: one site is no "1 sites", and zeros are left out.
func TestTableSummary(t *testing.T) {
	for _, c := range []struct {
		summary Summary
		want    string
	}{
		{Summary{}, "0 sites."},
		{Summary{Sites: 1, Direct: 1, Known: 1}, "1 site: 1 direct; the reason is known."},
		{Summary{Sites: 1, Direct: 1}, "1 site: 1 direct; the reason is not known."},
		{Summary{Sites: 2, Direct: 2, Known: 2}, "2 sites: 2 direct; all reasons are known."},
		{Summary{Sites: 2, Derived: 2, Forwarders: 1}, "2 sites: 2 derived through 1 call in forwarders; no reason is known."},
		{
			Summary{Sites: 4, Direct: 1, Derived: 3, Forwarders: 2, Known: 3},
			"4 sites: 1 direct, 3 derived through 2 calls in forwarders; the reason is known of 3, and not of 1.",
		},
	} {
		if got := summary(c.summary); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
