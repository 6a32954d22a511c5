package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/event-gen/event-gen/internal/adoption/migrate"
)

// reader reads the packages of all loads, and gathers facts about the nodes. Positions stand for
// declarations, so that the loads and the variants of a package add to the same nodes.
type reader struct {
	first *migrate.Plan
	opts  Options
	// nodes are by the position of their name. Variants of a package, such as the variant with
	// tests, share a node.
	nodes  map[token.Position]*node
	order  []*node
	byType map[span]*node
	// managers are the calls that make managers.
	managers    []*managerCall
	managerVars map[token.Position]bool
	// assertion is the position of a type assertion to a recorder; nil if there is none.
	assertion *token.Position
	annotated bool                      // client-go's recorders of tools/events take annotations
	names     map[string]*migrate.Names // of files that can be changed

	loaded []*packages.Package
	pkg    *packages.Package
	file   *ast.File
	path   string
	// editable: the file is one of the module's own, and not generated.
	editable bool
	stack    []ast.Node
	// defines: the current statement declares its variables, without their types.
	defines bool
	handled map[ast.Expr]bool
}

func newReader(first *migrate.Plan, o Options) *reader {
	return &reader{
		first: first, opts: o, nodes: map[token.Position]*node{}, byType: map[span]*node{},
		managerVars: map[token.Position]bool{}, names: map[string]*migrate.Names{},
	}
}

// eachFile calls a function for each file that was parsed, once for each variant of its package.
func (r *reader) eachFile(do func()) {
	for _, l := range r.loaded {
		if l.TypesInfo == nil {
			continue
		}
		for _, f := range l.Syntax {
			path := l.Fset.PositionFor(f.Package, false).Filename
			r.pkg, r.file, r.path = l, f, path
			r.editable = r.first.InDir(path) && !ast.IsGenerated(f)
			do()
		}
	}
}

func (r *reader) info() *types.Info { return r.pkg.TypesInfo }

func (r *reader) position(p token.Pos) token.Position { return r.pkg.Fset.PositionFor(p, false) }

func (r *reader) span(n ast.Node) span {
	return span{r.path, r.position(n.Pos()).Offset, r.position(n.End()).Offset}
}

// nodeOf returns the node of a variable; nil if it has none.
func (r *reader) nodeOf(obj types.Object) *node {
	v, ok := obj.(*types.Var)
	if !ok || !v.Pos().IsValid() {
		return nil
	}
	if !isRecorder(v.Type()) {
		return nil
	}
	return r.nodes[r.position(v.Origin().Pos())]
}

// look finds the uses and flows of a file.
func (r *reader) look() {
	r.handled = map[ast.Expr]bool{}
	if r.editable && r.names[r.path] == nil {
		r.names[r.path] = migrate.NewNames(r.file, r.pkg.Types, r.info())
	}
	ast.PreorderStack(r.file, nil, func(n ast.Node, above []ast.Node) bool {
		r.stack = above
		r.visit(n)
		return true
	})
}

// visit reads one syntax node, before those below it.
func (r *reader) visit(n ast.Node) {
	r.defines = false
	switch n := n.(type) {
	case *ast.AssignStmt:
		r.defines = n.Tok == token.DEFINE
		r.assignment(n)
	case *ast.ValueSpec:
		r.defines = n.Type == nil
		r.valueSpec(n)
	case *ast.CompositeLit:
		r.literal(n)
	case *ast.CallExpr:
		r.call(n)
	case *ast.ReturnStmt:
		r.returned(n)
	case *ast.BinaryExpr:
		r.comparison(n)
	case *ast.SwitchStmt:
		if n.Tag != nil {
			r.compared(n.Tag, r.info().TypeOf(n.Tag))
		}
	case *ast.MapType:
		r.compared(n.Key, r.info().TypeOf(n.Key))
	case *ast.SendStmt:
		r.sent(n)
	case *ast.TypeAssertExpr:
		r.asserted(n.Type)
	case *ast.CaseClause:
		for _, x := range n.List {
			r.asserted(x)
		}
	}
	if x, ok := n.(ast.Expr); ok {
		r.expression(x)
	}
}

// root returns the node that an expression takes its recorder from; nil if there is none.
func (r *reader) root(x ast.Expr) *node {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return r.nodeOf(r.info().Uses[x])
	case *ast.SelectorExpr:
		return r.nodeOf(r.info().Uses[x.Sel])
	case *ast.CallExpr:
		if results := r.results(x); results != nil && results.Len() == 1 {
			return r.nodeOf(results.At(0))
		}
	}
	return nil
}

// results returns the results of a function called by its name; nil for other calls.
func (r *reader) results(c *ast.CallExpr) *types.Tuple {
	if fn := r.callee(c); fn != nil {
		return fn.Signature().Results()
	}
	return nil
}

// callee returns the function that a call names. A method expression counts as a function value,
// because its first argument is the receiver.
func (r *reader) callee(c *ast.CallExpr) *types.Func {
	if r.isMethodExpression(c.Fun) {
		return nil
	}
	fn, ok := typeutil.Callee(r.info(), c).(*types.Func)
	if !ok {
		return nil
	}
	return fn.Origin()
}

func (r *reader) isMethodExpression(x ast.Expr) bool {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	return ok && r.info().Selections[sel] != nil && r.info().Selections[sel].Kind() == types.MethodExpr
}

// expression reads an expression that takes a recorder out of a node.
func (r *reader) expression(x ast.Expr) {
	switch x := x.(type) {
	case *ast.Ident:
		if sel, ok := r.parent(0).(*ast.SelectorExpr); ok && sel.Sel == x {
			return
		}
		r.functionValue(x, x)
	case *ast.SelectorExpr:
		r.functionValue(x, x.Sel)
		r.promoted(x)
	case *ast.CallExpr:
	default:
		return
	}
	n := r.root(x)
	if n == nil {
		return
	}
	if sel, ok := x.(*ast.SelectorExpr); ok && n.embedded != "" {
		r.rename(n, sel.Sel)
	}
	switch {
	case r.broken():
		r.hold(n, x, "its package does not compile")
	case !r.editable:
		r.hold(n, x, "a file that can't be changed uses it")
	case r.handled[x]:
	case r.isStatement(x):
	default:
		r.hold(n, x, r.otherUse(x))
	}
}

// isStatement reports whether a call stands alone, so that nothing takes its result.
func (r *reader) isStatement(x ast.Expr) bool {
	switch r.parent(0).(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return true
	}
	return false
}

// parent returns a syntax node above the visited one.
func (r *reader) parent(i int) ast.Node {
	for at := len(r.stack) - 1; at >= 0; at-- {
		if _, paren := r.stack[at].(*ast.ParenExpr); paren {
			continue
		}
		if i == 0 {
			return r.stack[at]
		}
		i--
	}
	return nil
}

// handle marks an expression, without its parentheses, as understood.
func (r *reader) handle(x ast.Expr) { r.handled[ast.Unparen(x)] = true }

func (r *reader) hold(n *node, at ast.Node, why string) {
	n.holds = append(n.holds, use{r.position(at.Pos()), why})
}

func (r *reader) rename(n *node, id *ast.Ident) { n.renames = appendNew(n.renames, r.span(id)) }

func appendNew[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// otherUse describes the use of an expression with a recorder, if that use holds the recorder's
// place.
func (r *reader) otherUse(x ast.Expr) string {
	switch p := r.parent(0).(type) {
	case *ast.SelectorExpr:
		if _, isField := r.info().Uses[p.Sel].(*types.Var); isField {
			if p.Sel.Name == "Events" {
				return "the channel of the fake is used"
			}
			return "its field " + p.Sel.Name + " is used"
		}
		if p.Sel.Name == "Event" || p.Sel.Name == "Eventf" || p.Sel.Name == "AnnotatedEventf" {
			return "a raw call of " + p.Sel.Name
		}
		return "its method " + p.Sel.Name + " is used"
	case *ast.CallExpr:
		return "it is handed to " + types.ExprString(p.Fun)
	case *ast.TypeAssertExpr:
		return "its type is asserted"
	case *ast.UnaryExpr:
		return "its address is taken"
	case *ast.KeyValueExpr, *ast.CompositeLit, *ast.AssignStmt, *ast.ValueSpec:
		return "it is stored elsewhere"
	case *ast.ReturnStmt:
		return "it is returned"
	}
	return "it is used otherwise"
}

// functionValue holds the parameters and results of a function used as a value: its type must match
// other types.
func (r *reader) functionValue(x ast.Expr, id *ast.Ident) {
	fn, ok := r.info().Uses[id].(*types.Func)
	if !ok {
		return
	}
	if c, ok := r.parent(0).(*ast.CallExpr); ok && ast.Unparen(c.Fun) == x && !r.isMethodExpression(x) {
		return
	}
	switch r.parent(0).(type) {
	case *ast.IndexExpr, *ast.IndexListExpr: // an instance of a generic function
		if c, ok := r.parent(1).(*ast.CallExpr); ok && ast.Unparen(c.Fun) == r.parent(0) {
			return
		}
	}
	for _, n := range r.signature(fn) {
		if n != nil {
			r.hold(n, id, "the function "+fn.Name()+" is used as a value")
		}
	}
}

// signature returns the nodes of a function's parameters, then of its results; nil for one without
// a node.
func (r *reader) signature(fn *types.Func) (out []*node) {
	for _, v := range variables(fn.Origin().Signature()) {
		out = append(out, r.nodeOf(v))
	}
	return out
}

// variables returns the parameters of a function, then its results.
func variables(sig *types.Signature) []*types.Var {
	return slices.AppendSeq(slices.Collect(sig.Params().Variables()), sig.Results().Variables())
}

// promoted holds embedded recorders whose methods are used through the struct.
func (r *reader) promoted(x *ast.SelectorExpr) {
	s := r.info().Selections[x]
	if s == nil {
		return
	}
	index := s.Index()
	if n := r.embeddedNode(s.Recv(), index[:len(index)-1]); n != nil {
		r.hold(n, x, "a raw call of "+x.Sel.Name+", which the struct has from it")
	}
}

// embeddedNode returns the node of the last field of a path.
func (r *reader) embeddedNode(t types.Type, path []int) (last *node) {
	for _, i := range path {
		if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok || i >= s.NumFields() {
			return nil
		}
		last, t = r.nodeOf(s.Field(i)), s.Field(i).Type()
	}
	return last
}

// recording returns the embedded node that makes a value of a type a recorder.
func (r *reader) recording(t types.Type) *node {
	if t == nil || isRecorder(t) {
		return nil
	}
	var found *node
	for i, name := range []string{"Eventf", "Event", "AnnotatedEventf"} {
		_, index, _ := types.LookupFieldOrMethod(t, true, r.pkg.Types, name)
		if len(index) == 0 && i > 0 {
			continue
		}
		if len(index) < 2 { // the type has the method itself
			return nil
		}
		n := r.embeddedNode(t, index[:len(index)-1])
		if i > 0 && n != found {
			return nil
		}
		found = n
	}
	return found
}
