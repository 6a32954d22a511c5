package scan

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
)

// binding replaces the parameters of a function by the arguments of one call. If a literal or an
// assignment fills a carrier, the binding replaces the carrier's fields by their new values.
type binding struct {
	e    *evaluator // at the call, or the literal
	fn   *function
	call *ast.CallExpr
	// carrier is the type of the struct whose fields get values: from literal, or from the
	// assignment base.set = to.
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
		if x, ok := Element(b.e.pkg.Info, b.literal, field); ok {
			return x, true
		}
	} else if field == b.set {
		return b.to, true
	}
	return nil, false
}

// elements returns the values of a carrier's field. If the literal does not set the field,
// assignments in the same function may.
func (b *binding) elements(p Part) []Text {
	if x, ok := b.given(p.field.name); ok {
		return b.e.eval(x)
	}
	var out []Text
	for _, a := range b.e.assigns[p.field.key()] {
		if a.value != nil && b.e.together(a) {
			out = append(out, b.e.in(a.fn, a.pkg).eval(a.value)...)
		}
	}
	switch {
	case len(out) > 0:
		return distinct(out)
	case b.literal != nil:
		return b.unset(p)
	}
	if texts := b.e.localField(b.base, p.field); texts != nil {
		return texts
	}
	return p.unresolved("the field " + p.field.name + " is set elsewhere")
}

// unresolved returns the part as a text whose value no caller decides.
func (p Part) unresolved(cause string) []Text {
	p.param, p.field, p.pure, p.Cause = nil, nil, nil, cause
	return p.text()
}

func (p Part) text() []Text { return []Text{{Parts: []Part{p}, How: Runtime, Info: p.Info}} }

// of returns the argument for a parameter, or nil if the argument is no single expression of the
// call.
func (b *binding) of(p *paramRef) ast.Expr {
	if !b.binds(p) {
		return nil
	}
	if p.index < 0 {
		return receiver(b.call)
	}
	params := b.fn.sig.Params().Len()
	if p.isVariadic() {
		if b.call.Ellipsis.IsValid() {
			return b.call.Args[len(b.call.Args)-1]
		}
		return nil
	}
	if p.index >= len(b.call.Args) || len(b.call.Args) < params-1 {
		return nil
	}
	return b.call.Args[p.index]
}

// value replaces the parameters in a value.
func (b *binding) value(v Value) Value { return Value{Alternatives: b.texts(v.Alternatives)} }

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
	if len(t.Parts) == 1 { // this keeps the form in which the caller writes the value
		out := slices.Clone(b.part(t.Parts[0]))
		for i := range out {
			out[i].Def, out[i].entry = cmp.Or(out[i].Def, t.Def), cmp.Or(out[i].entry, t.entry)
		}
		return out
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

func (b *binding) concerns(p Part) bool {
	if p.format != nil {
		return b.binds(p.args.rest) || slices.ContainsFunc(p.args.parts, b.concerns) || slices.ContainsFunc(p.format, b.concerns)
	}
	if p.pure != nil {
		return slices.ContainsFunc(p.leaves(), b.concerns)
	}
	return b.binds(p.param) || p.field != nil && (b.fills(p.field) || b.binds(p.field.root))
}

// binds reports whether the call gives the parameter a value.
func (b *binding) binds(p *paramRef) bool { return b.call != nil && p != nil && p.fn == b.fn }

// fills reports whether the literal or the assignment belongs to the field's carrier.
func (b *binding) fills(f *fieldRef) bool { return b.carrier != "" && f.owner == b.carrier }

// part returns the texts that replace one part.
func (b *binding) part(p Part) []Text {
	switch {
	case !b.concerns(p):
		return p.text()
	case p.format != nil:
		return b.format(p)
	case p.pure != nil:
		return p.boundPure(b)
	case p.Verb != "" && !p.Plain(), p.Type != nil && !IsString(p.Type):
		return b.kept(p)
	}
	return b.textsOf(p)
}

// textsOf returns the texts that the caller passes for a part of string type.
func (b *binding) textsOf(p Part) []Text {
	if p.field != nil && b.fills(p.field) {
		return b.elements(p)
	}
	if p.field != nil {
		if arg := b.of(p.field.root); arg != nil {
			if x := b.e.justStored(arg, p.field, b.call); x != nil {
				return b.e.eval(x)
			}
			return b.e.fieldOf(arg, p.field, p)
		}
	} else if arg := b.of(p.param); arg != nil {
		return b.e.eval(arg)
	}
	return p.unresolved("the call gives no argument that can be followed")
}

// kept returns a part that stays an argument, with its verb and the caller's expression.
func (b *binding) kept(p Part) []Text {
	if arg := b.of(p.param); arg != nil {
		n := b.e.argument(arg)
		n.Verb, n.Cause = p.Verb, p.Cause
		return n.text()
	}
	return p.unresolved(p.Cause)
}

// format expands a format that the caller passes. Its arguments belong to the function or to the
// caller.
func (b *binding) format(p Part) []Text {
	args := b.formatArgs(p.args)
	var out []Text
	for _, f := range b.texts([]Text{{Parts: p.format, How: Runtime, Info: p.Info}}) {
		if s, ok := f.Constant(); ok && args.rest == nil {
			f = b.e.expand(s, args.parts, Text{How: f.How, Pos: f.Pos})
		} else if f.symbolic() || args.rest != nil || len(args.parts) > 0 {
			p.format, p.args, p.bare = f.Parts, args, args.none()
			p.through = append(slices.Clip(p.through), b)
			f = Text{Parts: []Part{p}, How: Runtime, Pos: f.Pos, Info: p.Info}
		}
		out = append(out, f)
	}
	return out
}

func (b *binding) formatArgs(a *formatArgs) *formatArgs {
	out := &formatArgs{rest: a.rest}
	for _, p := range a.parts {
		if arg := b.of(p.param); arg != nil {
			p = b.e.argument(arg)
		}
		out.parts = append(out.parts, p)
	}
	switch arg := b.of(a.rest); {
	case b.binds(a.rest) && arg != nil && !a.rest.isVariadic(): // a slice
		out.rest = cmp.Or(b.e.untouched(arg), &paramRef{})
	case b.binds(a.rest):
		more := b.e.arguments(b.call, a.rest.index)
		out.parts, out.rest = append(out.parts, more.parts...), more.rest
	}
	return out
}

func (p *paramRef) isVariadic() bool {
	return p.fn.sig.Variadic() && p.index == p.fn.sig.Params().Len()-1
}

// object returns the caller's expression for an object of the function.
func (b *binding) object(o Object) Object {
	if arg := b.of(o.param); arg != nil {
		return b.e.object(arg)
	}
	if o.field != nil && b.fills(o.field) {
		if x, ok := b.given(o.field.name); ok {
			return b.e.object(x)
		}
	}
	return o
}

// object describes an argument that names the regarding or related object.
func (e *evaluator) object(x ast.Expr) Object {
	o := Object{Expr: x, Info: e.pkg.Info, Nil: e.pkg.Info.Types[x].IsNil(), Types: e.objectTypes(x)}
	switch base := Unwrapped(e.pkg.Info, x).(type) {
	case *ast.Ident:
		o.param = e.untouched(base)
	case *ast.SelectorExpr:
		if owner := fieldOwner(e.pkg.Info, base); owner != "" {
			o.field = &fieldRef{owner: owner, name: base.Sel.Name, root: e.root(base.X, 0)}
		}
	}
	return o
}

// Unwrapped removes parentheses and conversions.
func Unwrapped(info *types.Info, x ast.Expr) ast.Expr {
	for {
		x = ast.Unparen(x)
		c, ok := x.(*ast.CallExpr)
		if !ok || len(c.Args) != 1 || !info.Types[c.Fun].IsType() {
			return x
		}
		x = c.Args[0]
	}
}

// objectTypes returns the static type of an object.
func (e *evaluator) objectTypes(x ast.Expr) []types.Type {
	if t := e.pkg.Info.TypeOf(Unwrapped(e.pkg.Info, x)); t != nil {
		return []types.Type{t}
	}
	return nil
}
