package rawcall

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// unread reports the values that scan could not decide. Without such a finding, no finding means no
// mistake. unread needs the whole program, because another package may show the value.
func (c *checker) unread() {
	if !c.Whole {
		return
	}
	for _, s := range c.Sites {
		texts := undecided(s)
		giver := givesReason(s)
		pos := at(giver, giver.Reason)
		said := slices.ContainsFunc(c.findings, func(f Finding) bool { return f.Pos == pos && f.Rule == callrules.ErrorAsReason })
		if len(texts) > 0 && pos.IsValid() && !said && !c.swapped[s] && !s.Typed() {
			c.report(pos, callrules.Unread, "%s", strings.Join(texts, "; "))
		}
	}
	for _, left := range c.Left {
		if pos := c.posOf(left.Pos); pos.IsValid() {
			c.report(pos, callrules.Unread, "%s", left.Text)
		}
	}
	if len(c.Sites) == 0 {
		c.silent()
	}
}

// givesReason returns the site, or the next call behind it that gets the reason. An assignment, and
// a call without a text for the reason, only lead there.
func givesReason(s *scan.Site) *scan.Site {
	for _, next := range s.Via {
		_, assigns := s.Fixes.(*ast.AssignStmt)
		if !assigns && (s.Call == nil || givesText(s)) {
			return s
		}
		s = next
	}
	return s
}

// givesText reports whether an argument of a site's call is text.
func givesText(s *scan.Site) bool {
	return slices.ContainsFunc(s.Call.Args, func(x ast.Expr) bool {
		t := s.Package.Info.TypeOf(x)
		return t != nil && scan.IsString(t)
	})
}

// undecided returns the unknown parts of a site: its reason, its type, a message beyond a bound, or
// its arguments. It skips
// parts that a wrapper's callers decide.
func undecided(s *scan.Site) (texts []string) {
	for _, n := range s.Notes {
		text := n.Text
		switch {
		case n.What == "reason" && !s.Reason.Closed(), n.What == "type" && !s.Type.Closed(), n.What == "message":
			text = fmt.Sprintf("the %s is not known: %s", n.What, n.Text)
		case n.What != "call":
			continue
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// posOf returns the place of a position in a file that was read.
func (c *checker) posOf(at token.Position) (found token.Pos) {
	c.Fset.Iterate(func(f *token.File) bool {
		if f.Name() == at.Filename && at.Line > 0 && at.Line <= f.LineCount() {
			found = f.LineStart(at.Line) + token.Pos(max(at.Column, 1)-1)
		}
		return !found.IsValid()
	})
	return found
}

// silent reports recorders of a program in which scan has found no recorder's call. A program that
// imports the run time, directly or through a generated package, records by generated methods;
// these are no raw calls.
func (c *checker) silent() {
	var made []*ast.CallExpr
	locks := map[types.Object]bool{}
	for _, p := range c.Packages {
		if p.Types != nil && (imports(p.Types, facts.RunTime) || slices.ContainsFunc(p.Types.Imports(), func(i *types.Package) bool { return imports(i, facts.RunTime) })) {
			return
		}
		for _, f := range p.Syntax {
			if p.Dependency {
				continue
			}
			for n := range ast.Preorder(f) {
				switch n := n.(type) {
				case *ast.CallExpr:
					if makesRecorder(p.Info, n) {
						made = append(made, n)
					}
				case *ast.KeyValueExpr: // leader election records by itself
					if key, ok := n.Key.(*ast.Ident); ok && key.Name == "EventRecorder" {
						locks[scan.Named(p.Info, n.Value)] = true
					}
				}
			}
		}
	}
	delete(locks, nil)
	for _, call := range made {
		if len(locks) == 0 {
			c.report(call.Pos(), callrules.Unread, "a recorder is made here, and no call of one was found in these packages")
		}
	}
}

func imports(p *types.Package, path string) bool {
	return slices.ContainsFunc(p.Imports(), func(i *types.Package) bool { return scan.RealPath(i.Path()) == path })
}

// makesRecorder reports whether a call returns a value with a recorder's methods, by a method that
// makes recorders.
func makesRecorder(info *types.Info, call *ast.CallExpr) bool {
	fn, ok := scan.Named(info, call.Fun).(*types.Func)
	if !ok || fn.Signature().Recv() == nil || facts.Methods[fn.Name()] == "" {
		return false
	}
	t := info.TypeOf(call)
	if t == nil {
		return false
	}
	for m := range types.NewMethodSet(t).Methods() {
		if method, ok := m.Obj().(*types.Func); ok {
			if _, records := scan.ShapeOf(method); records {
				return true
			}
		}
	}
	return false
}
