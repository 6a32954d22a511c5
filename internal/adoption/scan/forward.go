package scan

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// mostForwards bounds the length of a chain of wrappers.
const mostForwards = 8

// derive finds the sites that fix the reason of a wrapper. via lists the wrappers after site.
func (s *scanner) derive(site *Site, via []*Site) {
	if !site.Reason.isFromCaller() {
		return
	}
	if len(via) > mostForwards {
		s.result.Left = append(s.result.Left, Cause{site.Pos, "callers", fmt.Sprintf("more than %d wrappers pass the event on; their callers are not followed", mostForwards)})
		return
	}
	via = append([]*Site{site}, via...)
	for _, source := range sourcesOf(site.Reason) {
		switch {
		case source.field == nil && s.isProxy(source.param.fn): // calls of it are sites already
		case source.field == nil:
			s.callers(site, source.param.fn, via)
		case source.field.decoded:
			s.literalsOf(site, source.field, via)
		default:
			s.carriers(site, source.field, via)
		}
	}
}

// isProxy reports whether a function is a recorder's method that passes on its arguments.
func (s *scanner) isProxy(f *function) bool {
	return f.obj != nil && isOwnRecorder(f) && s.storesArguments(f)
}

// sourcesOf returns the parts that are parameters or fields, each once.
func sourcesOf(v Value) []Part {
	var out []Part
	seen := map[any]bool{}
	for _, t := range v.Alternatives {
		for _, p := range t.leaves() {
			var key any
			switch {
			case p.field != nil && p.field.root != nil:
				key = p.field.key()
			case p.param != nil:
				key = *p.param
			}
			if key != nil && !seen[key] {
				seen[key] = true
				out = append(out, p)
			}
		}
	}
	return out
}

// callers adds the calls of a wrapper as sites.
func (s *scanner) callers(site *Site, fn *function, via []*Site) {
	calls := s.newCalls(site, fn)
	for _, c := range calls {
		frames := s.frames(c, fn, via)
		if neverReached(frames, via) {
			continue
		}
		d := s.derivedCall(site, c, fn, via)
		for _, v := range []*Value{&d.Type, &d.Reason, &d.Action, &d.Message, &d.Format, &d.Said} {
			*v = decided(*v, frames)
		}
		s.keep(d, via)
	}
	for _, v := range s.asValue[fn.key] {
		s.result.Left = append(s.result.Left, Cause{
			s.prog.Fset.Position(v.node.Pos()), "callers", fn.name() + " forwards events and is used as a value: calls through the value are not followed",
		})
	}
	if len(calls) == 0 && !(fn.obj != nil && isOwnRecorder(fn)) {
		site.note(Cause{site.Pos, "callers", "no call of " + fn.name() + " is among the packages that were read"})
	}
}

// newCalls returns the calls of a wrapper that were not followed for the site before, without
// calls in the wrapper itself.
func (s *scanner) newCalls(site *Site, fn *function) []place {
	return slices.DeleteFunc(s.callsOf(fn), func(c place) bool {
		passed := s.recording[c.node] && s.storesArgumentsAt(c, fn) // it is direct
		return passed || c.fn == fn || !s.first(site, c.node)
	})
}

// first reports whether a place is followed for the site for the first time.
func (s *scanner) first(site *Site, at ast.Node) bool {
	key := [2]any{site, at}
	seen := s.seen[key]
	s.seen[key] = true
	return !seen
}

// literalsOf adds the calls that pass a literal with the reason in its field. If there are none,
// the site's reason is decoded at run time, and the site itself is what records.
func (s *scanner) literalsOf(site *Site, ref *fieldRef, via []*Site) {
	fn, found := ref.root.fn, false
	var unknown []Cause
	for _, c := range s.newCalls(site, fn) {
		d := s.derivedCall(site, c, fn, via)
		if len(d.Reason.Constants()) == 0 && !d.Reason.dependsOnParam() {
			unknown = append(unknown, Cause{d.Pos, "callers", "this call of " + fn.name() + " passes a reason that is decoded at run time"})
			continue
		}
		found = true
		s.keep(d, via)
	}
	if !found {
		site.Scope = Direct
		if len(site.Via) > 0 {
			site.Scope = ThroughWrapper
		}
		return
	}
	s.result.Left = append(s.result.Left, unknown...)
}

func (v Value) dependsOnParam() bool {
	return slices.ContainsFunc(v.Alternatives, func(t Text) bool {
		return slices.ContainsFunc(t.leaves(), func(p Part) bool { return p.param != nil })
	})
}

// keep adds a site behind a wrapper. If the site is a wrapper too, keep looks for the sites that
// fix its reason.
func (s *scanner) keep(d *Site, via []*Site) {
	s.result.Sites = append(s.result.Sites, d)
	if d.Scope == InWrapper {
		s.derive(d, via)
	}
}

// derivedCall describes the call of a wrapper as a site.
func (s *scanner) derivedCall(of *Site, at place, fn *function, via []*Site) *Site {
	call := at.node.(*ast.CallExpr)
	d := s.derived(of, at, &binding{e: s.evaluator(at.fn, at.pkg), fn: fn, call: call}, via)
	d.Method, d.Callee = fn.name(), Callee(at.pkg.Info, call)
	if s.recording[call] {
		d.Either = s.several(at)
	}
	return d
}

// derived describes the site at a place that passes values to a wrapper.
func (s *scanner) derived(of *Site, at place, b *binding, via []*Site) *Site {
	d := s.siteAt(at, at.node.Pos())
	if d.Call = b.call; d.Call == nil {
		d.Fixes = at.node
	}
	d.Shape, d.Recorder, d.Via, d.Annotations = of.Shape, of.Recorder, via, of.Annotations
	d.Type, d.Reason, d.Action = b.value(of.Type), b.value(of.Reason), b.value(of.Action)
	d.Said = s.said(d, b.near(false).value(of.Said), func() Value { return b.near(true).value(of.Said) })
	d.Message, d.Format = b.value(of.Message), b.value(of.Format)
	d.Regarding, d.Related = b.object(of.Regarding), b.object(of.Related)
	d.Scope = ThroughWrapper
	if d.Reason.isFromCaller() {
		d.Scope = InWrapper
	}
	return d
}

// carriers adds the literals and assignments that store the reason in a field of a struct.
func (s *scanner) carriers(site *Site, ref *fieldRef, via []*Site) {
	found := false
	for _, l := range s.literals[ref.owner] {
		lit := l.node.(*ast.CompositeLit)
		if _, ok := Element(l.pkg.Info, lit, ref.name); ok && !leadsBack(lit, via) && s.first(site, lit) {
			found = true
			s.carrier(site, l, &binding{carrier: ref.owner, literal: lit}, via)
		}
	}
	for _, a := range s.assigns[ref.key()] {
		if a.value != nil && !leadsBack(a.node, via) && s.first(site, a.node) {
			found = true
			s.carrier(site, a.place, &binding{carrier: ref.owner, base: a.base, set: ref.name, to: a.value}, via)
		}
	}
	if !found {
		site.note(Cause{site.Pos, "callers", "nothing that was read gives the field " + shortOwner(ref.owner) + "." + ref.name + " a value"})
	}
}

// leadsBack reports whether a literal or an assignment is on the way already, because it copies a
// struct of its own type.
func leadsBack(n ast.Node, via []*Site) bool {
	return slices.ContainsFunc(via, func(v *Site) bool { return v.Fixes == n })
}

func (s *scanner) carrier(site *Site, at place, b *binding, via []*Site) {
	b.e = s.evaluator(at.fn, at.pkg)
	d := s.derived(site, at, b, via)
	d.Method = shortOwner(b.carrier)
	if text, ok := d.Reason.Constant(); !ok || text != "" {
		s.keep(d, via)
	}
}

func shortOwner(owner string) string {
	if strings.HasPrefix(owner, "struct{") {
		return "struct"
	}
	return owner[strings.LastIndexAny(owner, "./")+1:]
}

// callsOf returns the calls of a function: static calls, calls through interfaces that its receiver
// implements, and calls of the variable that holds a function literal. An interface of recorders
// stands for the types that code puts into it.
func (s *scanner) callsOf(fn *function) []place {
	out := slices.Clone(s.calls[fn.key])
	if fn.obj == nil {
		return append(out, s.varCalls[fn.holder]...)
	}
	for _, c := range s.dynamic[fn.obj.Name()] {
		method := Callee(c.pkg.Info, c.node.(*ast.CallExpr))
		if _, records := ShapeOf(method); records && s.enters(c, fn) || !records && answers(fn.obj, method) {
			out = append(out, c)
		}
	}
	return out
}

// answers reports whether a call through an interface's method can enter fn: fn has the method's
// name and parameters, and its type has all methods of the interface. answers compares names,
// because a type that is read twice is not identical to itself.
func answers(fn, method *types.Func) bool {
	if fn == nil || method == nil || fn.Name() != method.Name() || fn.Signature().Recv() == nil || method.Signature().Recv() == nil {
		return false
	}
	iface, ok := method.Signature().Recv().Type().Underlying().(*types.Interface)
	return ok && hasMethods(types.NewPointer(Deref(fn.Signature().Recv().Type())), iface) && Parameters(fn) == Parameters(method)
}

// Parameters returns the types of a function's parameters as text.
func Parameters(fn *types.Func) (text string) {
	for v := range fn.Signature().Params().Variables() {
		text += typeKey(v.Type()) + ","
	}
	return text
}

// values resolves types and actions that callers pass, if all callers pass constants.
func (s *scanner) values() {
	for _, site := range s.result.Sites {
		if site.Scope == InWrapper {
			continue
		}
		for _, v := range []*Value{&site.Type, &site.Action} {
			if v.symbolic() {
				s.fromCallers(site, v)
			}
		}
	}
}

func (s *scanner) fromCallers(site *Site, v *Value) {
	all := *v
	for range mostForwards {
		if !all.symbolic() {
			break
		}
		var next []Text
		for _, t := range all.Alternatives {
			next = append(next, s.oneStepUp(t)...)
		}
		all.Alternatives = distinct(next)
	}
	if all.Closed() {
		v.Alternatives = all.Alternatives
	}
}

// oneStepUp returns the texts that callers pass for the first part that is a parameter.
func (s *scanner) oneStepUp(t Text) []Text {
	for _, p := range t.leaves() {
		if p.param == nil {
			continue
		}
		var out []Text
		for _, c := range s.callsOf(p.param.fn) {
			b := &binding{e: s.evaluator(c.fn, c.pkg), fn: p.param.fn, call: c.node.(*ast.CallExpr)}
			out = append(out, b.texts([]Text{t})...)
		}
		return undefined(out)
	}
	return []Text{t}
}
