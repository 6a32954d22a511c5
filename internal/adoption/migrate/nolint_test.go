package migrate

import (
	"strings"
	"testing"
)

// TestWithoutStaticcheck: a nolint comment of staticcheck goes with the call on its line. Comments
// for other linters stay.
func TestWithoutStaticcheck(t *testing.T) {
	for before, after := range map[string]string{
		"f() //nolint:staticcheck\ng()":                  "f()\ng()",
		"x = f(f()) //nolint:staticcheck // SA1019: old": "x = f(f())",
		"f() // nolint:errcheck,staticcheck // both":     "f() // nolint:errcheck // both",
		"f() //nolint:errcheck":                          "f() //nolint:errcheck",
		"f() // the staticcheck":                         "f() // the staticcheck",
		"f()\n//nolint:staticcheck\ng()":                 "f()\n//nolint:staticcheck\ng()",
	} {
		got := before
		if e, found := WithoutStaticcheck([]byte(before), strings.Index(before, "f()")+3); found {
			got = before[:e.From] + e.Text + before[e.To:]
		}
		if got != after {
			t.Errorf("%q: %q, want %q", before, got, after)
		}
	}
}
