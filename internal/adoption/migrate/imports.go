package migrate

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/imports"
)

// tidyImports adds the imports that a new text needs, and drops imports that only the old text
// used, as goimports does. All other lines stay.
func tidyImports(old, text []byte, add map[string]string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	from, to := importsOf(text, fset, file)
	used, changed := unresolved(file), false
	for _, spec := range unusedImports(old, used) {
		name := ""
		if spec.Name != nil {
			name = spec.Name.Name
		}
		changed = astutil.DeleteNamedImport(fset, file, name, pathOf(spec)) || changed
	}
	for _, p := range slices.Sorted(maps.Keys(add)) {
		if name := add[p]; used[name] {
			if name == path.Base(p) {
				name = ""
			}
			changed = astutil.AddNamedImport(fset, file, name, p) || changed
		}
	}
	if !changed {
		return text, nil
	}
	var printed bytes.Buffer
	if err := format.Node(&printed, fset, file); err != nil {
		return nil, err
	}
	tidy, err := imports.Process("", printed.Bytes(), &imports.Options{FormatOnly: true, Comments: true, TabIndent: true, TabWidth: 8})
	if err != nil {
		return nil, err
	}
	fset = token.NewFileSet()
	if file, err = parser.ParseFile(fset, "", tidy, parser.ImportsOnly); err != nil {
		return nil, err
	}
	newFrom, newTo := importsOf(tidy, fset, file)
	return slices.Concat(text[:from], tidy[newFrom:newTo], text[to:]), nil
}

// importsOf returns the ends of two lines: the package clause's and the last import's.
func importsOf(text []byte, fset *token.FileSet, file *ast.File) (from, to int) {
	lineEnd := func(p token.Pos) int {
		at := fset.PositionFor(p, false).Offset
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		return at + len(line)
	}
	end := file.Name.End()
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			end = g.End()
		}
	}
	return lineEnd(file.Name.End()), lineEnd(end)
}

func pathOf(spec *ast.ImportSpec) string {
	p, _ := strconv.Unquote(spec.Path.Value)
	return p
}

// unusedImports returns the imports that the old text uses and the new text doesn't. It guesses the
// package name of an import without a name: a wrong guess keeps the import, or is used in neither
// text.
func unusedImports(old []byte, after map[string]bool) (gone []*ast.ImportSpec) {
	file, err := parser.ParseFile(token.NewFileSet(), "", old, 0)
	if err != nil {
		return nil
	}
	before := unresolved(file)
	for _, spec := range file.Imports {
		name := nameOf(spec, before)
		if name != "" && before[name] && !after[name] {
			gone = append(gone, spec)
		}
	}
	return gone
}

// nameOf returns the name under which a file uses an import; empty if that is not clear.
func nameOf(spec *ast.ImportSpec, used map[string]bool) string {
	if spec.Name != nil {
		if spec.Name.Name == "_" || spec.Name.Name == "." {
			return ""
		}
		return spec.Name.Name
	}
	p := pathOf(spec)
	for _, guess := range []string{path.Base(p), path.Base(path.Dir(p)), strings.ReplaceAll(path.Base(p), "-", ""), strings.TrimPrefix(path.Base(p), "go-")} {
		guess, _, _ = strings.Cut(guess, ".")
		if used[guess] {
			return guess
		}
	}
	return ""
}

// unresolved returns the names that a file uses and does not declare.
func unresolved(file *ast.File) map[string]bool {
	out := map[string]bool{}
	for _, id := range file.Unresolved {
		out[id.Name] = true
	}
	return out
}
