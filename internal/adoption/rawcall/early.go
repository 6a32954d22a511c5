package rawcall

import (
	"go/ast"
	"go/types"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// earlyEvent is EV523: a Normal event, and after it in the same block, or in one around it, an update of a status. If the function does
// nothing else, its callers are looked at too.
func earlyEvent(c *checker, s *scan.Site) {
	if !c.Early || s.Func == nil || s.Func.Body == nil || s.Call == nil {
		return
	}
	if t, ok := s.Type.Constant(); !ok || t != "Normal" {
		return
	}
	in := declaration{s.Func, s.Package.Info}
	update := c.updateAfter(in, s.Call)
	if fn, ok := s.Package.Info.Defs[s.Func.Name].(*types.Func); ok && update == nil && len(s.Func.Body.List) == 1 {
		for _, caller := range c.whole().calls[scan.ObjectName(fn)] {
			if found := c.updateAfter(caller.in, caller.call); found != nil && update == nil {
				update = found
			}
		}
	}
	if update != nil {
		c.report(s.Call.Pos(), callrules.EarlyEvent, "the event comes before the status update at %s; record it once the update has succeeded", c.Where(update.Pos()))
	}
}

// updateAfter finds the first update of a status in the statements that follow a call in its block or in a block around that.
func (c *checker) updateAfter(in declaration, call *ast.CallExpr) (update *ast.CallExpr) {
	ast.Inspect(in.Body, func(n ast.Node) bool {
		list := statements(n)
		for i, stmt := range list {
			if stmt.Pos() <= call.Pos() && call.End() <= stmt.End() {
				if found := c.firstUpdate(in, list[i+1:]); found != nil && !leaves(stmt, call) {
					update = found
				}
			}
		}
		return true
	})
	return update
}

func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// leaves reports whether a block inside of a statement returns after the call, so that the statements after that statement do not run.
func leaves(stmt ast.Stmt, call *ast.CallExpr) (found bool) {
	ast.Inspect(stmt, func(n ast.Node) bool {
		called := false
		for _, inner := range statements(n) {
			_, returns := inner.(*ast.ReturnStmt)
			found = found || called && returns
			called = called || inner.Pos() <= call.Pos() && call.End() <= inner.End()
		}
		return true
	})
	return found
}

func (c *checker) firstUpdate(in declaration, list []ast.Stmt) (update *ast.CallExpr) {
	for _, stmt := range list {
		ast.Inspect(stmt, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && update == nil && c.updatesStatus(in, call, 0) {
				update = call
			}
			return update == nil
		})
	}
	return update
}

// updatesStatus holds for x.Status().Update, x.Status().Patch and x.UpdateStatus, also if x.Status() is in a variable, and for functions that
// call one of these.
func (c *checker) updatesStatus(in declaration, call *ast.CallExpr, depth int) bool {
	of, name := selected(call)
	switch name {
	case "UpdateStatus":
		return true
	case "Update", "Patch":
		of = ast.Unparen(of)
		if value := in.only(scan.Variable(in.info, of)); value != nil {
			of = ast.Unparen(value)
		}
		inner, _ := of.(*ast.CallExpr)
		if _, name = selected(inner); name == "Status" {
			return true
		}
	}
	helper, ok := c.helper(in.info, call)
	if !ok || depth >= deepestHelper {
		return false
	}
	for n := range ast.Preorder(helper.Body) {
		if inner, ok := n.(*ast.CallExpr); ok && c.updatesStatus(helper, inner, depth+1) {
			return true
		}
	}
	return false
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
