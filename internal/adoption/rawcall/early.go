package rawcall

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// earlyEvent is EV523: a Normal event, and right after it in the same block an update of a status.
// If the function does nothing else, its callers are looked at too.
func earlyEvent(c *checker, s *scan.Site) {
	if !c.Early || s.Func == nil || s.Func.Body == nil || s.Call == nil {
		return
	}
	if t, ok := s.Type.Constant(); !ok || t != "Normal" || !c.surelyOf(s) || announces(s) {
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
		c.report(s.Call.Pos(), callrules.EarlyEvent, "the event comes before the status update at %s; record it once the update has succeeded, or give it a transition in the catalog (on: {condition: …})", c.Where(update.Pos()))
	}
}

// announces reports whether an event tells what the program is about to do, such as ScalingUp. Such
// an event is right before the update, and right again if the program tries again.
func announces(s *scan.Site) bool {
	for _, v := range []scan.Value{s.Reason, s.Message} {
		for _, t := range v.Alternatives {
			first, _, _ := strings.Cut(t.Format(), " ")
			if slices.ContainsFunc(spell.Words(first), func(word string) bool { return strings.HasSuffix(word, "ing") }) {
				return true
			}
		}
	}
	return false
}

// updateAfter finds the update of a status that follows a call in its block. It returns nil if a
// call that takes a context stands before: the event may be about that call, which has happened.
func (c *checker) updateAfter(in declaration, call *ast.CallExpr) *ast.CallExpr {
	for n := range ast.Preorder(in.Body) {
		list := scan.Statements(n)
		for i, stmt := range list {
			if x, ok := stmt.(*ast.ExprStmt); ok && ast.Unparen(x.X) == call {
				return c.firstUpdate(in, list[i+1:])
			}
			if c.anyTakesContext(in, stmt) {
				break
			}
		}
	}
	return nil
}

func (c *checker) anyTakesContext(in declaration, stmt ast.Stmt) bool {
	for n := range ast.Preorder(stmt) {
		if call, ok := n.(*ast.CallExpr); ok && c.reaches(in, call, takesContext, 0) {
			return true
		}
	}
	return false
}

// firstUpdate finds an update of a status. It returns nil if a call that takes a context runs
// before the update, or the code ignores the update's failure.
func (c *checker) firstUpdate(in declaration, list []ast.Stmt) *ast.CallExpr {
	for _, stmt := range list {
		for n := range ast.Preorder(stmt) {
			call, ok := n.(*ast.CallExpr)
			switch {
			case !ok:
			case c.reaches(in, call, updatesStatus, 0):
				if passesOver(stmt, call) {
					return nil
				}
				return call
			case c.reaches(in, call, takesContext, 0):
				return nil
			}
		}
	}
	return nil
}

// passesOver reports whether a statement drops the error of a call, or looks at it and goes on.
func passesOver(stmt ast.Stmt, call *ast.CallExpr) bool {
	if set, ok := stmt.(*ast.AssignStmt); ok {
		return !slices.ContainsFunc(set.Lhs, func(x ast.Expr) bool { id, ok := x.(*ast.Ident); return !ok || id.Name != "_" })
	}
	check, ok := stmt.(*ast.IfStmt)
	if !ok || call.Pos() >= check.Body.Pos() {
		return false
	}
	for n := range ast.Preorder(check.Body) {
		if _, returns := n.(*ast.ReturnStmt); returns {
			return false
		}
	}
	return true
}

// reaches reports whether a call is of a kind, or enters a function with such a call.
func (c *checker) reaches(in declaration, call *ast.CallExpr, kind func(declaration, *ast.CallExpr) bool, depth int) bool {
	if kind(in, call) {
		return true
	}
	helper, ok := c.helper(in.info, call)
	if !ok || depth >= deepestHelper {
		return false
	}
	for n := range ast.Preorder(helper.Body) {
		if inner, ok := n.(*ast.CallExpr); ok && c.reaches(helper, inner, kind, depth+1) {
			return true
		}
	}
	return false
}

// takesContext reports whether a call takes a context. If a function takes none, its receiver can
// hold the context of calls in it.
func takesContext(in declaration, call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return scan.TypeName(in.info.TypeOf(arg)) == "context.Context" })
}

// updatesStatus reports whether a call is x.Status().Update, x.Status().Patch or x.UpdateStatus,
// also if x.Status() is in a variable.
func updatesStatus(in declaration, call *ast.CallExpr) bool {
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
		_, name = selected(inner)
		return name == "Status"
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
