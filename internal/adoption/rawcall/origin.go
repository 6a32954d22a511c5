package rawcall

import (
	"go/ast"
	"go/types"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// origin traces the expression of a part of a text: a local variable that is written once becomes
// the written value; err.Error() and fmt.Sprint(err) become err.
func origin(s *scan.Site, p scan.Part) scan.Part {
	for range 4 {
		next := step(s, p)
		if next == nil || p.Info == nil {
			return p
		}
		p.Expr, p.Type = next, p.Info.TypeOf(next)
	}
	return p
}

// step returns the expression after one such step, or nil.
func step(s *scan.Site, p scan.Part) ast.Expr {
	switch e := ast.Unparen(p.Expr).(type) {
	case *ast.CallExpr:
		if p.Info == nil {
			return nil
		}
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
		if s.Func != nil && s.Func.Body != nil && p.Info == s.Package.Info {
			return onlyValue(s, e)
		}
	}
	return nil
}

// onlyValue returns the initial value of a local variable of string type, if nothing else is
// assigned to the variable.
func onlyValue(s *scan.Site, id *ast.Ident) ast.Expr {
	v := scan.Variable(s.Package.Info, id)
	if v == nil || !types.Identical(v.Type().Underlying(), types.Typ[types.String]) {
		return nil
	}
	return declaration{s.Func, s.Package.Info}.only(v)
}
