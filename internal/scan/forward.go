package scan

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// mostForwards bounds the length of a chain of forwarders.
const mostForwards = 8

// derive finds the sites that fix the reason of a forwarder. via lists the forwarders after site.
func (s *scanner) derive(site *Site, via []*Site) {
	if !site.Reason.symbolic() || len(via) > mostForwards || s.isProxy(site) {
		return
	}
	via = append([]*Site{site}, via...)
	for _, source := range sourcesOf(site.Reason) {
		switch {
		case source.field == nil:
			s.callers(site, source.param.fn, via)
		case source.field.decoded:
			s.passed(site, source.field, via)
		default:
			s.carriers(site, source.field, via)
		}
	}
}

// isProxy reports whether the site's function is itself a recorder's method: calls of that method are sites already.
func (s *scanner) isProxy(site *Site) bool {
	if site.fn == nil || site.fn.obj == nil || site.Callee == nil {
		return false
	}
	_, proxy := ShapeOf(site.fn.obj)
	return proxy
}

// source is a parameter or a field that a reason depends on.
type source struct {
	param *paramRef
	field *fieldRef
}

func sourcesOf(v Value) []source {
	var out []source
	seen := map[string]bool{}
	for _, t := range v.Alternatives {
		for _, p := range t.Parts {
			key := ""
			switch {
			case p.field != nil && p.field.root != nil:
				key = p.field.owner + "." + p.field.name
			case p.param != nil:
				key = fmt.Sprintf("%s#%d", p.param.fn.key, p.param.index)
			}
			if key != "" && !seen[key] {
				seen[key] = true
				out = append(out, source{p.param, p.field})
			}
		}
	}
	return out
}

// callers adds the calls of a forwarder as sites.
func (s *scanner) callers(site *Site, fn *function, via []*Site) {
	found := false
	for _, c := range s.callsOf(fn) {
		if c.fn == fn || s.seen[[2]any{site, c.node}] {
			continue
		}
		s.seen[[2]any{site, c.node}] = true
		found = true
		call := c.node.(*ast.CallExpr)
		frames := s.frames(c, fn, via)
		if passesBy(frames, via) {
			continue
		}
		d := s.derived(site, c, &binding{e: s.evaluator(c.fn, c.pkg), fn: fn, call: call}, via)
		for _, v := range []*Value{&d.Type, &d.Reason, &d.Action, &d.Message, &d.Format, &d.Said} {
			*v = decided(*v, frames)
		}
		d.Call, d.Method = call, fn.name()
		d.Callee = s.evaluator(c.fn, c.pkg).callee(call)
		s.keep(d, via)
	}
	for _, v := range s.asValue[fn.key] {
		s.result.Left = append(s.result.Left, Cause{
			s.prog.Fset.Position(v.node.Pos()), "callers", fn.name() + " forwards events and is used as a value: calls through the value are not followed",
		})
	}
	if !found {
		site.note(Cause{site.Pos, "callers", "no call of " + fn.name() + " is among the packages that were read"})
	}
}

// passed adds the calls that pass a literal whose field is the reason. If no call does, the site's reason is decoded at run time, and the
// site is direct.
func (s *scanner) passed(site *Site, ref *fieldRef, via []*Site) {
	fn, found := ref.root.fn, false
	var unknown []Cause
	for _, c := range s.callsOf(fn) {
		if c.fn == fn || s.seen[[2]any{site, c.node}] {
			continue
		}
		s.seen[[2]any{site, c.node}] = true
		call := c.node.(*ast.CallExpr)
		d := s.derived(site, c, &binding{e: s.evaluator(c.fn, c.pkg), fn: fn, call: call}, via)
		if len(d.Reason.Constants()) == 0 && len(literalFree(d.Reason)) == 0 {
			unknown = append(unknown, Cause{s.prog.Fset.Position(call.Pos()), "callers", "this call of " + fn.name() + " passes a reason that is decoded at run time"})
			continue
		}
		found = true
		d.Call, d.Method = call, fn.name()
		d.Callee = s.evaluator(c.fn, c.pkg).callee(call)
		s.keep(d, via)
	}
	if !found {
		site.Scope = Direct
		return
	}
	for _, c := range unknown {
		site.note(c)
	}
}

// literalFree returns the alternatives that depend on a parameter.
func literalFree(v Value) []Text {
	return slices.DeleteFunc(slices.Clone(v.Alternatives), func(t Text) bool {
		return !slices.ContainsFunc(t.Parts, func(p Part) bool { return p.param != nil })
	})
}

// keep adds a derived site. If the site is a forwarder too, keep looks for the sites that fix its reason.
func (s *scanner) keep(d *Site, via []*Site) {
	s.result.Sites = append(s.result.Sites, d)
	if d.Scope == Forwarder {
		s.derive(d, via)
	}
}

// derived describes the site at a place that passes values to a forwarder.
func (s *scanner) derived(of *Site, at place, b *binding, via []*Site) *Site {
	d := s.siteAt(at, at.node.Pos())
	d.Call, _ = at.node.(*ast.CallExpr)
	if d.Call == nil {
		d.Fixes = at.node
	}
	d.Said = s.said(d, Value{Alternatives: b.near(false).texts(of.Said.Alternatives)}, func() Value {
		return Value{Alternatives: b.near(true).texts(of.Said.Alternatives)}
	})
	d.Shape, d.Recorder, d.Via, d.Annotations = of.Shape, of.Recorder, via, of.Annotations
	d.Type = Value{Alternatives: b.texts(of.Type.Alternatives)}
	d.Reason = Value{Alternatives: b.texts(of.Reason.Alternatives)}
	d.Action = Value{Alternatives: b.texts(of.Action.Alternatives)}
	d.Message = Value{Alternatives: b.texts(of.Message.Alternatives)}
	d.Format = Value{Alternatives: b.texts(of.Format.Alternatives)}
	d.Regarding, d.Related = b.object(of.Regarding), b.object(of.Related)
	d.Scope = Derived
	if d.Reason.symbolic() {
		d.Scope = Forwarder
	}
	return d
}

// carriers adds the literals and assignments that store the reason in a field of a struct.
func (s *scanner) carriers(site *Site, ref *fieldRef, via []*Site) {
	found := false
	for _, l := range s.literals[ref.owner] {
		lit := l.node.(*ast.CompositeLit)
		if _, ok := element(l.pkg.Info, lit, ref.name); !ok || s.seen[[2]any{site, lit}] {
			continue
		}
		s.seen[[2]any{site, lit}], found = true, true
		e := s.evaluator(l.fn, l.pkg)
		b := &binding{e: e, carrier: ref.owner, literal: lit}
		s.carrier(site, l, b, ref, via)
	}
	for _, a := range s.assigns[ref.owner+"."+ref.name] {
		if a.value == nil || s.seen[[2]any{site, a.node}] {
			continue
		}
		s.seen[[2]any{site, a.node}], found = true, true
		b := &binding{e: s.evaluator(a.fn, a.pkg), carrier: ref.owner, base: a.base, set: ref.name, to: a.value}
		s.carrier(site, a.place, b, ref, via)
	}
	if !found {
		site.note(Cause{site.Pos, "callers", "nothing that was read gives the field " + shortField(ref) + " a value"})
	}
}

func (s *scanner) carrier(site *Site, at place, b *binding, ref *fieldRef, via []*Site) {
	d := s.derived(site, at, b, via)
	d.Fixes, d.Method = at.node, shortOwner(ref.owner)
	if text, ok := d.Reason.Constant(); ok && text == "" {
		return
	}
	s.keep(d, via)
}

func shortOwner(owner string) string {
	if strings.HasPrefix(owner, "struct{") {
		return "struct"
	}
	return owner[strings.LastIndexAny(owner, "./")+1:]
}

func shortField(ref *fieldRef) string { return shortOwner(ref.owner) + "." + ref.name }

// callsOf returns the calls of a function: static calls, calls through interfaces that its receiver implements, and calls of the variable
// that holds a function literal.
func (s *scanner) callsOf(fn *function) []place {
	out := slices.Clone(s.calls[fn.key])
	if fn.obj == nil {
		if fn.holder != nil {
			out = append(out, s.varCalls[fn.holder]...)
		}
		return out
	}
	recv := fn.obj.Signature().Recv()
	if recv == nil {
		return out
	}
	for _, c := range s.dynamic[fn.obj.Name()] {
		callee := s.evaluator(c.fn, c.pkg).callee(c.node.(*ast.CallExpr))
		if callee != nil && implements(recv.Type(), callee) && signatureText(callee) == signatureText(fn.obj) {
			out = append(out, c)
		}
	}
	return out
}

// implements reports whether a type has all methods of the interface that declares a method. It compares names, because a type that is
// read twice is not identical to itself.
func implements(t types.Type, method *types.Func) bool {
	iface, ok := method.Signature().Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return false
	}
	set := types.NewMethodSet(types.NewPointer(deref(t)))
	for i := range iface.NumMethods() {
		m := iface.Method(i)
		if !slices.ContainsFunc(methodNames(set), func(name string) bool { return name == m.Name() }) {
			return false
		}
	}
	return true
}

func methodNames(set *types.MethodSet) []string {
	names := make([]string, set.Len())
	for i := range names {
		names[i] = set.At(i).Obj().Name()
	}
	return names
}

func signatureText(fn *types.Func) string {
	sig := fn.Signature()
	q := func(p *types.Package) string { return realPath(p.Path()) }
	var b strings.Builder
	for i := range sig.Params().Len() {
		b.WriteString(types.TypeString(sig.Params().At(i).Type(), q) + ",")
	}
	return b.String()
}

// values resolves types and actions that callers pass, if all callers pass constants.
func (s *scanner) values() {
	for _, site := range s.result.Sites {
		if site.Scope == Forwarder {
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
	for _, p := range t.Parts {
		if p.param == nil {
			continue
		}
		var out []Text
		for _, c := range s.callsOf(p.param.fn) {
			b := &binding{e: s.evaluator(c.fn, c.pkg), fn: p.param.fn, call: c.node.(*ast.CallExpr)}
			out = append(out, b.texts([]Text{t})...)
		}
		for i := range out {
			out[i].Def = nil
		}
		return out
	}
	return []Text{t}
}
