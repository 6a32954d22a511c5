package scan

import (
	"cmp"
	"context"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// scanner collects sites.
type scanner struct {
	*index
	result *Result
	*recorders
	// seen holds pairs of a wrapper's site and a place that derive has visited.
	seen map[[2]any]bool
	// formatting holds the functions that pass on a format.
	formatting map[*function]bool
}

// Scan finds the sites of a program. It leaves out sites in dependencies, except in the Via of
// sites behind wrappers.
func Scan(ctx context.Context, p *Program) *Result {
	x := newIndex(p)
	r := newRecorders(x)
	s := &scanner{index: x, recorders: r, result: &Result{Program: p, index: x, recorders: r}, seen: map[[2]any]bool{}, formatting: map[*function]bool{}}
	for _, c := range s.recorded {
		if ctx.Err() != nil {
			break
		}
		if s.direct(c.place) { // derive finds the other sites
			site := s.site(c)
			s.result.Sites = append(s.result.Sites, site)
			s.derive(site, nil)
		}
	}
	s.unfollowed()
	s.values()
	s.formats()
	s.controllers()
	s.typedCalls()
	s.finish()
	return s.result
}

// recordedCall is a call of a recorder's method.
type recordedCall struct {
	place
	shape Shape
}

// site describes a call of a recorder's method.
func (s *scanner) site(c recordedCall) *Site {
	call := c.node.(*ast.CallExpr)
	e := s.evaluator(c.fn, c.pkg)
	site := s.siteAt(c.place, call.Pos())
	site.Call, site.Callee, site.Shape, site.Recorder = call, e.callee(call), c.shape, receiver(call)
	site.Method = c.shape.Name
	site.Scope = Direct
	arg := func(i int) Value {
		if i < 0 || i >= len(call.Args) {
			return Value{}
		}
		return Value{Expr: call.Args[i], Alternatives: e.eval(call.Args[i])}
	}
	object := func(i int) Object {
		if i < 0 || i >= len(call.Args) {
			return Object{}
		}
		return e.object(call.Args[i])
	}
	site.Type, site.Reason, site.Action = arg(c.shape.EventType), arg(c.shape.Reason), arg(c.shape.Action)
	site.Format = arg(c.shape.Message)
	site.Message = e.message(call, c.shape)
	site.Said = s.said(site, s.near(c.fn, c.pkg, false).message(call, c.shape), func() Value {
		return s.near(c.fn, c.pkg, true).message(call, c.shape)
	})
	site.Regarding, site.Related = object(c.shape.Regarding), object(c.shape.Related)
	if i := c.shape.Annotations; i >= 0 && i < len(call.Args) {
		site.Annotations = call.Args[i]
	}
	if len(call.Args) == 1 {
		site.note(Cause{s.prog.Fset.Position(call.Pos()), "call", "the arguments are the results of one call"})
	}
	if site.Reason.isFromCaller() {
		site.Scope = InWrapper
	}
	site.Either = s.several(c.place)
	if s.hidden(c) {
		site.note(Cause{s.prog.Fset.Position(call.Pos()), "call", "the recorder can be of a type that stores something else"})
	}
	for _, fn := range s.at(c.place).unread {
		site.note(Cause{s.prog.Fset.Position(call.Pos()), "recorder", "the source of " + ObjectName(fn) + " is not read; it is taken for a recorder that stores what it gets"})
	}
	return site
}

// inRecorder reports whether a function is a recorder's method of the program, or stands in one:
// its callers are judged.
func (s *scanner) inRecorder(f *function) bool {
	if f == nil || f.decl == nil {
		return false
	}
	outer := s.closures[f.decl]
	return outer != nil && outer.obj != nil && isOwnRecorder(outer)
}

// unfollowed adds the calls of the program's own recorder methods with no library's call found
// behind them, if such a call may be out of sight.
func (s *scanner) unfollowed() {
	found := map[ast.Node]bool{}
	for _, site := range s.result.Sites {
		found[site.Node()] = true
	}
	for _, c := range s.recorded {
		if c.pkg.Dependency || found[c.node] || s.inRecorder(c.fn) || s.direct(c.place) {
			continue
		}
		if f := s.lost(c.place, map[*function]bool{}); f != nil {
			site := s.site(c)
			site.note(Cause{s.prog.Fset.Position(c.node.Pos()), "call", "what " + f.title() + " does with the event is not followed"})
			s.result.Sites = append(s.result.Sites, site)
		}
	}
}

// message returns the text that a call of a recorder's method records.
func (e *evaluator) message(call *ast.CallExpr, shape Shape) Value {
	if shape.Message >= len(call.Args) {
		return Value{}
	}
	v := Value{Expr: call.Args[shape.Message]}
	if shape.Formats {
		v.Alternatives = distinct(e.formatted(call, shape.Message, shape.Message+1))
	} else {
		v.Alternatives = e.eval(v.Expr)
	}
	return v
}

// said returns the value near, whose expressions are usable at the site. If an expression may have
// changed its value before the site, said returns flat instead, which keeps the variables of the
// call.
func (s *scanner) said(site *Site, near Value, flat func() Value) Value {
	if near.symbolic() && site.Reason.symbolic() { // a helper's: its callers decide
		return near
	}
	near = site.opened(near)
	for _, t := range near.Alternatives {
		for _, p := range t.Parts {
			if p.Expr != nil && !s.result.Movable(site, p.Expr, p.Info) {
				return site.opened(flat())
			}
		}
	}
	return near
}

// opened returns a value with the parts of formats that have no arguments. If a struct carries the
// text, a format with a % stays whole, because the struct's reader takes the % for a verb.
func (s *Site) opened(v Value) Value {
	v.Alternatives = slices.Clone(v.Alternatives)
	for i, t := range v.Alternatives {
		if open := t.opened(); s.Fixes == nil || !open.hasPercent() {
			v.Alternatives[i] = open
		}
	}
	return v
}

func (s *scanner) siteAt(p place, pos token.Pos) *Site {
	site := &Site{Pos: s.prog.Fset.Position(pos), Package: p.pkg, File: p.file, fn: p.fn, index: s.index}
	if p.fn != nil {
		site.Func = p.fn.decl
	}
	return site
}

func (s *Site) note(c Cause) {
	if !slices.Contains(s.Notes, c) {
		s.Notes = append(s.Notes, c)
	}
}

// finish drops the sites of dependencies, adds notes about unknown values, and sorts.
func (s *scanner) finish() {
	r := s.result
	r.Sites = slices.DeleteFunc(r.Sites, func(site *Site) bool { return site.Package.Dependency })
	for _, site := range r.Sites {
		s.explain(site)
	}
	for _, u := range s.unseen {
		r.Left = append(r.Left, Cause{s.prog.Fset.Position(u.node.Pos()), "call", "a recorder's method is used as a value: calls through the value are not seen"})
	}
	slices.SortStableFunc(r.Sites, func(a, b *Site) int { return cmp.Or(ByPosition(a.Pos, b.Pos), cmp.Compare(a.key(), b.key())) })
	r.Sites = slices.CompactFunc(r.Sites, func(a, b *Site) bool { return a.Pos == b.Pos && a.key() == b.key() })
	slices.SortFunc(r.Left, func(a, b Cause) int { return ByPosition(a.Pos, b.Pos) })
}

// key identifies the event of a site, as it is shown. Two sites at one place with the same key are
// one site.
func (s *Site) key() string {
	return strings.Join([]string{
		string(s.Scope), s.Shape.Name, string(s.Shape.API), s.Type.String(), s.Reason.String(), s.Action.String(), s.Message.Formats(),
		s.Regarding.String(),
	}, "\x00")
}

// explain notes why values are unknown. It drops an empty reason beside others, because nobody
// wants an entry for it. It also drops types and actions of missing elements and fields.
func (s *scanner) explain(site *Site) {
	if site.Scope == InWrapper { // its callers decide
		return
	}
	site.Reason.Alternatives = s.withoutEmpty(site)
	s.withoutMissing(site, "type", &site.Type, func(via *Site) Value { return via.Type })
	s.withoutMissing(site, "action", &site.Action, func(via *Site) Value { return via.Action })
	s.explainValue(site, "reason", site.Reason)
	s.explainValue(site, "type", site.Type)
	s.explainValue(site, "action", site.Action)
	for _, t := range site.Message.Alternatives { // its other parts need not be known
		if i := slices.IndexFunc(t.Parts, func(p Part) bool { return p.Cause == manyParts }); i >= 0 {
			site.note(Cause{s.prog.Fset.Position(t.Parts[i].Expr.Pos()), "message", manyParts})
		}
	}
}

func (s *scanner) explainValue(site *Site, what string, v Value) {
	for _, t := range v.Alternatives {
		for _, p := range t.Args() {
			site.note(Cause{s.prog.Fset.Position(p.Expr.Pos()), what, cmp.Or(p.Cause, "it is computed at run time")})
		}
	}
}

// withoutEmpty drops the empty alternative of a reason, and the texts that belong to it.
func (s *scanner) withoutEmpty(site *Site) []Text {
	var kept []Text
	dropped := map[ast.Node]bool{}
	for _, t := range site.Reason.Alternatives {
		if text, ok := t.Constant(); ok && text == "" {
			dropped[t.Def] = true
		} else {
			kept = append(kept, t)
		}
	}
	if len(kept) == 0 || len(kept) == len(site.Reason.Alternatives) {
		return site.Reason.Alternatives
	}
	if !s.checked(site, func(via *Site) Value { return via.Reason }) {
		then := "the event is recorded without a reason"
		if site.Shape.API == Events {
			then = "the events API refuses the event"
		}
		site.Empty = append(site.Empty, "reason")
		site.note(Cause{site.Pos, "reason", "it can also be empty: then " + then})
	}
	for _, v := range []*Value{&site.Type, &site.Action, &site.Message, &site.Said, &site.Format} {
		if len(v.Alternatives) > 1 {
			v.Alternatives = slices.DeleteFunc(slices.Clone(v.Alternatives), func(t Text) bool { return t.Def != nil && dropped[t.Def] })
		}
	}
	return kept
}

// withoutMissing drops the alternative of a value that stands for a missing element or field.
func (s *scanner) withoutMissing(site *Site, what string, v *Value, of func(*Site) Value) {
	kept := slices.DeleteFunc(slices.Clone(v.Alternatives), func(t Text) bool { return t.How == Missing })
	if len(kept) == 0 || len(kept) == len(v.Alternatives) {
		return
	}
	if v.Alternatives = kept; !s.checked(site, of) {
		site.Empty = append(site.Empty, what)
	}
}

// checked reports whether the site, or a call on the way to the recorder, checks that a value is
// not empty.
func (s *scanner) checked(site *Site, of func(*Site) Value) bool {
	way := append([]*Site{site}, site.Via...)
	for i, at := range way {
		x := of(at).Expr
		if x == nil && i+1 < len(way) {
			x = handedArgument(of(way[i+1]), at.Call)
		}
		if x != nil && at.Call != nil && at.fn != nil && s.evaluator(at.fn, at.Package).checked(x, at.Call) {
			return true
		}
	}
	return false
}

// handedArgument returns the argument of a call that the called function passes on as a value, or
// nil.
func handedArgument(v Value, call *ast.CallExpr) ast.Expr {
	if call == nil || len(v.Alternatives) != 1 || len(v.Alternatives[0].Parts) != 1 || v.Alternatives[0].Parts[0].param == nil {
		return nil
	}
	p := v.Alternatives[0].Parts[0].param
	return (&binding{fn: p.fn, call: call}).of(p)
}
