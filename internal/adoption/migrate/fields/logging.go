package fields

import (
	"go/ast"
	"go/types"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

const klogPath = "k8s.io/klog/v2"

// verbosity is the level at which a function for StartLogging logs: 0 of klog.Infof, and that of
// klog.V(level).Infof. It is empty for functions of others: what StartStructuredLogging logs goes
// to klog.
func (r *reader) verbosity(call *ast.CallExpr) string {
	if len(call.Args) != 1 {
		return ""
	}
	sel, ok := ast.Unparen(call.Args[0]).(*ast.SelectorExpr)
	if !ok || !r.ofKlog(sel.Sel, "Infof") {
		return ""
	}
	v, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	if !ok {
		if _, isPackage := scan.Named(r.info(), sel.X).(*types.PkgName); isPackage {
			return "0"
		}
		return ""
	}
	level, ok := ast.Unparen(v.Fun).(*ast.SelectorExpr)
	if !ok || len(v.Args) != 1 || !r.ofKlog(level.Sel, "V") {
		return ""
	}
	if x := r.info().Types[v.Args[0]].Value; x != nil {
		return x.ExactString()
	}
	return ""
}

// ofKlog reports whether an identifier is a function or method of klog.
func (r *reader) ofKlog(id *ast.Ident, name string) bool {
	fn, ok := r.info().Uses[id].(*types.Func)
	return ok && fn.Pkg() != nil && scan.RealPath(fn.Pkg().Path()) == klogPath && fn.Name() == name
}
