package scan

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"
)

// variable holds the definitions of a local or package variable, and whether anything else may
// write it.
type variable struct {
	defs []def
	// loose is a place that takes the variable's address, so that other code may write the
	// variable.
	loose token.Pos
	// fields holds the names of fields that store its address. A write through one of them writes
	// the variable.
	fields []string
	// written is a place that writes an element of the slice or map in the variable.
	written token.Pos
	// decoded: a function decodes into the variable, or into its target.
	decoded bool
}

// def is a statement that stores a value in a variable.
type def struct {
	// node is the statement, or its part, that the control-flow graph contains.
	node ast.Node
	fn   *function
	pkg  *Package
	kind defKind
	// rhs is the assigned, called or ranged expression. index selects one of its results.
	rhs   ast.Expr
	index int
}

type defKind int

const (
	assigned defKind = iota // to rhs
	result                  // to a result of rhs, which has several
	added                   // rhs is appended with +=
	zeroed                  // declared without a value
	ranged                  // over rhs
	switched                // by a type switch over rhs
	unknown
)

// assign indexes an assignment: its definitions, and its writes to fields.
func (w *indexer) assign(s *ast.AssignStmt) {
	for i, lhs := range s.Lhs {
		d := def{node: s, kind: assigned}
		switch {
		case s.Tok == token.ADD_ASSIGN:
			d.kind, d.rhs = added, s.Rhs[0]
		case s.Tok != token.ASSIGN && s.Tok != token.DEFINE:
			d.kind = unknown
		case len(s.Lhs) == len(s.Rhs):
			d.rhs = s.Rhs[i]
		default:
			d.kind, d.rhs, d.index = result, s.Rhs[0], i
		}
		w.define(lhs, d)
		switch x := ast.Unparen(lhs).(type) {
		case *ast.SelectorExpr:
			w.fieldWrite(s, x, d)
			if d.kind == assigned {
				w.store(x.Sel, d.rhs)
			}
		case *ast.StarExpr: // *x.f = … writes the variable that the field points to
			if sel, ok := ast.Unparen(x.X).(*ast.SelectorExpr); ok {
				w.through[sel.Sel.Name] = true
			}
		case *ast.IndexExpr:
			if v := Variable(w.pkg.Info, x.X); v != nil {
				w.variable(v).written = x.Pos()
			}
		}
	}
}

// store indexes the address of a variable that is stored in a field.
func (w *indexer) store(field, value ast.Expr) {
	u, address := value.(*ast.UnaryExpr)
	name, named := field.(*ast.Ident)
	if !address || !named || u.Op != token.AND {
		return
	}
	if v := Variable(w.pkg.Info, u.X); v != nil {
		w.stored[u] = true
		known := w.variable(v)
		known.fields = append(known.fields, name.Name)
	}
}

// escapes reports whether code may write a variable through a pointer.
func (w *index) escapes(v *types.Var) bool {
	known := w.variable(v)
	return known.loose.IsValid() || slices.ContainsFunc(known.fields, func(f string) bool { return w.through[f] })
}

func (w *indexer) fieldWrite(s *ast.AssignStmt, sel *ast.SelectorExpr, d def) {
	owner := fieldOwner(w.pkg.Info, sel)
	if owner == "" {
		return
	}
	a := fieldAssign{place: w.here(s), base: sel.X}
	if d.kind == assigned {
		a.value = d.rhs
	}
	key := owner + "." + sel.Sel.Name
	w.assigns[key] = append(w.assigns[key], a)
}

// FieldOwner returns the import path and name of the struct type that declares a selected field, or
// "" if the selection is no field.
func FieldOwner(info *types.Info, e *ast.SelectorExpr) string { return fieldOwner(info, e) }

// fieldOwner returns the key of the struct that declares the selected field, or "" if the selection
// is no field.
func fieldOwner(info *types.Info, e *ast.SelectorExpr) string {
	sel := info.Selections[e]
	if sel == nil || sel.Kind() != types.FieldVal {
		return ""
	}
	owner, _, _ := lastField(sel)
	return structKey(owner)
}

func (w *indexer) spec(s *ast.ValueSpec) {
	for i, name := range s.Names {
		d := def{node: s, kind: zeroed}
		switch {
		case len(s.Values) == len(s.Names):
			d.kind, d.rhs = assigned, s.Values[i]
		case len(s.Values) == 1:
			d.kind, d.rhs, d.index = result, s.Values[0], i
		}
		w.define(name, d)
	}
}

// define adds a definition of the variable that lhs names.
func (w *indexer) define(lhs ast.Expr, d def) {
	v := Variable(w.pkg.Info, lhs)
	if v == nil || v.IsField() {
		return
	}
	d.fn, d.pkg = w.fn, w.pkg
	if lit, ok := d.rhs.(*ast.FuncLit); ok {
		w.holders[lit] = v
	}
	known := w.variable(v)
	known.defs = append(known.defs, d)
}

// variable returns the entry of a variable. Package variables are identified by name.
func (w *index) variable(v *types.Var) *variable {
	if isGlobal(v) {
		return entry(w.globals, ObjectName(v))
	}
	return entry(w.variables, v)
}

// entry returns the value of a key. It adds an empty one if there is none.
func entry[K comparable, V any](m map[K]*V, key K) *V {
	if m[key] == nil {
		m[key] = new(V)
	}
	return m[key]
}

// typeSwitch indexes the variables that switch x := y.(type) declares in its clauses.
func (w *indexer) typeSwitch(s *ast.TypeSwitchStmt) {
	a, ok := s.Assign.(*ast.AssignStmt)
	if !ok || len(a.Rhs) != 1 {
		return
	}
	assert, ok := ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr)
	if !ok {
		return
	}
	for _, c := range s.Body.List {
		if v, ok := w.pkg.Info.Implicits[c].(*types.Var); ok {
			known := w.variable(v)
			known.defs = append(known.defs, def{node: a, fn: w.fn, pkg: w.pkg, kind: switched, rhs: assert.X})
		}
	}
}

// reaching returns the definitions of a variable that can reach a place. entry reports whether the
// value at the function's entry can reach it: the parameter's value, or zero.
func (x *index) reaching(v *types.Var, fn *function, at token.Pos) (defs []def, entry bool) {
	known := x.variable(v)
	owner := fn.owner(v)
	local := fn != nil
	for _, d := range known.defs {
		local = local && d.fn == fn
	}
	switch {
	case len(known.defs) == 0:
		return nil, true
	case len(known.defs) == 1 && owner == nil && known.defs[0].kind != added && !fn.returns(v):
		return known.defs, false
	case !local || owner != nil && owner.fn != fn:
		return known.defs, owner != nil
	}
	return newBackward(fn, known.defs).from(at)
}

// backward searches a function's control-flow graph against the flow.
type backward struct {
	graph *cfg.CFG
	preds map[*cfg.Block][]*cfg.Block
	defs  []def
	seen  map[*cfg.Block]bool
	found []def
	entry bool
}

func newBackward(fn *function, defs []def) *backward {
	if fn.graph == nil {
		fn.graph = cfg.New(fn.body, func(c *ast.CallExpr) bool { return !ends(fn.pkg.Info, c) })
	}
	b := &backward{graph: fn.graph, preds: map[*cfg.Block][]*cfg.Block{}, defs: defs, seen: map[*cfg.Block]bool{}}
	for _, block := range fn.graph.Blocks {
		for _, succ := range block.Succs {
			b.preds[succ] = append(b.preds[succ], block)
		}
	}
	return b
}

// ends reports whether a call does not return.
func ends(info *types.Info, c *ast.CallExpr) bool {
	switch f := typeutil.Callee(info, c).(type) {
	case *types.Builtin:
		return f.Name() == "panic"
	case *types.Func:
		return slices.Contains([]string{"os.Exit", "log.Fatal", "log.Fatalf"}, f.FullName())
	}
	return false
}

func (b *backward) from(at token.Pos) ([]def, bool) {
	block, i := b.locate(at)
	if block == nil { // unreachable code: any definition may be meant
		return b.defs, true
	}
	b.scan(block, i-1)
	return b.found, b.entry
}

// locate returns the innermost node of the graph that contains a position.
func (b *backward) locate(at token.Pos) (found *cfg.Block, index int) {
	size := token.Pos(-1)
	for _, block := range b.graph.Blocks {
		for i, n := range block.Nodes {
			if n.Pos() <= at && at < n.End() && (size < 0 || n.End()-n.Pos() < size) {
				found, index, size = block, i, n.End()-n.Pos()
			}
		}
	}
	return found, index
}

// scan looks for definitions backwards from a node of a block, and then in the preceding blocks.
func (b *backward) scan(block *cfg.Block, i int) {
	for ; i >= 0; i-- {
		if b.take(block.Nodes[i]) {
			return
		}
	}
	if block == b.graph.Blocks[0] {
		b.entry = true
	}
	for _, pred := range b.preds[block] {
		if !b.seen[pred] {
			b.seen[pred] = true
			b.scan(pred, len(pred.Nodes)-1)
		}
	}
}

// take keeps the definitions in a node. It reports whether there are any.
func (b *backward) take(n ast.Node) bool {
	taken := false
	for _, d := range b.defs {
		if d.node == n {
			b.found, taken = append(b.found, d), true
		}
	}
	return taken
}
