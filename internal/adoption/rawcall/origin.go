package rawcall

import (
	"go/ast"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// origin traces the expression of a part of a text: a local variable that is written once becomes
// the written value; err.Error() and fmt.Sprint(err) become err.
func origin(s *scan.Site, p scan.Part) scan.Part {
	for range 4 {
		next := step(s, p)
		if next == nil {
			return p
		}
		p.Expr, p.Type = next, p.Info.TypeOf(next)
	}
	return p
}

// step returns the expression after one such step, or nil.
func step(s *scan.Site, p scan.Part) ast.Expr {
	if p.Info == nil {
		return nil
	}
	switch e := ast.Unparen(p.Expr).(type) {
	case *ast.CallExpr:
		if len(e.Args) == 1 && p.Info.Types[e.Fun].IsType() {
			return e.Args[0]
		}
		if name := calleeName(p.Info, e); len(e.Args) == 1 && (name == "fmt.Sprint" || name == "fmt.Sprintln") {
			return e.Args[0]
		}
		if x, name := selected(e); name == "Error" && len(e.Args) == 0 && isError(p.Info.TypeOf(x)) {
			return x
		}
	case *ast.Ident:
		if v := scan.Variable(p.Info, e); v != nil && scan.IsString(v.Type()) {
			return s.OnlyValue(v)
		}
	}
	return nil
}

// selected returns x and f of a call x.f(…), or nothing for other calls.
func selected(call *ast.CallExpr) (x ast.Expr, f string) {
	if call != nil {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			return sel.X, sel.Sel.Name
		}
	}
	return nil, ""
}
