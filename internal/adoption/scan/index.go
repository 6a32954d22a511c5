package scan

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"
)

// index holds the definitions, assignments and calls of all packages that were read. Names identify
// types, functions and fields, because a dependency has type objects of its own.
type index struct {
	prog *Program
	// functions holds declared functions by key. closures holds function literals and declarations
	// by node.
	functions map[string]*function
	closures  map[ast.Node]*function
	variables map[*types.Var]*variable
	globals   map[string]*variable
	// methods holds declared methods by name.
	methods map[string][]*function
	// literals holds composite literals by type. assigns holds assignments to fields by type and
	// field.
	literals map[string][]place
	assigns  map[string][]fieldAssign
	// calls holds static calls by the called function's key.
	calls map[string][]place
	// dynamic holds calls through interfaces, by the method's name.
	dynamic map[string][]place
	// varCalls holds calls of variables of function type.
	varCalls map[*types.Var][]place
	// asValue holds uses of functions as values, by the function's key.
	asValue map[string][]place
	// holders maps a function literal to the variable that holds it.
	holders map[*ast.FuncLit]*types.Var
	// through holds the names of fields f in assignments *x.f = … .
	through map[string]bool
	// looseFields holds the fields whose address is taken, so that other code may write them.
	looseFields map[string]bool
	// decodes holds the struct types that a function decodes into.
	decodes map[string]bool
	// paths holds the import paths of the packages.
	paths map[string]bool
	// unseen lists uses of recorders' methods as values.
	unseen []place
	// recorded lists the calls of recorders' methods.
	recorded []recordedCall
}

// place is a node and the function that contains it.
type place struct {
	node ast.Node
	fn   *function // nil in a package variable's initializer
	pkg  *Package
	file *ast.File
}

// fieldAssign is an assignment x.f = value.
type fieldAssign struct {
	place
	base  ast.Expr
	value ast.Expr // nil where several results are assigned
}

// function is a declared function or a function literal.
type function struct {
	key    string
	pkg    *Package
	file   *ast.File
	node   ast.Node
	decl   *ast.FuncDecl // the declared function itself, or the one around a literal
	parent *function
	obj    *types.Func // nil for literals
	sig    *types.Signature
	body   *ast.BlockStmt
	// holder is the variable that a literal is assigned to.
	holder *types.Var
	graph  *cfg.CFG
}

// name returns the function's name, for messages.
func (f *function) name() string {
	if f.holder != nil {
		return f.holder.Name()
	}
	if _, literal := f.node.(*ast.FuncLit); literal {
		return "a function literal"
	}
	return f.decl.Name.Name
}

// param returns the index of a parameter, or -1 for the receiver.
func (f *function) param(v *types.Var) (int, bool) {
	if f.sig == nil {
		return 0, false
	}
	if f.sig.Recv() == v {
		return -1, true
	}
	i := slices.Index(slices.Collect(f.sig.Params().Variables()), v)
	return i, i >= 0
}

// owner returns a variable as a parameter of this function, or of a function around it. It returns
// nil for other variables.
func (f *function) owner(v *types.Var) *paramRef {
	for ; f != nil; f = f.parent {
		if i, ok := f.param(v); ok {
			return &paramRef{f, i}
		}
	}
	return nil
}

// returns reports whether a variable is a named result of the function, or of one around it.
func (f *function) returns(v *types.Var) bool {
	for ; f != nil; f = f.parent {
		if f.sig != nil && slices.Contains(slices.Collect(f.sig.Results().Variables()), v) {
			return true
		}
	}
	return false
}

func newIndex(p *Program) *index {
	x := &index{
		prog: p, functions: map[string]*function{}, methods: map[string][]*function{}, closures: map[ast.Node]*function{}, variables: map[*types.Var]*variable{},
		globals: map[string]*variable{}, literals: map[string][]place{}, assigns: map[string][]fieldAssign{},
		calls: map[string][]place{}, dynamic: map[string][]place{}, varCalls: map[*types.Var][]place{}, asValue: map[string][]place{},
		through: map[string]bool{}, looseFields: map[string]bool{}, decodes: map[string]bool{}, paths: map[string]bool{}, holders: map[*ast.FuncLit]*types.Var{},
	}
	for _, pkg := range p.All() {
		x.add(pkg)
	}
	return x
}

// add indexes one package.
func (x *index) add(pkg *Package) {
	x.paths[pkg.Path] = true
	for _, file := range pkg.Syntax {
		w := &indexer{index: x, pkg: pkg, file: file, called: map[ast.Expr]bool{}, stored: map[*ast.UnaryExpr]bool{}}
		for _, d := range file.Decls {
			w.walk(d)
		}
	}
}

// fromSource reads the package of a function, and returns the function. It returns nil if the
// package was read before or has no source.
func (x *index) fromSource(fn *types.Func) *function {
	if fn.Pkg() == nil || x.hasSource(fn.Pkg().Path()) {
		return nil
	}
	pkg := x.prog.source(fn.Pkg().Path())
	if pkg == nil {
		return nil
	}
	x.add(pkg)
	return x.functions[funcKey(fn)]
}

// funcKey identifies a function or method. Instances of a generic function share its key.
func funcKey(fn *types.Func) string { return RealPath(fn.Origin().FullName()) }

func isGlobal(v *types.Var) bool {
	return v.Pkg() != nil && !v.IsField() && v.Parent() == v.Pkg().Scope()
}

// indexer indexes one file.
type indexer struct {
	*index
	pkg    *Package
	file   *ast.File
	fn     *function
	called map[ast.Expr]bool
	// stored holds the address expressions &v that are stored in a field, and nowhere else.
	stored map[*ast.UnaryExpr]bool
}

func (w *indexer) here(n ast.Node) place { return place{n, w.fn, w.pkg, w.file} }

// walk indexes a node and everything below it.
func (w *indexer) walk(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			w.declared(n)
			return false
		case *ast.FuncLit:
			w.closure(n)
			return false
		case *ast.AssignStmt:
			w.assign(n)
		case *ast.ValueSpec:
			w.spec(n)
		case *ast.RangeStmt:
			w.define(n.Key, def{node: n.Key, kind: ranged, rhs: n.X, index: 0})
			w.define(n.Value, def{node: n.Value, kind: ranged, rhs: n.X, index: 1})
		case *ast.UnaryExpr:
			w.address(n)
		case *ast.IncDecStmt:
			w.define(n.X, def{node: n, kind: unknown})
		case *ast.TypeSwitchStmt:
			w.typeSwitch(n)
		case *ast.KeyValueExpr:
			w.store(n.Key, n.Value)
		case *ast.CompositeLit:
			if key := structKey(w.pkg.Info.TypeOf(n)); key != "" {
				w.literals[key] = append(w.literals[key], w.here(n))
			}
		case *ast.CallExpr:
			w.call(n)
		case *ast.SelectorExpr:
			w.used(n, n.Sel)
		case *ast.Ident:
			w.used(n, n)
		}
		return true
	})
}

// address indexes the variable or the field whose address is taken.
func (w *indexer) address(x *ast.UnaryExpr) {
	if x.Op != token.AND {
		return
	}
	if sel, ok := ast.Unparen(x.X).(*ast.SelectorExpr); ok {
		if owner := fieldOwner(w.pkg.Info, sel); owner != "" {
			w.looseFields[owner+"."+sel.Sel.Name] = true
		}
	}
	if v := Variable(w.pkg.Info, x.X); v != nil && !w.stored[x] {
		w.variable(v).loose = x.X.Pos()
	}
}

func (w *indexer) declared(d *ast.FuncDecl) {
	obj, _ := w.pkg.Info.Defs[d.Name].(*types.Func)
	f := &function{pkg: w.pkg, file: w.file, node: d, decl: d, obj: obj, body: d.Body}
	if obj != nil {
		f.sig, _ = obj.Type().(*types.Signature)
		f.key = funcKey(obj)
		w.functions[f.key] = f
		if d.Recv != nil {
			w.methods[obj.Name()] = append(w.methods[obj.Name()], f)
		}
	}
	w.inside(f)
}

func (w *indexer) closure(l *ast.FuncLit) {
	f := &function{
		pkg: w.pkg, file: w.file, node: l, parent: w.fn, body: l.Body, key: fmt.Sprintf("literal@%d", l.Pos()), holder: w.holders[l],
	}
	if w.fn != nil {
		f.decl = w.fn.decl
	}
	f.sig, _ = w.pkg.Info.TypeOf(l).(*types.Signature)
	w.inside(f)
}

func (w *indexer) inside(f *function) {
	w.closures[f.node] = f
	if f.body != nil {
		outer := w.fn
		w.fn = f
		w.walk(f.body)
		w.fn = outer
	}
}

// structKey identifies a struct type, or the struct behind a pointer: by its name, or by its text
// if it has none.
func structKey(t types.Type) string {
	if t == nil {
		return ""
	}
	t = Deref(t)
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	if name := TypeName(t); name != "" {
		return name
	}
	return typeKey(s)
}

// call indexes a call by the function, method or variable that it calls.
func (w *indexer) call(c *ast.CallExpr) {
	w.called[ast.Unparen(c.Fun)] = true
	callee := typeutil.Callee(w.pkg.Info, c)
	if _, builtin := callee.(*types.Builtin); builtin && len(c.Args) == 0 { // it does not compile
		return
	}
	if callee != nil {
		w.fills(c, callee)
	}
	switch callee := callee.(type) {
	case *types.Builtin: // such as delete(v, key)
		if slices.Contains([]string{"delete", "clear", "copy"}, callee.Name()) {
			if v := Variable(w.pkg.Info, c.Args[0]); v != nil {
				w.variable(v).written = c.Pos()
			}
		}
	case *types.Func:
		if Callee(w.pkg.Info, c) == nil { // T.Method(receiver, …) is a value that is called
			w.called[ast.Unparen(c.Fun)] = false
			return
		}
		if shape, ok := ShapeOf(callee); ok {
			w.recorded = append(w.recorded, recordedCall{w.here(c), shape})
		}
		calls, key := w.calls, funcKey(callee)
		if recv := callee.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			calls, key = w.dynamic, callee.Name()
		}
		calls[key] = append(calls[key], w.here(c))
	case *types.Var:
		w.varCalls[callee] = append(w.varCalls[callee], w.here(c))
	}
}

// used indexes a function used as a value.
func (w *indexer) used(e ast.Expr, id *ast.Ident) {
	if e != id {
		w.called[id] = true // the identifier is visited after the selector
	}
	if fn, ok := w.pkg.Info.Uses[id].(*types.Func); ok && !w.called[e] {
		key := funcKey(fn)
		w.asValue[key] = append(w.asValue[key], w.here(e))
		if _, records := ShapeOf(fn); records && !w.pkg.Dependency {
			w.unseen = append(w.unseen, w.here(e))
		}
	}
}
