package lint

import (
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// ignores holds the suppressions, and records which of them suppress something.
type ignores struct {
	everywhere []catalog.Ignore
	used       map[diag.Pos]bool
}

func newIgnores(everywhere []catalog.Ignore) *ignores {
	return &ignores{everywhere: everywhere, used: map[diag.Pos]bool{}}
}

// cover reports whether a rule is suppressed for an event, its catalog, or everywhere. It marks the
// innermost suppression as used. A suppression without a reason has no effect.
func (i *ignores) cover(c *catalog.Catalog, e *catalog.Event, rule string) bool {
	levels := [][]catalog.Ignore{c.Ignore, i.everywhere}
	if e != nil {
		levels = [][]catalog.Ignore{e.Ignore, c.Ignore, i.everywhere}
	}
	for _, level := range levels {
		for _, ignore := range level {
			if ignore.Rule.Value == rule && reasoned(ignore) {
				i.used[ignore.Pos] = true
				return true
			}
		}
	}
	return false
}

func reasoned(i catalog.Ignore) bool { return strings.TrimSpace(i.Reason.Value) != "" }

// leave returns the findings that nothing suppresses.
func (i *ignores) leave(catalogs []*catalog.Catalog, findings diag.Findings) diag.Findings {
	return slices.DeleteFunc(slices.Clone(findings), func(f diag.Finding) bool {
		if f.Severity == diag.Error {
			return false
		}
		c, e := placeOf(catalogs, f.Pos)
		return c != nil && i.cover(c, e, f.Rule)
	})
}

// placeOf returns the catalog and the event at a position. The event is nil before the first event.
func placeOf(catalogs []*catalog.Catalog, pos diag.Pos) (in *catalog.Catalog, event *catalog.Event) {
	for _, c := range catalogs {
		if c.File == pos.File && c.Pos.Line <= pos.Line {
			in, event = c, nil
		}
	}
	if in == nil {
		return nil, nil
	}
	for i := range in.Events {
		if e := &in.Events[i]; e.Pos.Line < pos.Line || e.Pos.Line == pos.Line && e.Pos.Column <= pos.Column {
			event = e
		}
	}
	return in, event
}
