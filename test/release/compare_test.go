package main

import "testing"

// A release may break callers only where its version says so. Without one to compare with, exactly
// the planted breaks are found.
func TestJudge(t *testing.T) {
	planted := []string{runtimePath + " - Planted: removed", rootPath + "/examples - ./" + generated + ".Planted: removed"}
	for _, tt := range []struct {
		last, version string
		changes       []string
		want          bool
	}{
		{"", "v0.1.0", planted, true},
		{"", "v0.1.0", planted[:1], false},
		{"", "v0.1.0", append(planted, "another"), false},
		{"v0.1.0", "v0.1.1", nil, true},
		{"v0.1.0", "v0.1.1", planted, false},
		{"v0.1.0", "v0.2.0", planted, true},
		{"v0.9.0", "v1.0.0", planted, true},
		{"v1.0.0", "v1.1.0", planted, false},
	} {
		r := &release{last: tt.last, version: tt.version}
		if err := r.judge(tt.changes); (err == nil) != tt.want {
			t.Errorf("%s after %q with %q: %v", tt.version, tt.last, tt.changes, err)
		}
	}
}
