package scan

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/types/typeutil"
)

// frame is a function on the way to a recorder's call, with the known arguments of one call chain:
// constants, and the number of arguments for a variadic parameter. They decide conditions such as
// isWarning and len(args) > 0.
type frame struct {
	*index
	fn      *function
	info    *types.Info
	values  map[*types.Var]constant.Value
	lengths map[*types.Var]int
	depth   int // of the calls that lead here
}

// frames returns the frames of the wrappers in via, for a call of fn, which contains the first of
// them.
func (s *scanner) frames(at place, fn *function, via []*Site) []frame {
	outer := frame{index: s.index, info: at.pkg.Info}
	call, _ := at.node.(*ast.CallExpr)
	var out []frame
	for i, site := range via {
		if i > 0 {
			fn = s.closures[ast.Node(site.Func)]
		}
		if call == nil || fn == nil || fn.sig == nil {
			break
		}
		outer = outer.into(call, fn)
		out = append(out, outer)
		call = site.Call
	}
	return out
}

// into returns the frame of a function that a call in this frame enters.
func (f frame) into(call *ast.CallExpr, fn *function) frame {
	in := frame{index: f.index, depth: f.depth + 1, fn: fn, info: fn.pkg.Info, values: map[*types.Var]constant.Value{}, lengths: map[*types.Var]int{}}
	params := fn.sig.Params()
	last := params.Len() - 1
	for i := range params.Len() {
		switch {
		case i == last && fn.sig.Variadic():
			if n, ok := f.countOf(call, last); ok {
				in.lengths[params.At(i)] = n
			}
		case i < len(call.Args):
			if v := f.value(call.Args[i]); v != nil {
				in.values[params.At(i)] = v
			}
			if n, ok := f.length(call.Args[i]); ok {
				in.lengths[params.At(i)] = n
			}
		}
	}
	return in
}

// countOf returns the number of arguments that a call passes to the variadic parameter with an
// index.
func (f frame) countOf(call *ast.CallExpr, index int) (int, bool) {
	if !call.Ellipsis.IsValid() {
		return len(call.Args) - index, len(call.Args) >= index
	}
	return f.length(call.Args[len(call.Args)-1])
}

// value returns the constant value of an expression in this frame, or nil.
func (f frame) value(x ast.Expr) constant.Value {
	if v := f.info.Types[x].Value; v != nil {
		return v
	}
	if v := f.values[Variable(f.info, x)]; v != nil && f.unwritten(x) {
		return v
	}
	f.depth++
	switch x := f.initial(x).(type) {
	case *ast.CallExpr:
		return f.result(x)
	case *ast.BinaryExpr, *ast.UnaryExpr:
		if holds, known := f.holds(x); known {
			return constant.MakeBool(holds)
		}
	}
	return nil
}

// initial returns the only value of a local variable, or the expression itself.
func (f frame) initial(x ast.Expr) ast.Expr {
	x = ast.Unparen(x)
	v := Variable(f.info, x)
	if !IsLocal(v) || f.fn == nil || f.fn.owner(v) != nil || f.fn.returns(v) {
		return x
	}
	if known := f.variable(v); len(known.defs) == 1 && known.defs[0].kind == assigned && known.defs[0].fn == f.fn && !f.escapes(v) {
		return ast.Unparen(known.defs[0].rhs)
	}
	return x
}

// result returns the constant result of a call in this frame, or nil.
func (f frame) result(call *ast.CallExpr) (v constant.Value) {
	fn := f.source(f.info, call)
	if fn == nil || fn.body == nil || fn.sig == nil || fn.sig.Results().Len() != 1 || f.depth > mostForwards {
		return nil
	}
	in := f.into(call, fn)
	for _, r := range returns(fn.body) {
		if len(r.Results) != 1 {
			return nil
		}
		if in.fateOf(r) == neverRuns {
			continue
		}
		value := in.value(r.Results[0])
		if value == nil || v != nil && (v.Kind() != value.Kind() || !constant.Compare(v, token.EQL, value)) {
			return nil
		}
		v = value
	}
	return v
}

// length returns the length of a slice: of a variadic parameter, of nil or of a literal.
func (f frame) length(x ast.Expr) (n int, known bool) {
	if f.info.Types[x].IsNil() {
		return 0, true
	}
	if lit, ok := ast.Unparen(x).(*ast.CompositeLit); ok {
		_, slice := f.info.TypeOf(lit).Underlying().(*types.Slice)
		return len(lit.Elts), slice && !slices.ContainsFunc(lit.Elts, func(x ast.Expr) bool { _, keyed := x.(*ast.KeyValueExpr); return keyed })
	}
	n, known = f.lengths[Variable(f.info, x)]
	return n, known && f.unwritten(x)
}

// unwritten reports whether a parameter still has the caller's value where it is read.
func (f frame) unwritten(x ast.Expr) bool {
	v := Variable(f.info, x)
	if len(f.variable(v).defs) == 0 {
		return !f.escapes(v)
	}
	defs, entry := f.reaching(v, f.fn, ast.Unparen(x).Pos())
	return entry && len(defs) == 0 && !f.escapes(v)
}

// holds returns whether a condition holds, for a constant operand or the length of a variadic
// parameter. It reports whether it knows.
func (f frame) holds(cond ast.Expr) (holds, known bool) {
	switch c := ast.Unparen(cond).(type) {
	case *ast.Ident:
		if v := f.value(c); v != nil && v.Kind() == constant.Bool {
			return constant.BoolVal(v), true
		}
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			holds, known = f.holds(c.X)
			return !holds, known
		}
	case *ast.BinaryExpr:
		if c.Op == token.LAND || c.Op == token.LOR {
			return f.both(c)
		}
		return f.compare(c.X, c.Op, c.Y)
	case *ast.CallExpr:
		return f.returned(c)
	}
	return false, false
}

// both is holds for && and ||: one operand can decide.
func (f frame) both(c *ast.BinaryExpr) (holds, known bool) {
	decides := c.Op == token.LOR
	x, knownX := f.holds(c.X)
	y, knownY := f.holds(c.Y)
	if knownX && x == decides || knownY && y == decides {
		return decides, true
	}
	return !decides, knownX && knownY
}

// returned is holds for a call of a function that only returns a condition.
func (f frame) returned(c *ast.CallExpr) (holds, known bool) {
	fn := f.source(f.info, c)
	if fn == nil || fn.body == nil || len(fn.body.List) != 1 || f.depth > mostForwards {
		return false, false
	}
	r, ok := fn.body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return false, false
	}
	return f.into(c, fn).holds(r.Results[0])
}

func (f frame) compare(left ast.Expr, op token.Token, right ast.Expr) (holds, known bool) {
	if !slices.Contains([]token.Token{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ}, op) {
		return false, false
	}
	if n, ok := f.length(left); ok && f.info.Types[right].IsNil() { // no arguments are nil
		return (n == 0) == (op == token.EQL), true
	}
	x, y := f.operand(left), f.operand(right)
	if x == nil || y == nil || x.Kind() != y.Kind() || x.Kind() == constant.Unknown {
		return false, false
	}
	return constant.Compare(x, op, y), true
}

// operand returns the constant value of an expression, also for the length of a variadic parameter.
func (f frame) operand(x ast.Expr) constant.Value {
	x = f.initial(x)
	c, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(c.Args) != 1 {
		return f.value(x)
	}
	if b, ok := typeutil.Callee(f.info, c).(*types.Builtin); ok && b.Name() == "len" {
		if n, ok := f.length(c.Args[0]); ok {
			return constant.MakeInt64(int64(n))
		}
	}
	return f.value(x)
}

// fate is a frame's verdict about a statement.
type fate int

const (
	mayRun fate = iota
	neverRuns
	runsAlways // and a condition decides it
)

// fateOf follows the if statements around a node of the frame's function.
func (f frame) fateOf(node ast.Node) fate {
	if node == nil || f.fn.file == nil || !within(f.fn.body, node) {
		return mayRun
	}
	path, _ := astutil.PathEnclosingInterval(f.fn.file, node.Pos(), node.End())
	decided, open := false, false
	for i := 1; i < len(path) && path[i] != f.fn.node; i++ {
		switch n := path[i].(type) {
		case *ast.IfStmt:
			holds, known := f.holds(n.Cond)
			inBody, inElse := path[i-1] == ast.Node(n.Body), path[i-1] == ast.Node(n.Else)
			if known && (inBody && !holds || inElse && holds) {
				return neverRuns
			}
			decided = decided || known && (inBody || inElse)
			open = open || !known && (inBody || inElse)
		case *ast.BlockStmt:
			if f.returnsBefore(n.List, path[i-1]) {
				return neverRuns
			}
		case *ast.CaseClause:
			s, isSwitch := path[i+2].(*ast.SwitchStmt)
			holds, known := false, false
			if isSwitch && path[i-1] != ast.Node(s.Tag) {
				holds, known = f.chooses(s, n)
			}
			if known && !holds {
				return neverRuns
			}
			decided, open = decided || known, open || !known
			if f.returnsBefore(n.Body, path[i-1]) {
				return neverRuns
			}
		case *ast.RangeStmt:
			if n, known := f.length(n.X); known && n == 0 {
				return neverRuns
			}
			open = true
		case *ast.ForStmt, *ast.CommClause, *ast.FuncLit:
			open = true
		}
	}
	if decided && !open {
		return runsAlways
	}
	return mayRun
}

// returnsBefore reports whether a statement of the list, before the given one, surely returns.
func (f frame) returnsBefore(list []ast.Stmt, before ast.Node) bool {
	for _, s := range list {
		if s == before {
			break
		}
		if f.returns(s) {
			return true
		}
	}
	return false
}

// returns reports whether a statement surely returns.
func (f frame) returns(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BlockStmt:
		return slices.ContainsFunc(s.List, f.returns)
	case *ast.IfStmt:
		holds, known := f.holds(s.Cond)
		return known && (holds && f.returns(s.Body) || !holds && s.Else != nil && f.returns(s.Else))
	case *ast.SwitchStmt:
		return slices.ContainsFunc(s.Body.List, func(c ast.Stmt) bool {
			holds, known := f.chooses(s, c.(*ast.CaseClause))
			return known && holds && slices.ContainsFunc(c.(*ast.CaseClause).Body, f.returns)
		})
	}
	return false
}

// chooses returns whether a switch takes a clause. It reports whether it knows.
func (f frame) chooses(s *ast.SwitchStmt, clause *ast.CaseClause) (takes, known bool) {
	sure := true // that no clause before it is taken
	var byDefault *ast.CaseClause
	for _, stmt := range s.Body.List {
		c := stmt.(*ast.CaseClause)
		if c.List == nil {
			byDefault = c
			continue
		}
		matches, certain := f.matches(s.Tag, c.List)
		switch {
		case certain && matches:
			return c == clause && sure, c != clause || sure
		case c == clause && certain:
			return false, true
		}
		sure = sure && certain
	}
	return clause == byDefault && sure, sure
}

// matches returns whether a case matches. It reports whether it knows.
func (f frame) matches(tag ast.Expr, list []ast.Expr) (matches, certain bool) {
	certain = true
	for _, x := range list {
		holds, known := false, false
		if tag == nil {
			holds, known = f.holds(x)
		} else {
			holds, known = f.compare(tag, token.EQL, x)
		}
		if holds && known {
			return true, true
		}
		certain = certain && known
	}
	return false, certain
}

// neverReached reports whether a call never gets to the recorder's call: a function that takes args
// ...any often calls Eventf if there are any, and Event otherwise.
func neverReached(frames []frame, via []*Site) bool {
	for i, f := range frames {
		if via[i].Call != nil && f.fateOf(via[i].Call) == neverRuns {
			return true
		}
	}
	return false
}

// decided drops alternatives whose statements don't run in the frames, or whose values a running
// statement overwrites.
func decided(v Value, frames []frame) Value {
	for _, f := range frames {
		last := token.NoPos
		for _, t := range v.Alternatives {
			if t.Def != nil && f.fateOf(t.Def) == runsAlways {
				last = max(last, t.Def.Pos())
			}
		}
		kept := slices.DeleteFunc(slices.Clone(v.Alternatives), func(t Text) bool {
			return t.entry == f.fn && last.IsValid() || t.Def != nil && within(f.fn.body, t.Def) && (t.Def.Pos() < last || f.fateOf(t.Def) == neverRuns)
		})
		if len(kept) > 0 {
			v.Alternatives = kept
		}
	}
	return v
}
