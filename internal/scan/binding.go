package scan

import (
	"go/ast"
	"go/types"
	"slices"
)

// binding replaces the parameters of a function by the arguments of one call. If a literal or an assignment fills a carrier, the binding
// replaces the carrier's fields by the values they get.
type binding struct {
	e    *evaluator // at the call, or the literal
	fn   *function
	call *ast.CallExpr
	// carrier is the type of the struct whose fields get values: from literal, or from the assignment base.set = to.
	carrier string
	literal *ast.CompositeLit
	base    ast.Expr
	set     string
	to      ast.Expr
}

// near returns the same binding, with values that use only expressions of the caller.
func (b *binding) near(flat bool) *binding {
	out := *b
	out.e = b.e.near(b.e.fn, b.e.pkg, flat)
	return &out
}

// given returns the expression that the literal or the assignment stores in a field of the carrier.
func (b *binding) given(field string) (ast.Expr, bool) {
	if b.literal != nil {
		if x, ok := element(b.e.pkg.Info, b.literal, field); ok {
			return x, true
		}
	} else if field == b.set {
		return b.to, true
	}
	return nil, false
}

// elements returns the values of a carrier's field. If the literal does not set the field, assignments in the same function may.
func (b *binding) elements(p Part) []Text {
	if x, ok := b.given(p.field.name); ok {
		return b.e.eval(x)
	}
	var out []Text
	for _, a := range b.e.assigns[p.field.owner+"."+p.field.name] {
		if a.value != nil && a.fn != nil && b.e.fn != nil && a.fn.decl == b.e.fn.decl {
			out = append(out, b.e.in(a.fn, a.pkg).eval(a.value)...)
		}
	}
	switch {
	case len(out) > 0:
		return distinct(out)
	case b.literal != nil:
		return b.unset(p)
	}
	ref := &fieldRef{owner: p.field.owner, name: p.field.name}
	if texts := b.e.localField(b.base, ref); texts != nil {
		return texts
	}
	p.field, p.param, p.Cause = nil, nil, "the field "+ref.name+" is set elsewhere"
	return []Text{{Parts: []Part{p}, How: Runtime, Info: p.Info}}
}

// arg returns the argument for a parameter, or nil if no single expression of the call is that argument.
func (b *binding) arg(index int) ast.Expr {
	if b.call == nil {
		return nil
	}
	if index < 0 {
		return receiver(b.call)
	}
	params := b.fn.sig.Params().Len()
	if b.fn.sig.Variadic() && index == params-1 {
		if b.call.Ellipsis.IsValid() || len(b.call.Args) == params {
			return b.call.Args[len(b.call.Args)-1]
		}
		return nil
	}
	if index >= len(b.call.Args) || len(b.call.Args) < params-1 {
		return nil
	}
	return b.call.Args[index]
}

func (b *binding) texts(texts []Text) []Text {
	var out []Text
	for _, t := range texts {
		out = append(out, b.text(t)...)
		if len(out) > mostAlternatives {
			return out[:mostAlternatives]
		}
	}
	return distinct(out)
}

// text replaces the parts of one text. Alternatives of several parts multiply.
func (b *binding) text(t Text) []Text {
	if !slices.ContainsFunc(t.Parts, b.concerns) {
		return []Text{t}
	}
	if len(t.Parts) == 1 {
		return b.whole(t)
	}
	out := []Text{{}}
	for _, p := range t.Parts {
		out = b.e.product(out, b.part(p))
		if out == nil {
			return []Text{t}
		}
	}
	for i := range out {
		out[i].Pos, out[i].Info, out[i].Def = t.Pos, t.Info, t.Def
	}
	return out
}

// whole replaces a text of a single part, and keeps the form in which the caller writes the value.
func (b *binding) whole(t Text) []Text {
	out := slices.Clone(b.part(t.Parts[0]))
	for i := range out {
		if out[i].Def == nil {
			out[i].Def = t.Def
		}
	}
	return out
}

func (b *binding) concerns(p Part) bool {
	if p.format != nil {
		return b.concernsArgs(p.args) || slices.ContainsFunc(p.format, b.concerns)
	}
	if p.param != nil && p.param.fn == b.fn && b.call != nil {
		return true
	}
	if p.field == nil {
		return false
	}
	if b.carrier != "" && p.field.owner == b.carrier {
		return true
	}
	return b.call != nil && p.field.root != nil && p.field.root.fn == b.fn
}

func (b *binding) concernsArgs(a *formatArgs) bool {
	return a.rest != nil && a.rest.fn == b.fn && b.fn != nil || slices.ContainsFunc(a.parts, b.concerns)
}

// part returns the texts that replace one part.
func (b *binding) part(p Part) []Text {
	if !b.concerns(p) {
		return []Text{{Parts: []Part{p}, How: Runtime, Info: p.Info}}
	}
	if p.format != nil {
		return b.format(p)
	}
	if p.Verb != "" && p.Verb != "%s" && p.Verb != "%v" {
		return b.kept(p)
	}
	if p.Type != nil && !isString(p.Type) {
		return b.kept(p)
	}
	return b.value(p)
}

// value returns the texts that the caller passes for a part of string type.
func (b *binding) value(p Part) []Text {
	if b.carrier != "" && p.field != nil && p.field.owner == b.carrier {
		return b.elements(p)
	}
	if p.field != nil {
		if arg := b.arg(p.field.root.index); arg != nil {
			return b.e.fieldOf(arg, p.field, p)
		}
	} else if arg := b.arg(p.param.index); arg != nil {
		return b.e.eval(arg)
	}
	p.param, p.field, p.Cause = nil, nil, "the call gives no argument that can be followed"
	return []Text{{Parts: []Part{p}, How: Runtime, Info: p.Info}}
}

// kept returns a part that stays an argument with its verb, as the caller's expression.
func (b *binding) kept(p Part) []Text {
	arg := ast.Expr(nil)
	if p.param != nil {
		arg = b.arg(p.param.index)
	}
	if arg == nil {
		p.param, p.field = nil, nil
		return []Text{{Parts: []Part{p}, How: Runtime, Info: p.Info}}
	}
	n := b.e.argument(arg)
	n.Verb, n.Cause = p.Verb, p.Cause
	return []Text{{Parts: []Part{n}, How: Runtime, Info: n.Info}}
}

// format expands a format that the caller passes. Its arguments belong to the function or to the caller.
func (b *binding) format(p Part) []Text {
	args := b.formatArgs(p.args)
	var out []Text
	for _, f := range b.texts([]Text{{Parts: p.format, How: Runtime, Info: p.Info}}) {
		if s, ok := f.Constant(); ok {
			t := b.e.expand(s, args.parts)
			t.How, t.Pos, t.Info = Runtime, f.Pos, b.e.pkg.Info
			if _, ok := t.Constant(); ok {
				t.How = f.How
			}
			out = append(out, t)
			continue
		}
		if !f.symbolic() {
			out = append(out, f)
			continue
		}
		p.format, p.args = f.Parts, args
		out = append(out, Text{Parts: []Part{p}, How: Runtime, Pos: f.Pos, Info: p.Info})
	}
	return out
}

func (b *binding) formatArgs(a *formatArgs) *formatArgs {
	out := &formatArgs{rest: a.rest}
	for _, p := range a.parts {
		if p.param != nil && p.param.fn == b.fn && b.call != nil {
			if arg := b.arg(p.param.index); arg != nil {
				p = b.e.argument(arg)
			}
		}
		out.parts = append(out.parts, p)
	}
	if a.rest != nil && a.rest.fn == b.fn && b.fn != nil && b.call != nil {
		more := b.e.arguments(b.call, a.rest.index)
		out.parts, out.rest = append(out.parts, more.parts...), more.rest
	}
	return out
}

// object returns the caller's expression for an object of the function.
func (b *binding) object(o Object) Object {
	if o.param != nil && o.param.fn == b.fn && b.call != nil {
		if arg := b.arg(o.param.index); arg != nil {
			return b.e.object(arg)
		}
	}
	if o.field != nil && b.carrier != "" && o.field.owner == b.carrier {
		if x, ok := b.given(o.field.name); ok {
			return b.e.object(x)
		}
	}
	return o
}

// object describes an argument that names the regarding or related object.
func (e *evaluator) object(x ast.Expr) Object {
	o := Object{Expr: x, Info: e.pkg.Info}
	if tv, ok := e.pkg.Info.Types[x]; ok {
		o.Nil = tv.IsNil()
	}
	o.Types = e.objectTypes(x, 0)
	switch base := unwrapped(e.pkg.Info, x).(type) {
	case *ast.Ident:
		o.param = e.untouched(base)
	case *ast.SelectorExpr:
		if owner := fieldOwner(e.pkg.Info, base); owner != "" {
			o.field = &fieldRef{owner: owner, name: base.Sel.Name, root: e.root(base.X, 0)}
		}
	}
	return o
}

// unwrapped removes parentheses and conversions.
func unwrapped(info *types.Info, x ast.Expr) ast.Expr {
	for {
		x = ast.Unparen(x)
		c, ok := x.(*ast.CallExpr)
		if !ok || len(c.Args) != 1 || !info.Types[c.Fun].IsType() {
			return x
		}
		x = c.Args[0]
	}
}

// objectTypes returns the types that an object can have. If the static type of a local variable is an interface, these are the types of
// the values assigned to it.
func (e *evaluator) objectTypes(x ast.Expr, depth int) []types.Type {
	x = unwrapped(e.pkg.Info, x)
	t := e.pkg.Info.TypeOf(x)
	if t == nil {
		return nil
	}
	id, ok := x.(*ast.Ident)
	if !ok || !types.IsInterface(t) || depth > mostDepth {
		return []types.Type{t}
	}
	v, ok := e.pkg.Info.Uses[id].(*types.Var)
	if !ok || isGlobal(v) || e.busy[v] {
		return []types.Type{t}
	}
	e.busy[v] = true
	defer delete(e.busy, v)
	defs, entry := e.reaching(v, e.fn, id.Pos())
	if entry && e.fn.owner(v) != nil {
		return []types.Type{t}
	}
	var out []types.Type
	for _, d := range defs {
		switch {
		case d.kind == zeroed:
		case d.kind == assigned:
			for _, found := range e.in(d.fn, d.pkg).objectTypes(d.rhs, depth+1) {
				if !slices.ContainsFunc(out, func(o types.Type) bool { return types.Identical(o, found) }) {
					out = append(out, found)
				}
			}
		default:
			return []types.Type{t}
		}
	}
	if len(out) == 0 {
		return []types.Type{t}
	}
	return out
}
