package migrate

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// settle removes the local variables that only raw calls used. If a variable can't be removed,
// settle leaves the sites that used it.
func (e *editor) settle() {
	for _, src := range e.sources {
		if src.owner != e.result {
			continue
		}
		for e.settleFile(src) {
		}
	}
}

// settleFile settles one file. It returns true if it has left a site: all files must then be
// settled again.
func (e *editor) settleFile(src *source) bool {
	src.removed = nil
	l := &locals{editor: e, src: src, removable: map[*types.Var][]ast.Stmt{}}
	for l.sweep() {
	}
	if l.blocked == nil {
		for _, statements := range l.removable {
			for _, s := range statements {
				src.removed = append(src.removed, l.removal(s))
			}
		}
		return false
	}
	left := false
	touches := func(n ast.Node) bool { return l.mentions(n, func(v *types.Var) bool { return v == l.blocked }) }
	for _, c := range slices.Clone(src.changes) {
		if slices.ContainsFunc(c.replaced, touches) {
			src.drop(c, "the variable "+l.blocked.Name()+" would not be used any more, and can't be removed")
			left = true
		}
	}
	return left
}

// locals looks for local variables that nothing reads once the changes are made.
type locals struct {
	*editor
	src       *source
	removable map[*types.Var][]ast.Stmt // the statements that give them values
	blocked   *types.Var
}

// sweep finds one more variable without readers. It reports whether there was one.
func (l *locals) sweep() bool {
	for _, v := range l.candidates() {
		if _, done := l.removable[v]; done || l.isRead(v) {
			continue
		}
		statements, ok := l.definitions(v)
		if !ok {
			l.blocked = v
			return false
		}
		l.removable[v] = statements
		return true
	}
	return false
}

// candidates returns the local variables in the removed nodes, in order.
func (l *locals) candidates() []*types.Var {
	var out []*types.Var
	add := func(n ast.Node) {
		l.mentions(n, func(v *types.Var) bool {
			if scan.IsLocal(v) && !slices.Contains(out, v) {
				out = append(out, v)
			}
			return false
		})
	}
	for _, c := range l.src.changes {
		for _, n := range c.replaced {
			if l.inFile(n) {
				add(n)
			}
		}
	}
	for _, statements := range l.removable {
		for _, s := range statements {
			add(s)
		}
	}
	slices.SortFunc(out, func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) })
	return out
}

// mentions reports whether a node uses a variable for which a condition holds.
func (l *locals) mentions(n ast.Node, is func(*types.Var) bool) bool {
	for n := range ast.Preorder(n) {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := l.src.pkg.Info.Uses[id].(*types.Var); ok && is(v) {
				return true
			}
		}
	}
	return false
}

func (l *locals) inFile(n ast.Node) bool {
	return l.src.file.FileStart <= n.Pos() && n.End() <= l.src.file.FileEnd
}

// isRead reports whether any remaining code reads a variable. It is true for parameters and
// results, because the compiler accepts unused ones.
func (l *locals) isRead(v *types.Var) bool {
	if v.Kind() != types.LocalVar {
		return true
	}
	written := map[ast.Expr]bool{}
	for n := range ast.Preorder(l.src.file) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				written[x] = n.Tok == token.ASSIGN
			}
		case *ast.Ident:
			if l.src.pkg.Info.Uses[n] == v && !written[n] && l.stays(n) {
				return true
			}
		}
	}
	return false
}

// stays reports whether an identifier is in the new text: it is outside of the removed nodes, or
// copied.
func (l *locals) stays(id *ast.Ident) bool {
	holds := func(n ast.Node) bool { return n.Pos() <= id.Pos() && id.End() <= n.End() }
	gone := false
	for _, c := range l.src.changes {
		if slices.ContainsFunc(c.kept, func(x ast.Expr) bool { return holds(x) }) {
			return true
		}
		gone = gone || slices.ContainsFunc(c.replaced, holds)
	}
	for _, statements := range l.removable {
		gone = gone || slices.ContainsFunc(statements, func(s ast.Stmt) bool { return holds(s) })
	}
	return !gone
}

// definitions returns the statements that give a variable its values, if all can go: each sets this
// variable alone, and its value has no effect.
func (l *locals) definitions(v *types.Var) ([]ast.Stmt, bool) {
	var out []ast.Stmt
	for n := range ast.Preorder(l.src.file) {
		id, isIdent := n.(*ast.Ident)
		if !isIdent || l.src.pkg.Info.ObjectOf(id) != v {
			continue
		}
		path, _ := astutil.PathEnclosingInterval(l.src.file, id.Pos(), id.End())
		s, defines := l.definition(path, id)
		switch {
		case s != nil:
			out = append(out, s)
		case defines || l.stays(id):
			return nil, false
		}
	}
	return out, len(out) > 0
}

// definition returns the statement that gives the variable of an identifier its value; nil if there
// is none that can go. defines: the statement sets the variable.
func (l *locals) definition(path []ast.Node, id *ast.Ident) (s ast.Stmt, defines bool) {
	if len(path) < 3 {
		return nil, false
	}
	switch n := path[1].(type) {
	case *ast.AssignStmt:
		if !slices.Contains(n.Lhs, ast.Expr(id)) {
			return nil, false
		}
		if len(n.Lhs) != 1 || !listed(path[2]) || !l.onlyReads(n.Rhs[0]) {
			return nil, true
		}
		return n, true
	case *ast.ValueSpec:
		if len(path) < 5 || len(n.Names) != 1 || !listed(path[4]) {
			return nil, true
		}
		decl, ok := path[3].(*ast.DeclStmt)
		if g, isGen := path[2].(*ast.GenDecl); !ok || !isGen || len(g.Specs) != 1 || len(n.Values) == 1 && !l.onlyReads(n.Values[0]) {
			return nil, true
		}
		return decl, true
	case *ast.RangeStmt, *ast.IncDecStmt, *ast.TypeSwitchStmt:
		return nil, true
	}
	return nil, false
}

// onlyReads reports whether an expression can go, or move elsewhere.
func (l *locals) onlyReads(x ast.Expr) bool {
	return len(l.src.changes) > 0 && l.result.OnlyReads(l.src.changes[0].site.scan, x)
}

// listed reports whether a node is a list of statements.
func listed(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// removal removes a statement, with its line if nothing else stands there. If the statement is the
// first of its block, the empty line after it goes, too.
func (l *locals) removal(s ast.Stmt) Edit {
	from, to := l.offset(s.Pos()), l.offset(s.End())
	text := l.src.old
	start := len(bytes.TrimRight(text[:from], "\t "))
	if to == len(text) || text[to] != '\n' || start > 0 && text[start-1] != '\n' {
		return Edit{from, to, ""}
	}
	to++
	if before := bytes.TrimRight(text[:start], "\n"); bytes.HasSuffix(before, []byte("{")) && to < len(text) && text[to] == '\n' {
		to++
	}
	return Edit{start, to, ""}
}
