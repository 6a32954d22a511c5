package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
)

// mutant is a file with one changed condition.
type mutant struct {
	suite
	file string
	line int
	what string
	text []byte
}

// String returns the mutant's position and change.
func (m mutant) String() string { return fmt.Sprintf("%s:%d: %s", m.file, m.line, m.what) }

// weaker are operators, and what becomes of them.
var weaker = map[token.Token][]token.Token{
	token.EQL:  {token.NEQ},
	token.NEQ:  {token.EQL},
	token.LSS:  {token.LEQ, token.GEQ},
	token.GTR:  {token.GEQ, token.LEQ},
	token.LEQ:  {token.LSS, token.GTR},
	token.GEQ:  {token.GTR, token.LSS},
	token.LAND: {token.LOR},
	token.LOR:  {token.LAND},
}

// skipMark begins the comment on a line whose change no test can notice. The reason follows.
const skipMark = "// mutate: "

// mutants returns all mutants of a file.
func (s suite) mutants(file string) ([]mutant, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	c := &changer{suite: s, file: file, text: text, set: set, lines: strings.Split(string(text), "\n")}
	for _, d := range parsed.Decls {
		if s.whole || reports(d) {
			ast.Inspect(d, c.visit)
		}
	}
	return c.mutants, nil
}

// reporters are the methods that report a finding.
var reporters = []string{"Errorf", "Unreadf", "Warnf", "reject"}

// reports reports whether a declaration reports findings.
func reports(d ast.Decl) (found bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(reporters, s.Sel.Name) {
			x, ok := s.X.(*ast.Ident)
			found = found || !ok || x.Name != "fmt"
		}
		return !found
	})
	return found
}

type changer struct {
	suite   suite
	file    string
	text    []byte
	lines   []string
	set     *token.FileSet
	mutants []mutant
}

func (c *changer) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		c.invert(n.Cond)
	case *ast.SwitchStmt:
		if n.Tag == nil {
			c.cases(n)
		}
	case *ast.BinaryExpr:
		for _, operator := range weaker[n.Op] {
			at := c.set.Position(n.OpPos).Offset
			c.add(n.OpPos, at, at+len(n.Op.String()), operator.String(), fmt.Sprintf("%s for %s", operator, n.Op))
		}
	}
	return true
}

func (c *changer) cases(s *ast.SwitchStmt) {
	for _, clause := range s.Body.List {
		for _, condition := range clause.(*ast.CaseClause).List {
			c.invert(condition)
		}
	}
}

func (c *changer) invert(condition ast.Expr) {
	start, end := c.set.Position(condition.Pos()).Offset, c.set.Position(condition.End()).Offset
	text := string(c.text[start:end])
	c.add(condition.Pos(), start, end, "!("+text+")", "not "+text)
}

func (c *changer) add(pos token.Pos, start, end int, by, what string) {
	line := c.set.Position(pos).Line
	if strings.Contains(c.lines[line-1], skipMark) {
		return
	}
	text := slices.Concat(c.text[:start], []byte(by), c.text[end:])
	c.mutants = append(c.mutants, mutant{c.suite, c.file, line, what, text})
}
