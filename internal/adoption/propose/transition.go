package propose

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// transition returns a comment for an event that is recorded beside a change of a condition. The
// comment shows the key with which the generated recorder records the event once the status is
// stored.
func (e *Event) transition() string {
	for _, s := range e.Sites {
		if on := transitionBeside(s); on != "" && len(e.Regarding) == 1 && e.Select == "" {
			return fmt.Sprintf("# Recorded beside meta.SetStatusCondition. To record it once the status is stored, give it this key and no params (docs/catalog.md#transitions): %s", on)
		}
	}
	return ""
}

// transitionBeside returns the key "on" for the condition that the block of a site sets; empty if
// the block sets none, or several.
func transitionBeside(s *scan.Site) string {
	if s.Func == nil || s.Func.Body == nil || s.Call == nil {
		return ""
	}
	var found []string
	for n := range ast.Preorder(s.Func.Body) {
		list := scan.Statements(n)
		beside := slices.ContainsFunc(list, func(stmt ast.Stmt) bool {
			x, ok := stmt.(*ast.ExprStmt)
			return ok && ast.Unparen(x.X) == s.Call
		})
		for _, stmt := range list {
			if x, ok := stmt.(*ast.ExprStmt); beside && ok {
				if call, ok := ast.Unparen(x.X).(*ast.CallExpr); ok {
					if on := transitionOf(s.Package.Info, call); on != "" {
						found = append(found, on)
					}
				}
			}
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// transitionOf returns the key on for a call of meta.SetStatusCondition with a literal whose type
// and status are constants.
func transitionOf(info *types.Info, call *ast.CallExpr) string {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) != 2 {
		return ""
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.FullName() != "k8s.io/apimachinery/pkg/api/meta.SetStatusCondition" {
		return ""
	}
	lit, ok := ast.Unparen(call.Args[1]).(*ast.CompositeLit)
	if !ok {
		return ""
	}
	field := func(name string) string {
		if x, ok := scan.Element(info, lit, name); ok {
			text, _ := scan.ConstantText(info, x)
			return text
		}
		return ""
	}
	condition, status, reason := field("Type"), field("Status"), field("Reason")
	if condition == "" || status == "" {
		return ""
	}
	on := fmt.Sprintf("on: {condition: %s, status: %s", scalar(condition), scalar(status))
	if reason != "" {
		on += ", reason: " + scalar(reason)
	}
	return on + "}"
}
