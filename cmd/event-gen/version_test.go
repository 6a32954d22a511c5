package main

import (
	"runtime/debug"
	"testing"
)

// The revision, and the version to fetch, come from what each way of building records.
func TestRevision(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	commit := setting("vcs.revision", "3ebd258")
	for name, tt := range map[string]struct {
		version, sum  string
		settings      []debug.BuildSetting
		want, release string
	}{
		"a clone":               {"v0.1.0", "", []debug.BuildSetting{commit, setting("vcs.modified", "false")}, "3ebd258", "v0.1.0"},
		"a clone of a commit":   {"v0.1.1-0.20261125080000-0123456789ab", "", []debug.BuildSetting{commit}, "3ebd258", ""},
		"a clone with changes":  {"v0.1.1-0.2026+dirty", "", []debug.BuildSetting{commit, setting("vcs.modified", "true")}, "3ebd258, with changes", ""},
		"go install, a release": {"v0.1.0", "h1:abc=", nil, "of the tag v0.1.0, module h1:abc=", "v0.1.0"},
		"go install, a commit":  {"v0.1.1-0.20261125080000-0123456789ab", "h1:abc=", nil, "0123456789ab, module h1:abc=", "v0.1.1-0.20261125080000-0123456789ab"},
		"without a repository":  {"(devel)", "", nil, "unknown", ""},
	} {
		build := &debug.BuildInfo{Main: debug.Module{Version: tt.version, Sum: tt.sum}, Settings: tt.settings}
		if got := revision(build); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		if got := release(build); got != tt.release {
			t.Errorf("%s: release %q, want %q", name, got, tt.release)
		}
	}
}
