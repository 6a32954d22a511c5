package inputs

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/breaking"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/gitread"
)

// Acknowledgements are the breaks that the configuration acknowledges, and its mistakes in them.
type Acknowledgements struct {
	Meant []breaking.Acknowledgement
	// Stale are findings about acknowledgements that ended with a newer release.
	Stale    diag.Findings
	Problems diag.Findings
}

// Acknowledged reads the acknowledgements of a configuration. Each holds until a release newer than
// its own is tagged, whatever the comparison is against.
func Acknowledged(ctx context.Context, config *catalog.Configuration) (a Acknowledgements) {
	if config == nil || len(config.Acknowledged) == 0 {
		return a
	}
	tags := gitread.Tags(ctx)
	for _, c := range config.Acknowledged {
		if !a.valid(c) {
			continue
		}
		if newer := newestAfter(tags, c.Since.Value); newer != "" {
			a.Stale = append(a.Stale, breaking.Stale(c.Pos, c.Rule.Value, c.Event.Value, c.Since.Value, newer))
			continue
		}
		a.Meant = append(a.Meant, breaking.Acknowledgement{Rule: c.Rule.Value, Event: c.Event.Value})
	}
	return a
}

// packageRule is the rule whose findings are about a package and not about an event.
const packageRule = "BG04"

func (a *Acknowledgements) valid(c catalog.Acknowledged) bool {
	known := func(r breaking.Rule) bool { return r.ID == c.Rule.Value && r.ID != breaking.StaleRule }
	_, version := splitTag(c.Since.Value)
	before := len(a.Problems)
	switch {
	case !slices.ContainsFunc(breaking.Rules(), known):
		a.Problems.Errorf(c.Rule.Pos, diag.Syntax, "there is no rule %q of breaking changes to acknowledge", c.Rule.Value)
	case strings.TrimSpace(c.Reason.Value) == "":
		a.Problems.Errorf(c.Reason.Pos, diag.Syntax, "the acknowledgement of %s needs a reason", c.Rule.Value)
	case !semver.IsValid(version):
		a.Problems.Errorf(c.Since.Pos, diag.Syntax, "since is the last release tag, such as v1.2.0 (v0.0.0 before the first), not %q", c.Since.Value)
	case c.Rule.Value != packageRule && !c.Event.Set():
		a.Problems.Errorf(c.Pos, diag.Syntax, "the acknowledgement of %s needs the event; only %s is of a whole package", c.Rule.Value, packageRule)
	case c.Rule.Value == packageRule && c.Event.Set():
		a.Problems.Errorf(c.Event.Pos, diag.Syntax, "%s is of a whole package, so leave event out", packageRule)
	}
	return len(a.Problems) == before
}

// splitTag splits a tag into the folder of the module, which is empty at the repository's root, and
// the version.
func splitTag(tag string) (folder, version string) {
	i := strings.LastIndexByte(tag, '/') + 1
	return tag[:i], tag[i:]
}

// newestAfter returns a module's newest release tag after one of its tags; empty if there is none.
// A prerelease is no release.
func newestAfter(tags []string, since string) string {
	module, newest := splitTag(since)
	found := ""
	for _, tag := range tags {
		folder, version := splitTag(tag)
		if folder == module && semver.IsValid(version) && semver.Prerelease(version) == "" && semver.Compare(version, newest) > 0 {
			found, newest = tag, version
		}
	}
	return found
}
