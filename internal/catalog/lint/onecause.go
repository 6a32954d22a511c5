package lint

import (
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// An error in the params, texts or names of an entry may have a consequence that looks like a
// finding of another rule. Rules ask here before they conclude anything from how these parts fit
// together, so that one mistake is one finding.

// wrong reports whether the name or the type of a param has an error.
func (p *Pass) wrong(param catalog.Param) bool {
	for _, rule := range []string{diag.GoName, diag.UnknownType} {
		if p.reported[report{rule, param.Name.Pos}] || p.reported[report{rule, param.Type.Pos}] {
			return true
		}
	}
	return false
}

// mistaken reports whether a text of the event has a placeholder that nothing declares, or a verb.
// Such a mistake may mean a param that looks unused.
func (p *Pass) mistaken(e *catalog.Event) bool {
	return slices.ContainsFunc(segments(templates(e)), func(s catalog.Segment) bool {
		return p.reported[report{diag.UndeclaredPlaceholder, s.Pos}] || len(verbsIn(s.Text)) > 0
	})
}

// misnamed reports whether a key of the event names no param of it. The model has reported that.
// The key may mean a param that looks unused, or one that is not in the correlation key.
func misnamed(c *catalog.Catalog, e *catalog.Event) bool {
	named := append(slices.Clone(c.Policy(e).Key), e.Select)
	if about := c.About(e); about != nil {
		named = append(named, about.Container)
	}
	return slices.ContainsFunc(named, func(s catalog.Scalar) bool {
		_, declared := paramOf(c, e, s.Value)
		return s.Set() && !declared
	})
}

// valid reports whether a limit is set, and has no error.
func (p *Pass) valid(limit catalog.Scalar) bool {
	return limit.Set() && !p.reported[report{diag.InconsistentLimits, limit.Pos}]
}

// unknownKind reports whether the kind of an object is not known, because its alias is not declared
// or its type has an error.
func (p *Pass) unknownKind(o catalog.ObjectDecl) bool {
	return !o.Alias.Set() || p.reported[report{diag.UnknownType, o.Type.Pos}]
}
