package migrate

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/migrate/proof"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// matcher decides which entry of the catalogs a site records.
type matcher struct {
	set    *model.Set
	opts   Options
	result *scan.Result
	// left are the places that a scan with other build tags leaves, with the causes.
	left map[token.Position]string
	// whole are the files whose every end the parser has found, and those where it has not.
	whole map[*ast.File]bool
}

// site returns the verdict about a site; nil for a site that migrate does not handle.
func (m *matcher) site(s *scan.Site) *Decision {
	out := &Decision{Pos: scan.Relative(s.Pos, m.opts.Dir), Scope: s.Scope, Call: s.Method, Reason: s.Reason.String(), Known: s.Reason.Closed(), scan: s}
	if s.File == nil || !m.opts.inDir(s.Pos.Filename) {
		return nil
	}
	test := strings.HasSuffix(s.Pos.Filename, "_test.go")
	switch {
	case test && !m.opts.Tests || s.Typed():
		return nil
	case ast.IsGenerated(s.File):
		out.leave("the file is generated")
	case s.Scope == scan.InWrapper:
		m.wrapper(out)
	default:
		m.decide(out)
	}
	if why := m.left[out.Pos]; why != "" && out.State == Rewritten {
		out.leave("with other build tags: " + why)
	}
	return out
}

// wrapper leaves a helper that takes the reason, and lists who calls it.
func (m *matcher) wrapper(out *Decision) {
	out.leave("its reason comes from callers")
	for _, s := range m.result.Sites {
		if slices.Contains(s.Via, out.scan) {
			out.Callers = append(out.Callers, scan.Relative(s.Pos, m.opts.Dir))
		}
	}
}

// broken reports whether the parser did not find the end of something in a site's file.
func (m *matcher) broken(s *scan.Site) bool {
	whole, known := m.whole[s.File]
	if !known {
		whole = true
		for n := range ast.Preorder(s.File) {
			fset := m.result.Program.Fset
			whole = whole && fset.File(n.Pos()) == fset.File(n.End())
		}
		m.whole[s.File] = whole
	}
	return !whole
}

// decide finds the one entry that the site records.
func (m *matcher) decide(out *Decision) {
	s := out.scan
	why := ""
	switch {
	case m.broken(s):
		why = "its file does not compile"
	case s.Scope == scan.ThroughWrapper:
		if out.raw, why = m.derived(s); why == "" {
			out.raw.OwnRecorder = m.readsArguments(s)
		}
		why = cmp.Or(m.changed(s), why)
	case s.Call == nil || s.Package.Types == nil:
		why = "it is no call"
	default:
		out.raw = m.raw(s)
	}
	if why == "" {
		why = cmp.Or(unknown(s, out.raw), m.doubled(s))
	}
	if why != "" {
		out.leave(why)
		return
	}
	m.choose(out)
}

// unknown returns why the identity of a site is unknown; empty if it is known.
func unknown(s *scan.Site, raw *proof.RawCall) string {
	if why := note(s, "call"); why != "" || len(raw.Identities) > 0 {
		return strings.TrimPrefix(why, ": ")
	}
	if !s.Reason.Closed() {
		return fmt.Sprintf("reason: %s is only known at run time%s", s.Reason, note(s, "reason"))
	}
	return fmt.Sprintf("type: %s is only known at run time%s", s.Type, note(s, "type"))
}

// doubled returns why a site must be left if callers of its function pass a format with %%: a typed
// call would store the %% unchanged. It is empty if no caller does.
func (m *matcher) doubled(s *scan.Site) string {
	for _, f := range m.result.Formats {
		if f.Call != s.Call || f.Value.Closed() || len(f.Call.Args) > f.Args {
			continue
		}
		for _, text := range f.Known.Constants() {
			if strings.Contains(text, "%%") {
				return fmt.Sprintf("the format can be %q, and a typed call would store both percent signs", text)
			}
		}
	}
	return ""
}

// note returns scan's note about a part of a site, after a colon; empty if there is none.
func note(s *scan.Site, what string) string {
	for _, n := range s.Notes {
		if n.What == what {
			return ": " + n.Text
		}
	}
	return ""
}

// candidate is an entry with its verdict.
type candidate struct {
	pkg     *model.Package
	verdict proof.Verdict
	outcome proof.Outcome
	// literal and placeholders are the sizes of the entry's message.
	literal, placeholders int
	any                   int // 1 if its method takes every object
}

// choose takes the best entry that the proof accepts.
func (m *matcher) choose(out *Decision) {
	found := m.candidates(out)
	if len(found) == 0 {
		out.Outcome = proof.NoCall
		out.leave("no entry of the catalogs has this reason and type")
		return
	}
	slices.SortStableFunc(found, candidate.compare)
	best := &found[0]
	out.verdict, out.pkg, out.Outcome, out.Causes = &best.verdict, best.pkg, best.outcome, best.verdict.Causes
	switch {
	case best.outcome > proof.EqualExcept:
		out.leave(refusal(best))
	case len(found) > 1 && best.compare(found[1]) == 0:
		out.leave(fmt.Sprintf("it matches the entries %s and %s alike", best.verdict.Event.Name, found[1].verdict.Event.Name))
	default:
		out.State, out.Entry = Rewritten, best.verdict.Method.Name
		out.Text = textOf(out)
	}
}

// candidates returns the entries that store one of the site's reasons.
func (m *matcher) candidates(s *Decision) []candidate {
	var out []candidate
	raw, free := s.raw, m.anyOrder(s)
	for _, p := range m.set.Packages {
		for _, e := range p.Events {
			if len(e.Methods) == 0 || !stores(e, raw.Identities) {
				continue
			}
			c := candidate{pkg: p, verdict: proof.Prove(raw, e)}
			c.literal, c.placeholders = sizes(e)
			if free {
				c.verdict.Causes = slices.DeleteFunc(c.verdict.Causes, func(cause proof.Cause) bool { return cause.ID == proof.Order })
			}
			c.outcome = c.verdict.Outcome(m.opts.Accept...)
			if c.verdict.Method == nil && c.outcome < proof.NoCall {
				c.outcome = proof.NoCall
			}
			if m := c.verdict.Method; m != nil && m.Regarding != nil && m.Regarding.Any {
				c.any = 1
			}
			out = append(out, c)
		}
	}
	return out
}

// anyOrder reports whether a site's arguments may be evaluated in any order, and any number of
// times: they only read, and nothing writes in between.
func (m *matcher) anyOrder(s *Decision) bool {
	writes := func(x ast.Expr) bool { return !m.result.OnlyReads(s.scan, x) }
	return (s.scan.Call == nil || !slices.ContainsFunc(s.scan.Call.Args, writes)) &&
		!slices.ContainsFunc(s.raw.Text, func(p proof.Part) bool { return p.Expr != nil && (p.Moved || writes(p.Expr)) })
}

// stores reports whether an entry has one of the reasons with its type.
func stores(e *model.Event, ids []proof.Identity) bool {
	return slices.ContainsFunc(e.Methods[0].Definitions, func(d *model.Definition) bool {
		return slices.ContainsFunc(ids, func(id proof.Identity) bool { return d.Runtime.Reason == id.Reason && d.Runtime.Type == id.Type })
	})
}

// sizes counts the bytes of literal text and the placeholders of an entry's message.
func sizes(e *model.Event) (literal, placeholders int) {
	for _, s := range e.Methods[0].Definitions[0].Runtime.Message {
		literal += len(s.Text)
		if s.Value != eventrt.NoValue {
			placeholders++
		}
	}
	return literal, placeholders
}

// distance returns how far an entry is from being usable: an entry with another text is further
// than an entry with a cause to accept.
func (c candidate) distance() int {
	d := max(int(c.outcome), int(proof.EqualExcept))
	if slices.ContainsFunc(c.verdict.Causes, func(cause proof.Cause) bool { return cause.ID == proof.TextDiffers }) {
		d += 10
	}
	return d
}

// compare orders candidates. Usable entries come first, then entries that know more of the text,
// then better verdicts, then typed objects, then entries that show more values and take more of
// them from the object.
func (c candidate) compare(o candidate) int {
	return cmp.Or(
		cmp.Compare(c.distance(), o.distance()), cmp.Compare(o.literal, c.literal), cmp.Compare(c.outcome, o.outcome),
		cmp.Compare(c.any, o.any), cmp.Compare(o.placeholders, c.placeholders),
		cmp.Compare(len(c.verdict.Event.Params), len(o.verdict.Event.Params)),
	)
}

// refusal returns what keeps the nearest entry from being used.
func refusal(c *candidate) string {
	var causes []string
	for _, cause := range c.verdict.Causes {
		single := proof.Verdict{Causes: []proof.Cause{cause}}
		if single.Outcome() > proof.EqualExcept {
			causes = append(causes, fmt.Sprintf("%s (%s)", cause.Text, cause.ID))
		}
	}
	stores := "would store"
	if slices.ContainsFunc(c.verdict.Causes, func(cause proof.Cause) bool { return cause.ID == proof.OwnRecorder }) {
		stores = "may store"
	}
	return fmt.Sprintf("%s %s something else: %s", c.verdict.Event.Name, stores, strings.Join(causes, "; "))
}

// textOf returns how the typed call gets its text.
func textOf(s *Decision) Text {
	visible := slices.ContainsFunc(s.raw.Text, func(p proof.Part) bool { return p.Literal != "" })
	formatted := slices.ContainsFunc(s.verdict.Args, func(a proof.Argument) bool { return a.How == proof.Sprintf })
	literal, _ := sizes(s.verdict.Event)
	switch {
	case !visible && len(s.raw.Text) <= 1:
		return Whole
	case formatted || literal == 0:
		return Formatted
	}
	return Placeholders
}
