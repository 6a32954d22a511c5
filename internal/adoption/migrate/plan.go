package migrate

import (
	"cmp"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/migrate/proof"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// Options choose what New may rewrite.
type Options struct {
	// Dir is the folder of the module: New leaves other files alone. Positions are relative to it.
	Dir string
	// Accept are causes to accept beside the ones that are accepted by default.
	Accept []proof.ID
	// Tests: raw calls in _test.go files are rewritten too.
	Tests bool
}

// State is the fate of a site.
type State string

// The states of sites.
const (
	// Rewritten: the raw call becomes a typed one.
	Rewritten State = "rewritten"
	// Left: it stays as it is.
	Left State = "left"
)

// Decision is a place that records an event, or fixes the reason of one.
type Decision struct {
	Pos   token.Position
	Scope scan.Scope
	// Call is the called method or function, or the type of the literal.
	Call string
	// Reason is the site's reason, as people write it.
	Reason string
	// Known reports that the reason is constant, or one of a closed set of constants.
	Known bool
	State State
	// Entry is the name of the typed method or constructor; empty if the site is left.
	Entry string
	// Outcome and Causes are the proof's verdict about Entry, or about the nearest entry.
	Outcome proof.Outcome
	Causes  []proof.Cause
	// Why is the reason why the site is left.
	Why string
	// Callers are the positions of the calls of a helper that is left.
	Callers []token.Position
	// Text is the way in which the typed call gets its text.
	Text Text

	scan *scan.Site
	raw  *proof.RawCall
	// shared: other sites are at the same place, and hand over the same event. twin: this site
	// shares the change of another one.
	shared, twin bool
	// verdict and pkg belong to the chosen entry.
	verdict *proof.Verdict
	pkg     *model.Package
}

// Text is the way in which a typed call gets its text.
type Text string

// The forms of texts.
const (
	// Placeholders: the entry has the literal text, and the arguments are its params.
	Placeholders Text = "placeholders"
	// Whole: the whole text is one variable at the raw call, and one param in the typed one.
	Whole Text = "text only"
	// Formatted: the text's format is visible, but the caller makes the text.
	Formatted Text = "formatted"
)

// File is a source file to change.
type File struct {
	Path     string // absolute
	Old, New []byte
}

// Plan holds the changes to make.
type Plan struct {
	// Decisions are sorted by position.
	Decisions []*Decision
	// Files are sorted by path.
	Files []File

	opts Options
}

// New decides the fate of each site of some scans, which have read the same packages with different
// build tags.
func New(results []*scan.Result, set *model.Set, o Options) (*Plan, error) {
	left := map[token.Position]string{}
	for {
		p := &Plan{opts: o}
		m := &matcher{set: set, opts: o, left: left, whole: map[*ast.File]bool{}}
		e := newEditor()
		for _, r := range results {
			p.add(m, e, r)
		}
		if p.disagree(left) {
			continue
		}
		p.sort()
		files, err := e.files()
		p.Files = files
		return p, err
	}
}

// disagree adds places to left that one scan leaves and another one rewrites. It reports whether
// there are any.
func (p *Plan) disagree(left map[token.Position]string) bool {
	found := len(left)
	rewritten := map[token.Position]bool{}
	for _, s := range p.Decisions {
		rewritten[s.Pos] = rewritten[s.Pos] || s.State == Rewritten
	}
	for _, s := range p.Decisions {
		if s.State == Left && rewritten[s.Pos] && left[s.Pos] == "" {
			left[s.Pos] = s.Why
		}
	}
	return len(left) > found
}

// add decides about the sites of one scan.
func (p *Plan) add(m *matcher, e *editor, r *scan.Result) {
	m.result, e.result = r, r
	var sites []*Decision
	for _, s := range r.Sites {
		if site := m.site(s); site != nil {
			sites = append(sites, site)
		}
	}
	leaveDoubles(sites)
	for _, s := range sites {
		if s.State == Rewritten && !s.twin {
			if why := e.rewrite(s); why != "" {
				s.leave(why)
			}
		}
	}
	e.settle()
	p.Decisions = append(p.Decisions, sites...)
}

func (s *Decision) leave(why string) { s.State, s.Why, s.Entry = Left, why, "" }

// leaveDoubles leaves places that record several events, because one typed call can't stand for
// them. A helper that records one event in several ways can take the event of one constructor.
func leaveDoubles(sites []*Decision) {
	at := map[token.Position][]*Decision{}
	for _, s := range sites {
		at[s.Pos] = append(at[s.Pos], s)
	}
	for _, same := range at {
		if len(same) == 1 {
			continue
		}
		alike := !slices.ContainsFunc(same, func(s *Decision) bool { return !sameHanded(same[0], s) })
		for i, s := range same {
			if alike {
				s.shared, s.twin = true, i > 0
			} else if s.State == Rewritten {
				s.leave("several calls of recorders are behind this call")
			}
		}
	}
}

// sameHanded reports whether two sites at one place hand over the same event: the place calls a
// helper that records in several ways.
func sameHanded(a, b *Decision) bool {
	if a.State != Rewritten || b.State != Rewritten || a.Scope != scan.ThroughWrapper || b.Scope != scan.ThroughWrapper || a.verdict.Event != b.verdict.Event {
		return false
	}
	one, _ := handedOver(a.scan)
	other, _ := handedOver(b.scan)
	return slices.Equal(one.nodes(), other.nodes()) && one.format == other.format
}

// sort orders the sites, and drops repeated sites of several scans. A site that one scan leaves is
// left.
func (p *Plan) sort() {
	slices.SortStableFunc(p.Decisions, func(a, b *Decision) int {
		return cmp.Or(
			cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Offset, b.Pos.Offset), cmp.Compare(a.Reason, b.Reason),
			cmp.Compare(a.State, b.State), // left before rewritten
		)
	})
	p.Decisions = slices.CompactFunc(p.Decisions, func(a, b *Decision) bool { return a.Pos == b.Pos && a.Reason == b.Reason })
}

// inDir reports whether a file is one of the module's own.
func (o Options) inDir(path string) bool {
	rel, err := filepath.Rel(o.Dir, path)
	return err == nil && filepath.IsLocal(rel) && !strings.Contains("/"+filepath.ToSlash(rel), "/vendor/")
}
