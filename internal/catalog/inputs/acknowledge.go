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

// Acknowledgements holds the breaks that the configuration acknowledges, and the mistakes in those
// entries.
type Acknowledgements struct {
	Meant []breaking.Acknowledgement
	// Stale holds findings about acknowledgements that a newer release has ended.
	Stale    diag.Findings
	Problems diag.Findings
}

// Acknowledged reads the acknowledgements of a configuration. Each holds until a newer release than
// the one it names is tagged. It does not matter what the catalogs are compared with.
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

// packageRule is the rule whose findings are about a package, not about an event.
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
		a.Problems.Errorf(c.Since.Pos, diag.Syntax, "since: expected the last release tag, such as v1.2.0 (v0.0.0 before the first), found %q", c.Since.Value)
	case c.Rule.Value != packageRule && !c.Event.Set():
		a.Problems.Errorf(c.Pos, diag.Syntax, "the acknowledgement of %s needs the event; only %s is about a whole package", c.Rule.Value, packageRule)
	case c.Rule.Value == packageRule && c.Event.Set():
		a.Problems.Errorf(c.Event.Pos, diag.Syntax, "%s is about a whole package; leave out event", packageRule)
	}
	return len(a.Problems) == before
}

// splitTag splits a tag into the folder of the module and the version. The folder is empty at the
// repository's root.
func splitTag(tag string) (folder, version string) {
	i := strings.LastIndexByte(tag, '/') + 1
	return tag[:i], tag[i:]
}

// newestAfter returns the newest release tag of a module after the tag since; empty if there is
// none. It does not count prereleases.
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
