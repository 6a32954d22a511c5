package scan

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// This file finds the types behind the interfaces of recorders: it follows the values that code
// stores in variables, fields, parameters and results. What it does not follow, such as elements of
// slices and values of type any, is lost.

// behind holds the methods that a call of a recorder's method can enter.
type behind struct {
	// library: a library's method, or a method of an unknown type. open: the type is not known.
	// lost: because code of the program sets it in a way that is not followed.
	library, open, lost bool
	// own are the methods of the program and its dependencies, sorted by key.
	own []*function
	// unread are methods of dependencies without source.
	unread []*types.Func
	// types are the types of the recorders that are known.
	types []types.Type
}

// holder is a place that holds recorders: a *types.Var, a resultOf, or a name for a field or a
// package variable.
type holder any

type resultOf struct {
	fn    *function
	index int
}

// origins are the sources of a holder's values.
type origins struct {
	holders []holder
	// types are the concrete types of values.
	types []types.Type
	// library: a library makes values. open: unknown values get in. lost: code of the program may
	// make them.
	library, open, lost bool
}

// flow follows recorders through the code.
type flow struct {
	*index
	// can reports whether a place can run. whole: a main package decides that, so that code
	// elsewhere stores nothing.
	can   func(place) bool
	whole bool
	from  map[holder]*origins
	// held maps a variable of function type to the function literals that it holds.
	held   map[*types.Var][]*function
	called map[*function]bool
	owners map[*types.Var]*function
}

func newFlow(x *index) *flow {
	f := &flow{index: x, from: map[holder]*origins{}, held: map[*types.Var][]*function{}, called: map[*function]bool{}}
	f.can, f.whole = x.runs()
	for _, fn := range x.closures {
		if fn.holder != nil {
			f.held[fn.holder] = append(f.held[fn.holder], fn)
		}
	}
	for _, pkg := range x.prog.All() {
		for _, file := range pkg.Syntax {
			if !x.inTest(file) {
				f.file(pkg, file)
			}
		}
	}
	return f
}

// file collects the values that a file stores.
func (f *flow) file(pkg *Package, file *ast.File) {
	var walk func(root ast.Node, fn *function)
	walk = func(root ast.Node, fn *function) {
		ast.Inspect(root, func(n ast.Node) bool {
			if inner := f.closures[n]; inner != nil && n != root {
				walk(n, inner)
				return false
			}
			if n != nil {
				f.node(n, place{n, fn, pkg, file})
			}
			return true
		})
	}
	for _, d := range file.Decls {
		if fn := f.closures[d]; f.can(place{d, fn, pkg, file}) {
			walk(d, fn)
		}
	}
}

func (f *flow) node(n ast.Node, at place) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		f.assigned(n.Lhs, n.Rhs, at)
	case *ast.ValueSpec:
		names := make([]ast.Expr, len(n.Names))
		for i, id := range n.Names {
			names[i] = id
		}
		f.assigned(names, n.Values, at)
	case *ast.CompositeLit:
		f.literal(n, at)
	case *ast.CallExpr:
		f.call(n, at)
	case *ast.ReturnStmt:
		f.returned(n, at)
	}
}

func (f *flow) assigned(left, right []ast.Expr, at place) {
	for i, lhs := range left {
		t := declaredType(at.pkg.Info, lhs)
		switch {
		case !holdsRecorder(t):
		case len(left) == len(right):
			f.add(f.holderOf(lhs, at), f.origins(right[i], at))
		case len(right) == 1:
			f.add(f.holderOf(lhs, at), f.result(right[0], i, at))
		}
	}
}

// declaredType returns the declared type of a variable or field: in place of an instance's type it
// is the type parameter.
func declaredType(info *types.Info, x ast.Expr) types.Type {
	if sel, ok := ast.Unparen(x).(*ast.SelectorExpr); ok {
		if v, ok := info.Uses[sel.Sel].(*types.Var); ok {
			return v.Origin().Type()
		}
	}
	return info.TypeOf(x)
}

// literal stores the elements of a literal in fields.
func (f *flow) literal(lit *ast.CompositeLit, at place) {
	t := at.pkg.Info.TypeOf(lit)
	if t == nil {
		return
	}
	under := Deref(t)
	if named, ok := types.Unalias(under).(*types.Named); ok {
		under = named.Origin() // whose fields can have the types of parameters
	}
	s, ok := under.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for field := range s.Fields() {
		value, ok := Element(at.pkg.Info, lit, field.Name())
		if ok && holdsRecorder(field.Type()) {
			f.add(structKey(t)+"."+field.Name(), f.origins(value, at))
		}
	}
}

func (f *flow) call(call *ast.CallExpr, at place) {
	sig, ok := at.pkg.Info.TypeOf(call.Fun).(*types.Signature)
	if callee := Callee(at.pkg.Info, call); callee != nil {
		sig, ok = callee.Origin().Signature(), true
	}
	if !ok || at.pkg.Info.Types[call.Fun].IsType() || !slices.ContainsFunc(slices.Collect(sig.Params().Variables()), func(v *types.Var) bool { return holdsRecorder(v.Type()) }) {
		return
	}
	for _, fn := range f.entered(call, at) {
		f.called[fn] = true
		for i, arg := range call.Args {
			if fn.sig == nil || len(call.Args) < fn.sig.Params().Len()-1 {
				continue
			}
			if v, _ := parameter(fn.sig, i); v != nil && holdsRecorder(v.Type()) {
				f.add(v, f.origins(arg, at))
			}
		}
	}
}

func parameter(sig *types.Signature, i int) (v *types.Var, variadic bool) {
	last := sig.Params().Len() - 1
	if sig.Variadic() && i >= last {
		return sig.Params().At(last), true
	}
	if i > last {
		return nil, false
	}
	return sig.Params().At(i), false
}

// entered returns the functions with source that a call can enter.
func (f *flow) entered(call *ast.CallExpr, at place) []*function {
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return []*function{f.closures[lit]}
	}
	if v := Variable(at.pkg.Info, call.Fun); v != nil {
		return f.held[v]
	}
	return f.evaluator(at.fn, at.pkg).targets(call)
}

func (f *flow) returned(r *ast.ReturnStmt, at place) {
	if at.fn == nil || at.fn.sig == nil {
		return
	}
	results := at.fn.sig.Results()
	for i := range results.Len() {
		if !holdsRecorder(results.At(i).Type()) {
			continue
		}
		from := origins{holders: []holder{results.At(i)}}
		switch {
		case len(r.Results) == results.Len():
			from = f.origins(r.Results[i], at)
		case len(r.Results) == 1:
			from = f.result(r.Results[0], i, at)
		}
		f.add(resultOf{at.fn, i}, from)
	}
}

func (f *flow) add(to holder, from origins) {
	if to == nil {
		return
	}
	o := f.from[to]
	if o == nil {
		o = &origins{}
		f.from[to] = o
	}
	o.holders, o.types = append(o.holders, from.holders...), append(o.types, from.types...)
	o.library, o.open, o.lost = o.library || from.library, o.open || from.open, o.lost || from.lost
}

// holderOf returns the holder that an expression names, or nil.
func (f *flow) holderOf(x ast.Expr, at place) holder {
	info := at.pkg.Info
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if v := Variable(info, x); v != nil {
			if isGlobal(v) {
				return ObjectName(v)
			}
			return v
		}
	case *ast.SelectorExpr:
		if owner := fieldOwner(info, x); owner != "" {
			return owner + "." + x.Sel.Name
		}
		if v, ok := info.Uses[x.Sel].(*types.Var); ok && isGlobal(v) {
			return ObjectName(v)
		}
	}
	return nil
}

// valueType returns the type of an expression, also in v, ok := x.
func valueType(info *types.Info, x ast.Expr) types.Type {
	t := info.TypeOf(x)
	if pair, ok := t.(*types.Tuple); ok && pair.Len() > 0 {
		return pair.At(0).Type()
	}
	return t
}

// origins returns the sources of an expression's value.
func (f *flow) origins(x ast.Expr, at place) origins {
	info := at.pkg.Info
	t := valueType(info, x)
	if t == nil || info.Types[x].IsNil() {
		return origins{}
	}
	if !holdsRecorder(t) {
		return origins{types: []types.Type{t}, open: types.IsInterface(t), lost: types.IsInterface(t)}
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.CallExpr:
		if info.Types[x.Fun].IsType() && len(x.Args) == 1 {
			return f.origins(x.Args[0], at)
		}
		return f.result(x, 0, at)
	case *ast.TypeAssertExpr:
		if holdsRecorder(info.TypeOf(x.X)) {
			return f.origins(x.X, at)
		}
	default:
		if h := f.holderOf(x, at); h != nil {
			return origins{holders: []holder{h}}
		}
	}
	return origins{open: true, lost: true}
}

// result returns the sources of one result of a call.
func (f *flow) result(x ast.Expr, index int, at place) origins {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok { // v, ok := x.(T), <-c, m[k]
		return f.origins(x, at)
	}
	var out origins
	for _, fn := range f.entered(call, at) {
		switch {
		case fn.sig == nil || index >= fn.sig.Results().Len():
		case holdsRecorder(fn.sig.Results().At(index).Type()):
			out.holders = append(out.holders, resultOf{fn, index})
		default: // of a type parameter, or asserted by the caller
			return origins{open: true, lost: true}
		}
	}
	if len(out.holders) == 0 {
		callee := Callee(at.pkg.Info, call)
		out.library = callee != nil && isLibrary(callee.Pkg())
		out.open = !out.library
		out.lost = callee == nil || callee.Pkg() != nil && f.hasSource(callee.Pkg().Path())
	}
	return out
}

// holdsRecorder reports whether a variable of a type can hold any recorder: the type is an
// interface, or a type parameter, that has a recorder's method.
func holdsRecorder(t types.Type) bool {
	if t == nil {
		return false
	}
	i, ok := t.Underlying().(*types.Interface)
	return ok && slices.ContainsFunc(slices.Collect(i.Methods()), func(m *types.Func) bool {
		_, records := ShapeOf(m)
		return records
	})
}

// at returns the methods that a call of a recorder's method can enter.
func (f *flow) at(c place) behind {
	call := c.node.(*ast.CallExpr)
	fn := Callee(c.pkg.Info, call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return behind{library: true, open: true, lost: true}
	}
	var b behind
	seen := map[holder]bool{}
	if recv := fn.Signature().Recv(); recv == nil || !types.IsInterface(recv.Type()) {
		b.types = []types.Type{c.pkg.Info.TypeOf(sel.X)}
		f.method(fn, &b)
		return b
	}
	if h := embedded(c.pkg.Info.Selections[sel]); h != nil {
		b.types = []types.Type{c.pkg.Info.TypeOf(sel.X)}
		f.into(h, fn.Name(), seen, &b)
	} else {
		f.intoAll(f.origins(sel.X, c), fn.Name(), seen, &b)
	}
	if !b.library && len(b.own)+len(b.unread) == 0 {
		b.open = true
	}
	b.library = b.library || b.open
	slices.SortFunc(b.own, func(p, q *function) int { return int(p.node.Pos() - q.node.Pos()) })
	b.own = slices.Compact(b.own)
	return b
}

// embedded returns the embedded field from which a method is promoted, or nil.
func embedded(sel *types.Selection) holder {
	if sel == nil || len(sel.Index()) < 2 {
		return nil
	}
	return embeddedField(sel.Recv(), sel.Index())
}

func embeddedField(t types.Type, path []int) holder {
	var h holder
	for _, i := range path[:len(path)-1] {
		s, ok := Deref(t).Underlying().(*types.Struct)
		if !ok {
			return h
		}
		h, t = structKey(t)+"."+s.Field(i).Name(), s.Field(i).Type()
	}
	return h
}

// method adds a method that a call names.
func (f *flow) method(fn *types.Func, b *behind) {
	switch known := f.functions[funcKey(fn)]; {
	case !isOwn(fn):
		b.library = true
	case known != nil && known.body != nil:
		b.own = append(b.own, known)
	default:
		b.unread = append(b.unread, fn)
	}
}

// into adds the methods with a name of the values in a holder.
func (f *flow) into(h holder, name string, seen map[holder]bool, b *behind) {
	if seen[h] {
		return
	}
	seen[h] = true
	from := f.from[h]
	b.lost = b.lost || f.isCallback(h)
	if from == nil {
		v, local := h.(*types.Var)
		_, param := f.parameterOf(v)
		b.open, b.lost = true, b.lost || local && !param
		return
	}
	b.open = b.open || f.isOpen(h)
	f.intoAll(*from, name, seen, b)
}

func (f *flow) intoAll(from origins, name string, seen map[holder]bool, b *behind) {
	b.library, b.open, b.lost = b.library || from.library, b.open || from.open, b.lost || from.lost
	b.types = append(b.types, from.types...)
	for _, t := range from.types {
		obj, path, _ := types.LookupFieldOrMethod(t, true, nil, name)
		fn, ok := obj.(*types.Func)
		switch {
		case !ok:
		case !types.IsInterface(fn.Signature().Recv().Type()):
			f.method(fn, b)
		case len(path) > 1:
			f.into(embeddedField(t, path), name, seen, b)
		default:
			b.open, b.lost = true, true
		}
	}
	for _, next := range from.holders {
		f.into(next, name, seen, b)
	}
}

// isOpen reports whether unknown values can get into a holder: a parameter of a function that
// others can call, or an exported field or variable that others can set.
func (f *flow) isOpen(h holder) bool {
	switch h := h.(type) {
	case *types.Var:
		fn, param := f.parameterOf(h)
		return param && (!f.called[fn] || len(f.asValue[fn.key]) > 0 || !f.whole && (fn.obj == nil || fn.obj.Exported()))
	case string:
		return !f.whole && ast.IsExported(h[lastDot(h)+1:])
	}
	return false
}

// isCallback reports whether a holder is a parameter of a function that is called as a value.
func (f *flow) isCallback(h holder) bool {
	v, _ := h.(*types.Var)
	fn, param := f.parameterOf(v)
	return param && (fn.obj == nil && fn.holder == nil && !f.called[fn] || len(f.asValue[fn.key]) > 0)
}

// parameterOf returns the function that has a variable as a parameter.
func (f *flow) parameterOf(v *types.Var) (fn *function, found bool) {
	if f.owners == nil {
		f.owners = map[*types.Var]*function{}
		for _, fn := range f.closures {
			if fn.sig != nil {
				for p := range fn.sig.Params().Variables() {
					f.owners[p] = fn
				}
			}
		}
	}
	fn = f.owners[v]
	return fn, fn != nil
}

func lastDot(s string) int { return strings.LastIndexByte(s, '.') }
