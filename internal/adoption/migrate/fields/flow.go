package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// inflow is an expression that is stored in a node.
type inflow struct {
	span
	pos  token.Position
	expr ast.Expr
	pkg  *packages.Package
	// from is the node that the value comes from; nil if it comes from elsewhere.
	from *node
	kind inflowKind
	api  scan.API
	made *made
	text string
}

// isAddress reports whether the expression is &x: a recorder of the program's own, which is never
// nil.
func (in *inflow) isAddress() bool {
	x, ok := ast.Unparen(in.expr).(*ast.UnaryExpr)
	return ok && x.Op == token.AND
}

type inflowKind int

const (
	other inflowKind = iota
	isNil
	isFake
	fromNode
	fromManager
	fromBroadcaster
	oneOfMany // one of several results
)

func (r *reader) assignment(n *ast.AssignStmt) {
	for _, x := range n.Lhs {
		r.handle(x)
	}
	// only a receive can stand there
	if _, ok := r.parent(0).(*ast.CommClause); ok && len(n.Lhs) == 1 {
		r.spread(n.Rhs[0], func(int) types.Object { return r.target(n.Lhs[0]) })
		return
	}
	if len(n.Lhs) == len(n.Rhs) {
		for i, x := range n.Lhs {
			r.flow(r.target(x), x, n.Rhs[i])
			r.assigned(n.Rhs[i], r.info().TypeOf(x))
		}
		return
	}
	r.spread(n.Rhs[0], func(i int) types.Object { return r.target(n.Lhs[i]) })
}

// target returns the variable that an expression on the left names. For an element of a slice or
// map it is a variable without a position.
func (r *reader) target(x ast.Expr) types.Object {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if obj := r.info().Defs[x]; obj != nil {
			return obj
		}
		return r.info().Uses[x]
	case *ast.SelectorExpr:
		return r.info().Uses[x.Sel]
	}
	return types.NewVar(token.NoPos, nil, "element", r.info().TypeOf(x))
}

func (r *reader) valueSpec(n *ast.ValueSpec) {
	if len(n.Names) == len(n.Values) {
		for i, name := range n.Names {
			if name.Name != "_" || n.Type == nil {
				r.flow(r.info().Defs[name], name, n.Values[i])
			}
			r.assigned(n.Values[i], r.info().TypeOf(name))
		}
		return
	}
	if len(n.Values) == 1 {
		r.spread(n.Values[0], func(i int) types.Object { return r.info().Defs[n.Names[i]] })
	}
}

// spread reads several values of one call.
func (r *reader) spread(x ast.Expr, target func(i int) types.Object) {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok { // a value and whether it is there
		if dst := r.nodeOf(target(0)); dst != nil {
			r.addInflow(dst, inflow{expr: x, kind: oneOfMany})
		}
		return
	}
	tuple, ok := r.info().TypeOf(x).(*types.Tuple)
	if !ok {
		return
	}
	r.noteManager(call, target(0))
	results := r.results(call)
	for i := range tuple.Len() {
		var from *node
		if results != nil {
			from = r.nodeOf(results.At(i))
		}
		r.passTuple(target(i), from, x)
		if obj := target(i); obj != nil {
			r.typeAssigned(x, tuple.At(i).Type(), obj.Type())
		}
	}
}

// passTuple stores one of several results.
func (r *reader) passTuple(obj types.Object, from *node, x ast.Expr) {
	dst := r.nodeOf(obj)
	switch {
	case from != nil && dst != nil:
		r.connect(from, dst)
		r.addInflow(dst, inflow{expr: x, kind: oneOfMany, from: from})
	case from != nil && obj != nil && obj.Name() != "_":
		r.hold(from, x, "it is stored elsewhere")
	case dst != nil:
		r.addInflow(dst, inflow{expr: x, kind: oneOfMany})
	}
}

func (r *reader) literal(n *ast.CompositeLit) {
	t := r.info().TypeOf(n)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok { // an element of a slice of pointers
		t = p.Elem()
	}
	s, isStruct := t.Underlying().(*types.Struct)
	if !isStruct {
		r.elements(n, t)
		return
	}
	for i, e := range n.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		if !keyed {
			if i < s.NumFields() {
				r.flow(s.Field(i), e, e)
				r.assigned(e, s.Field(i).Type())
			}
			continue
		}
		id, ok := kv.Key.(*ast.Ident)
		if !ok {
			continue
		}
		r.handle(id)
		field := r.info().Uses[id]
		if field == nil { // it does not compile
			continue
		}
		if dst := r.nodeOf(field); dst != nil && dst.embedded != "" {
			r.rename(dst, id)
		}
		r.flow(field, kv.Value, kv.Value)
		r.assigned(kv.Value, field.Type())
	}
}

func (r *reader) call(n *ast.CallExpr) {
	if r.on(n) {
		return
	}
	r.noteManager(n, nil)
	r.arguments(n)
	fn := r.callee(n)
	if fn == nil {
		r.holdResults(n.Args)
		return
	}
	params := fn.Signature().Params()
	if len(n.Args) == 1 && params.Len() > 1 {
		if call, ok := ast.Unparen(n.Args[0]).(*ast.CallExpr); ok {
			if tuple, ok := r.info().TypeOf(call).(*types.Tuple); ok && tuple.Len() > 1 {
				r.spread(call, func(i int) types.Object { return params.At(min(i, params.Len()-1)) })
				return
			}
		}
	}
	for i, x := range n.Args {
		if i < params.Len() && !(fn.Signature().Variadic() && i == params.Len()-1) {
			r.flow(params.At(i), x, x)
		}
	}
}

func (r *reader) returned(n *ast.ReturnStmt) {
	results, declared := r.enclosingResults()
	for i, x := range n.Results {
		if results.Len() == len(n.Results) {
			r.assigned(x, results.At(i).Type())
		}
	}
	if !declared {
		r.holdResults(n.Results)
		return
	}
	if len(n.Results) == 1 && results.Len() > 1 {
		r.spread(n.Results[0], func(i int) types.Object { return results.At(i) })
		return
	}
	for i, x := range n.Results {
		if i < results.Len() {
			r.flow(results.At(i), x, x)
		}
	}
}

// holdResults holds the results that a call with several results passes to a function literal, or
// to an unknown function.
func (r *reader) holdResults(list []ast.Expr) {
	if len(list) != 1 {
		return
	}
	call, ok := ast.Unparen(list[0]).(*ast.CallExpr)
	if !ok {
		return
	}
	if results := r.results(call); results.Len() > 1 {
		for i := range results.Len() {
			if from := r.nodeOf(results.At(i)); from != nil {
				r.hold(from, call, "it is handed on with other values")
			}
		}
	}
}

// enclosingResults returns the results of the function around a statement. declared is false for a
// function literal.
func (r *reader) enclosingResults() (results *types.Tuple, declared bool) {
	for _, n := range slices.Backward(r.stack) {
		var t types.Type
		switch f := n.(type) {
		case *ast.FuncLit:
			t = r.info().TypeOf(f)
		case *ast.FuncDecl:
			t, declared = r.info().TypeOf(f.Name), true
		default:
			continue
		}
		if sig, ok := t.(*types.Signature); ok {
			return sig.Results(), declared
		}
	}
	return nil, false
}

// flow notes that an expression is stored in an object's node. at is the expression that names the
// object.
func (r *reader) flow(obj types.Object, at ast.Expr, x ast.Expr) {
	dst, from := r.nodeOf(obj), r.root(x)
	if id, ok := at.(*ast.Ident); ok && id.Name == "_" && from != nil {
		r.handle(x)
		return
	}
	if dst == nil {
		return
	}
	in := inflow{expr: x, from: from}
	if from != nil {
		r.handle(x)
		r.connect(from, dst)
		in.kind, in.api = fromNode, from.api
	} else {
		r.classify(&in)
	}
	r.addInflow(dst, in)
}

func (r *reader) connect(from, to *node) {
	if from != to {
		from.to = appendNew(from.to, to)
	}
}

func (r *reader) addInflow(dst *node, in inflow) {
	in.span, in.pos, in.pkg = r.span(in.expr), r.position(in.expr.Pos()), r.pkg
	in.text = types.ExprString(in.expr)
	if !r.editable {
		r.hold(dst, in.expr, "a file that can't be changed sets it")
		return
	}
	if !slices.ContainsFunc(dst.in, func(o inflow) bool { return o.span == in.span && o.from == in.from }) {
		dst.in = append(dst.in, in)
	}
}

// classify finds the source of a recorder that no node holds.
func (r *reader) classify(in *inflow) {
	x := ast.Unparen(in.expr)
	if tv := r.info().Types[x]; tv.IsNil() {
		in.kind = isNil
		return
	}
	t := r.info().TypeOf(x)
	api, fake, ok := recorderType(t)
	if !ok { // a type of the program's own
		api = apiOf(t)
	}
	in.api = api
	switch x := x.(type) {
	case *ast.CallExpr:
		if fake {
			if r.constant(x.Args) && r.isFakeConstructor(x) {
				in.kind = isFake
			}
			return
		}
		r.classifyCall(in, x)
	case *ast.UnaryExpr:
		if lit, ok := x.X.(*ast.CompositeLit); ok && fake && x.Op == token.AND && r.constant(lit.Elts) {
			in.kind = isFake
		}
	}
}

// apiOf returns the family of a recorder of any type, by its Eventf.
func apiOf(t types.Type) scan.API {
	if t == nil {
		return ""
	}
	m, _, _ := types.LookupFieldOrMethod(t, true, nil, "Eventf")
	if fn, ok := m.(*types.Func); ok {
		if shape, ok := scan.ShapeOf(fn); ok {
			return shape.API
		}
	}
	return ""
}

// isFakeConstructor reports whether a call is one of client-go's functions.
func (r *reader) isFakeConstructor(c *ast.CallExpr) bool {
	fn := r.callee(c)
	return fn != nil && fn.Name() == "NewFakeRecorder" && fn.Pkg() != nil && (realPath(fn.Pkg()) == facts.ClientRecord || realPath(fn.Pkg()) == facts.ClientEvents)
}

// constant reports whether expressions name no variables. No variable becomes unused if they go.
func (r *reader) constant(list []ast.Expr) bool {
	for _, x := range list {
		for n := range ast.Preorder(x) {
			switch n := n.(type) {
			case *ast.Ident:
				if v, isVar := r.info().Uses[n].(*types.Var); isVar && !v.IsField() {
					return false
				}
			case *ast.CallExpr:
				if id, isIdent := n.Fun.(*ast.Ident); !isIdent || r.info().Uses[id] != types.Universe.Lookup("make") {
					return false
				}
			}
		}
	}
	return true
}

// on reads a call of a generated FromEvents. It returns false for other calls.
func (r *reader) on(c *ast.CallExpr) bool {
	fn := r.callee(c)
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() != nil || len(c.Args) != 1 {
		return false
	}
	p := r.catalogOf(fn.Pkg().Path())
	if p == nil || fn.Name() != p.FromEvents && fn.Name() != p.FromRecord {
		return false
	}
	x := c.Args[0]
	u := typedUse{pkg: p, pos: r.position(c.Pos()), call: r.span(c), arg: r.span(x)}
	if sel, ok := r.parent(0).(*ast.SelectorExpr); ok {
		u.annotated = sel.Sel.Name == "WithAnnotations"
	}
	if n := r.root(x); n != nil {
		r.handle(x)
		n.typed = appendNew(n.typed, u)
		return true
	}
	if n := r.recording(r.info().TypeOf(x)); n != nil {
		u.field = n.embedded
		if a, ok := ast.Unparen(x).(*ast.UnaryExpr); ok && a.Op == token.AND {
			u.arg = r.span(a.X)
		}
		if !r.simple(x) {
			r.hold(n, x, "its struct is the result of an expression")
		}
		n.typed = appendNew(n.typed, u)
	}
	return true
}

// simple reports whether a selector can follow an expression without parentheses.
func (r *reader) simple(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr:
		return true
	case *ast.UnaryExpr:
		return x.Op == token.AND && r.simple(x.X)
	}
	return false
}

// comparison reads comparisons with nil.
func (r *reader) comparison(n *ast.BinaryExpr) {
	if n.Op != token.EQL && n.Op != token.NEQ {
		return
	}
	for _, x := range []ast.Expr{n.X, n.Y} {
		r.compared(x, r.info().TypeOf(x))
		r.assigned(x, r.info().TypeOf(n.X))
		r.assigned(x, r.info().TypeOf(n.Y))
	}
	for _, pair := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
		if from := r.root(pair[0]); from != nil && r.info().Types[ast.Unparen(pair[1])].IsNil() {
			r.handle(pair[0])
			from.nils = appendNew(from.nils, r.span(pair[1]))
		}
	}
}
