package rawcall

import (
	"go/ast"

	"github.com/event-gen/event-gen/internal/callrules"
	"github.com/event-gen/event-gen/internal/scan"
)

// earlyEvent is EV523: a Normal event, and after it in the same block, or in one around it, an update of a status.
func earlyEvent(c *checker, s *scan.Site) {
	if !c.Early || s.Func == nil || s.Func.Body == nil || s.Call == nil || passesOn(s) {
		return
	}
	if t, ok := s.Type.Constant(); !ok || t != "Normal" {
		return
	}
	if update := updateAfter(s.Func.Body, s.Call); update != nil {
		c.report(s.Call.Pos(), callrules.EarlyEvent, "the event comes before the status update at %s; record it once the update has succeeded", c.Where(update.Pos()))
	}
}

// updateAfter finds the first update of a status in the statements that follow a call in its block or in a block around that.
func updateAfter(body *ast.BlockStmt, call *ast.CallExpr) (update *ast.CallExpr) {
	ast.Inspect(body, func(n ast.Node) bool {
		list := statements(n)
		for i, stmt := range list {
			if stmt.Pos() <= call.Pos() && call.End() <= stmt.End() {
				if found := firstUpdate(list[i+1:]); found != nil && !leaves(stmt, call) {
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

// leaves reports whether a block inside of a statement returns after the call, so that what follows the statement does not run.
func leaves(stmt ast.Stmt, call *ast.CallExpr) (found bool) {
	ast.Inspect(stmt, func(n ast.Node) bool {
		for i, inner := range statements(n) {
			if inner.Pos() <= call.Pos() && call.End() <= inner.End() {
				for _, later := range statements(n)[i+1:] {
					_, returns := later.(*ast.ReturnStmt)
					found = found || returns
				}
			}
		}
		return true
	})
	return found
}

func firstUpdate(list []ast.Stmt) (update *ast.CallExpr) {
	for _, stmt := range list {
		ast.Inspect(stmt, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && update == nil && updatesStatus(call) {
				update = call
			}
			return update == nil
		})
	}
	return update
}

// updatesStatus holds for x.Status().Update, x.Status().Patch and x.UpdateStatus.
func updatesStatus(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	switch sel.Sel.Name {
	case "UpdateStatus":
		return true
	case "Update", "Patch":
		inner, ok := ast.Unparen(sel.X).(*ast.CallExpr)
		if !ok {
			return false
		}
		status, ok := inner.Fun.(*ast.SelectorExpr)
		return ok && status.Sel.Name == "Status"
	}
	return false
}
