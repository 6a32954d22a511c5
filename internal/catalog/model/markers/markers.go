// Package markers finds markers: lines such as +genclient in the comments before declarations.
package markers

import (
	"go/ast"
	"go/token"
	"strings"
)

// Before returns the lines of the comments before each type in files, by the type's name. They come
// from the doc comment and the comment before it, because Kubernetes puts a blank line between
// markers and doc comment.
func Before(fset *token.FileSet, files []*ast.File) map[string][]string {
	out := map[string][]string{}
	for _, file := range files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.TYPE {
				continue
			}
			lines := before(fset, file, d.Pos())
			for _, spec := range d.Specs {
				name := spec.(*ast.TypeSpec).Name.Name
				out[name] = append(out[name], lines...)
			}
		}
	}
	return out
}

// OfPackage returns the lines of the comments in files before the first declaration.
func OfPackage(files []*ast.File) []string {
	var lines []string
	for _, file := range files {
		for _, c := range file.Comments {
			if len(file.Decls) == 0 || c.End() < file.Decls[0].Pos() {
				lines = append(lines, linesOf(c)...)
			}
		}
	}
	return lines
}

func before(fset *token.FileSet, file *ast.File, pos token.Pos) []string {
	var lines []string
	line := fset.Position(pos).Line
	for i := len(file.Comments) - 1; i >= 0; i-- {
		c := file.Comments[i]
		if c.Pos() >= pos {
			continue
		}
		if line-fset.Position(c.End()).Line > 2 {
			break
		}
		line = fset.Position(c.Pos()).Line
		lines = append(lines, linesOf(c)...)
	}
	return lines
}

func linesOf(c *ast.CommentGroup) []string {
	lines := make([]string, len(c.List))
	for i, line := range c.List {
		lines[i] = strings.TrimSpace(strings.TrimPrefix(line.Text, "//"))
	}
	return lines
}
