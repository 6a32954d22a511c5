package migrate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"unicode"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// freshName is a variable that the change declares.
type freshName struct {
	block ast.Node
	name  string
}

// derived puts a generated constructor before the statement of the place. The place then hands over
// the event's reason, type and message.
func (w *writer) derived() string {
	s := w.site.scan
	if len(w.site.verdict.Event.Also) > 0 {
		return "the entry is recorded on several objects, and the helper takes one event"
	}
	h, why := handedOver(s)
	if why != "" {
		return why
	}
	for _, x := range []ast.Expr{h.reason, h.eventType, h.message, h.action} {
		if x != nil && !isPlainString(w.src.pkg.Info.TypeOf(x)) {
			return "the helper takes text of another type than string"
		}
	}
	node := ast.Node(s.Fixes)
	if s.Call != nil {
		node = s.Call
	}
	path, _ := astutil.PathEnclosingInterval(w.src.file, node.Pos(), node.End())
	statement, block, why := insertion(path)
	if why != "" {
		return why
	}
	args := w.arguments()
	if x := w.site.raw.Regarding.Expr; x != nil && !w.result.OnlyReads(s, x) {
		return "the object is made by a call, which would run twice"
	}
	w.change.replaced = h.nodes()
	if why := w.movable(statement); why != "" {
		return why
	}
	if h.message == nil && !w.keptOnlyRead() {
		return "the helper makes the text, of what calls give"
	}
	name := w.fresh(block, statement)
	constructor := w.src.names.Qualified(w.site.pkg.Path, w.site.pkg.Name, w.site.verdict.Method.Constructor)
	at := w.offset(statement.Pos())
	text := name + " := " + w.call(constructor, args, node) + "\n" + w.indent(at)
	w.change.edits = append(w.change.edits, Edit{at, at, text})
	w.hand(h, name)
	w.site.Entry = w.site.verdict.Method.Constructor
	return w.comments()
}

// keptOnlyRead reports whether the constructor's arguments can be evaluated a second time: they
// only read.
func (w *writer) keptOnlyRead() bool {
	return !slices.ContainsFunc(w.change.kept, func(x ast.Expr) bool { return !w.result.OnlyReads(w.site.scan, x) })
}

func isPlainString(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// nodes are the expressions that the event replaces.
func (h handed) nodes() []ast.Node {
	var out []ast.Node
	for _, x := range append([]ast.Expr{h.reason, h.eventType, h.action, h.message}, h.rest...) {
		if x != nil {
			out = append(out, x)
		}
	}
	return out
}

// hand replaces the handed expressions by the event's reason, type and message.
func (w *writer) hand(h handed, name string) {
	w.edit(h.reason, name+".Reason()")
	if h.eventType != nil {
		w.edit(h.eventType, name+".Type()")
	}
	if h.action != nil {
		w.edit(h.action, name+".Action()")
	}
	if h.message == nil {
		return
	}
	if !h.format {
		w.edit(h.message, name+".Message()")
		return
	}
	w.edit(h.message, `"%s", `+name+".Message()")
	if len(h.rest) == 0 {
		return
	}
	last := h.rest[len(h.rest)-1].End()
	if w.site.scan.Call.Ellipsis.IsValid() {
		last = w.site.scan.Call.Ellipsis + 3
	}
	w.change.edits = append(w.change.edits, Edit{w.offset(h.message.End()), w.offset(last), ""})
}

// insertion returns a statement and its block. A constructor before the statement runs whenever the
// node does.
func insertion(path []ast.Node) (statement ast.Stmt, block ast.Node, why string) {
	for i := 0; i+1 < len(path); i++ {
		child := path[i]
		switch parent := path[i+1].(type) {
		case *ast.BlockStmt:
			return child.(ast.Stmt), parent, ""
		case *ast.CaseClause, *ast.CommClause:
			if s, ok := child.(ast.Stmt); ok && !isComm(parent, s) {
				return s, parent, ""
			}
			return nil, nil, "it stands in a case"
		case *ast.IfStmt:
			if parent.Else == child {
				return nil, nil, "it stands in the condition of an else"
			}
		case *ast.ForStmt:
			return nil, nil, "it stands in the head of a loop"
		case *ast.RangeStmt:
			if parent.X != child {
				return nil, nil, "it stands in the head of a loop"
			}
		case *ast.BinaryExpr:
			if (parent.Op == token.LAND || parent.Op == token.LOR) && parent.Y == child {
				return nil, nil, "it stands behind a condition"
			}
		case *ast.LabeledStmt:
			return nil, nil, "its statement has a label"
		case *ast.FuncDecl, *ast.GenDecl:
			return nil, nil, "it stands outside of functions"
		}
	}
	return nil, nil, "it stands outside of functions"
}

func isComm(parent ast.Node, s ast.Stmt) bool {
	c, ok := parent.(*ast.CommClause)
	return ok && c.Comm == s
}

// movable returns why the arguments can't be read before the statement; empty if they can.
func (w *writer) movable(statement ast.Stmt) string {
	for _, x := range w.change.kept {
		if name := w.declaredBy(statement, x); name != "" {
			return name + " is declared by the statement itself"
		}
		if why := w.early(statement, x); why != "" {
			return why
		}
	}
	return ""
}

// declaredBy returns the name of a variable that an expression reads and the statement declares;
// empty if there is none.
func (w *writer) declaredBy(statement ast.Stmt, x ast.Expr) string {
	scope := w.src.pkg.Types.Scope().Innermost(statement.Pos())
	for n := range ast.Preorder(x) {
		id, ok := n.(*ast.Ident)
		if !ok || scope == nil {
			continue
		}
		obj := w.src.pkg.Info.Uses[id]
		if obj == nil || obj.Parent() == nil || obj.Pkg() != nil && obj.Pkg() != w.src.pkg.Types {
			continue // not of this package, or a field or method
		}
		if x.Pos() <= obj.Pos() && obj.Pos() < x.End() { // declared inside
			continue
		}
		if _, found := scope.LookupParent(id.Name, statement.Pos()); found != obj {
			return id.Name
		}
	}
	return ""
}

// early returns why an expression can't be evaluated before the statement's earlier calls; empty if
// it can.
func (w *writer) early(statement ast.Stmt, x ast.Expr) string {
	reads := w.result.OnlyReads(w.site.scan, x)
	for _, c := range w.callsBefore(statement, x) {
		switch {
		case reads && scan.Pure(w.src.pkg.Info, c):
		case !reads:
			return "the text is made by calls, and the statement makes other calls before them"
		case !w.result.SameBefore(w.site.scan, x, statement):
			return "a call of the statement comes before the text, and may write what the text shows"
		}
	}
	return ""
}

// callsBefore returns the calls that the statement makes before it evaluates an expression. It
// leaves out calls that earlier changes take out of the statement, too, because these stay in
// order. The change depends on those earlier changes.
func (w *writer) callsBefore(statement ast.Stmt, x ast.Expr) []*ast.CallExpr {
	var out []*ast.CallExpr
	ast.Inspect(statement, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if n.End() > x.Pos() || w.src.pkg.Info.Types[n.Fun].IsType() || w.change.moves(n) {
				return true
			}
			if o := w.src.taking(n, w.offset(statement.Pos())); o != nil {
				w.change.after = append(w.change.after, o)
				return true
			}
			out = append(out, n)
		}
		return true
	})
	return out
}

// moves reports whether a change takes a node out of its place.
func (c *change) moves(n ast.Node) bool {
	return slices.ContainsFunc(c.replaced, func(o ast.Node) bool { return o.Pos() <= n.Pos() && n.End() <= o.End() })
}

// taking returns the change that moves a node before the statement at an offset; nil if there is
// none.
func (src *source) taking(n ast.Node, at int) *change {
	for _, c := range src.changes {
		if c.site.Scope == scan.ThroughWrapper && c.moves(n) && slices.ContainsFunc(c.edits, func(e Edit) bool { return e.From == at && e.To == at }) {
			return c
		}
	}
	return nil
}

// fresh returns a name that nothing else in the function can mean.
func (w *writer) fresh(block ast.Node, statement ast.Stmt) string {
	overlaps := func(o ast.Node) bool { return o.Pos() < block.End() && block.Pos() < o.End() }
	taken := func(name string) bool {
		return w.src.names.used[name] || slices.ContainsFunc(w.src.fresh, func(f freshName) bool { return f.name == name && overlaps(f.block) })
	}
	base := lowerFirst(w.site.verdict.Method.Name)
	if token.IsKeyword(base) {
		base += "Event"
	}
	name := base
	for i := 2; taken(name); i++ {
		if name = base + "Event"; i > 2 {
			name = fmt.Sprintf("%sEvent%d", base, i-1)
		}
	}
	w.src.fresh = append(w.src.fresh, freshName{block, name})
	return name
}

// lowerFirst is a name with its first word in small letters: PVCBound is pvcBound.
func lowerFirst(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsUpper(r) || i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}
