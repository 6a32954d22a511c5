package scan

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// The bounds of an evaluation. A value beyond them counts as unknown.
const (
	mostDepth        = 12
	mostAlternatives = 32
	mostCompared     = 1024 // texts, before equal ones are dropped
	mostParts        = 128  // of one concatenation
)

// scope is the function and package that contain an expression.
type scope struct {
	fn  *function // nil in a package variable's initializer
	pkg *Package
}

// evaluator finds the possible texts of string expressions in one scope.
type evaluator struct {
	*index
	scope
	depth int
	// busy holds the functions, fields and values of variables under evaluation, so that recursion
	// ends.
	busy map[any]bool
	// shallow: texts use only expressions of the scope's function, so that a call there can contain
	// them.
	shallow bool
	// flat: like shallow, and a variable stands for itself unless it is constant.
	flat bool
}

func (x *index) evaluator(fn *function, pkg *Package) *evaluator {
	return &evaluator{index: x, scope: scope{fn, pkg}, busy: map[any]bool{}}
}

// in returns an evaluator for another scope of the same evaluation.
func (e *evaluator) in(fn *function, pkg *Package) *evaluator {
	return &evaluator{index: e.index, scope: scope{fn, pkg}, depth: e.depth + 1, busy: e.busy, shallow: e.shallow, flat: e.flat}
}

// near returns a shallow evaluator, or a flat one.
func (x *index) near(fn *function, pkg *Package, flat bool) *evaluator {
	e := x.evaluator(fn, pkg)
	e.shallow, e.flat = true, flat
	return e
}

// apart reports whether a shallow evaluator prefers the expression x to its possible texts.
func (e *evaluator) apart(x ast.Expr, out []Text) bool {
	if !e.shallow || (Value{Alternatives: out}).Closed() {
		return false
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.CallExpr:
		fn := e.callee(x)
		return fn != nil && fn.FullName() != "fmt.Sprintf" && fn.FullName() != "fmt.Sprint" && len(out) > 0 && !isOpaque(out, x)
	case *ast.Ident, *ast.SelectorExpr:
		return e.flat
	}
	return e.foreign(out)
}

// isOpaque reports whether the only text is the call itself, or the receiver of its method.
func isOpaque(texts []Text, c *ast.CallExpr) bool {
	x := onlyExpr(texts)
	return x == ast.Expr(c) || x != nil && x == receiver(c)
}

// onlyExpr returns the expression that is all of the texts, or nil.
func onlyExpr(texts []Text) ast.Expr {
	if len(texts) != 1 || len(texts[0].Parts) != 1 {
		return nil
	}
	return texts[0].Parts[0].Expr
}

// foreign reports whether texts contain expressions of other functions.
func (e *evaluator) foreign(texts []Text) bool {
	return slices.ContainsFunc(texts, func(t Text) bool {
		return slices.ContainsFunc(t.Parts, func(p Part) bool {
			return p.Expr != nil && (p.Info != e.pkg.Info || e.fn != nil && e.fn.decl != nil && !within(e.fn.decl.Body, p.Expr))
		})
	})
}

// opaque returns an expression as an unknown text, with the cause.
func (e *evaluator) opaque(x ast.Expr, cause string) []Text {
	t := e.pkg.Info.TypeOf(x)
	p := Part{Expr: x, Info: e.pkg.Info, Type: t, Verb: "%s", Cause: cause, in: &e.scope}
	if t != nil && !IsString(t) {
		p.Verb = "%v"
	}
	return []Text{{Parts: []Part{p}, How: Runtime, Pos: x.Pos(), Info: e.pkg.Info}}
}

const manyParts = "it has more parts than are followed"

// eval returns the possible texts of an expression of string type. It never returns an empty list.
func (e *evaluator) eval(x ast.Expr) []Text {
	if e.depth > mostDepth {
		return e.opaque(x, "the value goes through too many functions and variables")
	}
	if t, ok := e.constant(x); ok {
		return []Text{t}
	}
	var out []Text
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		out = e.ident(x)
	case *ast.SelectorExpr:
		out = e.selector(x)
	case *ast.CallExpr:
		out = e.call(x)
	case *ast.BinaryExpr:
		if x.Op == token.ADD && operands(x) > mostParts {
			return e.opaque(x, manyParts)
		}
		if x.Op == token.ADD {
			out = e.product(e.eval(x.X), e.eval(x.Y))
		}
	case *ast.SliceExpr:
		out = e.sliced(x)
	}
	if len(out) == 0 {
		return e.opaque(x, "it is computed at run time")
	}
	if len(out) > mostCompared {
		return e.opaque(x, "it has more alternatives than are followed")
	}
	if e.apart(x, out) || e.shallow && e.foreign(out) {
		return e.opaque(x, "it is made elsewhere")
	}
	return distinct(out)
}

// operands returns the number of operands of a chain of additions.
func operands(x ast.Expr) int {
	n := 1
	for {
		b, ok := ast.Unparen(x).(*ast.BinaryExpr)
		if !ok || b.Op != token.ADD {
			return n
		}
		x, n = b.X, n+1
	}
}

// constant returns the text of an expression that is constant for the compiler.
func (e *evaluator) constant(x ast.Expr) (Text, bool) {
	s, ok := ConstantText(e.pkg.Info, x)
	if !ok {
		return Text{}, false
	}
	t := literalText(s, Concatenated, x.Pos())
	t.Info = e.pkg.Info
	switch x := ast.Unparen(x).(type) {
	case *ast.BasicLit:
		t.How = Literal
	case *ast.CallExpr:
		if t.How = Conversion; len(x.Args) == 1 {
			if inner, ok := e.constant(x.Args[0]); ok {
				t.Const = inner.Const
			}
		}
	case *ast.Ident, *ast.SelectorExpr:
		t.Const, t.How = e.declared(x)
	}
	return t, true
}

// declared returns the constant that a name refers to.
func (e *evaluator) declared(x ast.Expr) (*types.Const, How) {
	c, ok := Named(e.pkg.Info, x).(*types.Const)
	if ok && (c.Pkg() == nil || RealPath(c.Pkg().Path()) != e.pkg.Path) {
		return c, ConstElse
	}
	return c, Const
}

// product concatenates each text on the left with each text on the right.
func (e *evaluator) product(left, right []Text) []Text {
	if len(left)*len(right) > mostAlternatives {
		return nil
	}
	var out []Text
	for _, l := range left {
		for _, r := range right {
			t := join(l, r)
			t.How, t.Pos, t.Info = Runtime, l.Pos, l.Info
			if _, constant := t.Constant(); constant {
				t.How = Concatenated
			}
			out = append(out, t)
		}
	}
	return out
}

// distinct drops repeated texts.
func distinct(texts []Text) []Text {
	var out []Text
	for _, t := range texts {
		if !slices.ContainsFunc(out, func(o Text) bool { return sameText(o, t) }) {
			out = append(out, t)
		}
	}
	return out
}

func sameText(a, b Text) bool {
	as, aok := a.Constant()
	bs, bok := b.Constant()
	if aok || bok {
		return aok && bok && as == bs && a.Def == b.Def && a.entry == b.entry
	}
	return slices.EqualFunc(a.Parts, b.Parts, samePart)
}

func samePart(p, q Part) bool {
	return p.Literal == q.Literal && p.Expr == q.Expr && p.Verb == q.Verb && p.param == q.param && p.field == q.field &&
		slices.EqualFunc(p.format, q.format, samePart) &&
		(p.pure == nil) == (q.pure == nil) && (p.pure == nil || slices.EqualFunc(p.pure.args, q.pure.args, sameText))
}

func (e *evaluator) ident(id *ast.Ident) []Text {
	v, ok := e.pkg.Info.ObjectOf(id).(*types.Var)
	if !ok {
		return nil
	}
	if isGlobal(v) {
		return e.global(id, v)
	}
	defs, entry := e.reaching(v, e.fn, id.Pos())
	var out []Text
	if entry {
		out = e.entry(id, v)
		if p := e.fn.owner(v); p != nil && len(defs) > 0 {
			out[0].entry = p.fn
		}
	}
	for _, d := range defs {
		texts := e.defined(id, v, d)
		for i := range texts {
			if len(defs) > 1 || entry {
				texts[i].Def = d.node
			}
		}
		out = append(out, texts...)
	}
	if e.escapes(v) {
		out = append(out, e.opaque(id, "the address of "+v.Name()+" is taken")...)
	}
	if len(out) > mostAlternatives {
		return e.opaque(id, "it has more alternatives than are followed")
	}
	if _, call := onlyExpr(out).(*ast.CallExpr); call && e.shallow {
		return e.opaque(id, "it is the result of a call")
	}
	if len(out) > 0 && !(Value{Alternatives: out}).Closed() {
		if known := e.compared(id, v); known != nil {
			return known
		}
	}
	return out
}

// entry returns the value of a variable before any assignment: a parameter's value, or the zero
// value.
func (e *evaluator) entry(id *ast.Ident, v *types.Var) []Text {
	if p := e.fn.owner(v); p != nil {
		out := e.opaque(id, "it is the parameter "+v.Name()+" of "+p.fn.name())
		out[0].Parts[0].param = p
		return out
	}
	if len(e.variable(v).defs) == 0 && !e.fn.returns(v) {
		return e.opaque(id, "nothing is known of "+v.Name())
	}
	return []Text{literalText("", ZeroValue, id.Pos())}
}

// stored is the value that a statement stores in a variable.
type stored struct {
	v    *types.Var
	node ast.Node
}

// defined returns the texts that a definition stores in a variable.
func (e *evaluator) defined(id *ast.Ident, v *types.Var, d def) []Text {
	value := stored{v, d.node}
	if e.busy[value] {
		return e.opaque(id, "it is computed in a loop")
	}
	e.busy[value] = true
	defer delete(e.busy, value)
	in := e.in(d.fn, d.pkg)
	switch d.kind {
	case assigned:
		return in.eval(d.rhs)
	case result:
		if texts := in.result(d.rhs, d.index); texts != nil {
			return texts
		}
		return e.opaque(id, "it is a result of "+nameOf(d.rhs))
	case added:
		if assign, ok := d.node.(*ast.AssignStmt); ok && !e.loops(assign, d) {
			return e.product(in.eval(assign.Lhs[0]), in.eval(d.rhs))
		}
		return e.opaque(id, "text is appended to it in a loop")
	case zeroed:
		return []Text{literalText("", ZeroValue, d.node.Pos())}
	case ranged:
		return e.opaque(id, "it comes from a range over "+nameOf(d.rhs))
	case switched:
		return in.eval(d.rhs)
	}
	return e.opaque(id, "it is computed at run time")
}

// loops reports whether the result of += can reach the same += again.
func (e *evaluator) loops(assign *ast.AssignStmt, d def) bool {
	v := Variable(d.pkg.Info, assign.Lhs[0])
	if v == nil || d.fn == nil {
		return true
	}
	defs, _ := e.reaching(v, d.fn, assign.Pos())
	return slices.ContainsFunc(defs, func(o def) bool { return o.node == d.node })
}

// global returns the texts of a package variable with an initial value that nothing overwrites
// later.
func (e *evaluator) global(x ast.Expr, v *types.Var) []Text {
	known := e.globals[ObjectName(v)]
	if known == nil {
		return e.opaque(x, "the package of the variable "+v.Name()+" is not read")
	}
	if len(known.defs) != 1 || e.escapes(v) || known.defs[0].fn != nil {
		return e.opaque(x, "the variable "+v.Name()+" is written at run time")
	}
	if e.busy[v] {
		return nil
	}
	e.busy[v] = true
	defer delete(e.busy, v)
	d := known.defs[0]
	if d.kind == zeroed {
		return []Text{literalText("", ZeroValue, d.node.Pos())}
	}
	if d.kind != assigned {
		return e.opaque(x, "the variable "+v.Name()+" is computed at run time")
	}
	return how(e.in(nil, d.pkg).eval(d.rhs), Global)
}

// how returns the texts, with the form h for constant texts of the same place.
func how(texts []Text, h How) []Text {
	out := slices.Clone(texts)
	for i := range out {
		if _, ok := out[i].Constant(); ok && out[i].How != Missing {
			out[i].How = h
		}
	}
	return out
}

// undefined returns the texts without the statements that choose them.
func undefined(texts []Text) []Text {
	for i := range texts {
		texts[i].Def = nil
	}
	return texts
}

func (e *evaluator) selector(x *ast.SelectorExpr) []Text {
	if v, ok := Named(e.pkg.Info, x).(*types.Var); ok && !v.IsField() {
		return e.global(x, v)
	}
	return e.fieldValue(x)
}

// nameOf returns the name in an expression or call, for messages.
func nameOf(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.CallExpr:
		return nameOf(x.Fun)
	case *ast.SelectorExpr:
		return types.ExprString(x)
	case *ast.Ident:
		return x.Name
	}
	return "an expression"
}

func (e *evaluator) callee(x *ast.CallExpr) *types.Func { return Callee(e.pkg.Info, x) }

// Callee returns the declared function or method that a call names. It returns nil for another
// call, and for T.Method(receiver, …), whose arguments are not those of the method.
func Callee(info *types.Info, x *ast.CallExpr) *types.Func {
	if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok && info.Selections[sel] != nil && info.Selections[sel].Kind() == types.MethodExpr {
		return nil
	}
	fn, _ := typeutil.Callee(info, x).(*types.Func)
	return fn
}

// source returns the function that a call names, if its source was read, or nil.
func (x *index) source(info *types.Info, call *ast.CallExpr) *function {
	if fn := Callee(info, call); fn != nil {
		return x.functions[funcKey(fn)]
	}
	return nil
}
