package migrate

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// tidyImports adds the imports that a new text needs, and drops those that only the old text used.
// All other lines stay.
func tidyImports(old, text []byte, add map[string]string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	used := unresolved(file)
	gone := unusedImports(old, used)
	i := &importer{text: text, file: file, offset: func(p token.Pos) int { return fset.Position(p).Offset }}
	for _, spec := range file.Imports {
		if slices.Contains(gone, key(spec)) {
			i.remove(spec)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(add)) {
		if used[add[p]] {
			i.add(p, add[p])
		}
	}
	return apply(text, i.edits), nil
}

// key tells imports apart: the path and the name.
func key(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name + " " + spec.Path.Value
	}
	return spec.Path.Value
}

// unusedImports are those that the old text uses and the new one doesn't. The name of a package
// without a name of its own is guessed: a wrong guess keeps the import, or is used in neither text.
func unusedImports(old []byte, after map[string]bool) (gone []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", old, 0)
	if err != nil {
		return nil
	}
	before := unresolved(file)
	for _, spec := range file.Imports {
		name := nameOf(spec, before)
		if name != "" && before[name] && !after[name] {
			gone = append(gone, key(spec))
		}
	}
	return gone
}

// nameOf is the name by which a file uses an import; empty if that is not clear.
func nameOf(spec *ast.ImportSpec, used map[string]bool) string {
	if spec.Name != nil {
		if spec.Name.Name == "_" || spec.Name.Name == "." {
			return ""
		}
		return spec.Name.Name
	}
	p, _ := strconv.Unquote(spec.Path.Value)
	for _, guess := range []string{path.Base(p), path.Base(path.Dir(p)), strings.ReplaceAll(path.Base(p), "-", ""), strings.TrimPrefix(path.Base(p), "go-")} {
		guess, _, _ = strings.Cut(guess, ".")
		if used[guess] {
			return guess
		}
	}
	return ""
}

// unresolved are the names that a file uses and does not declare.
func unresolved(file *ast.File) map[string]bool {
	out := map[string]bool{}
	for _, id := range file.Unresolved {
		out[id.Name] = true
	}
	return out
}

// importer edits the imports of a file.
type importer struct {
	text   []byte
	file   *ast.File
	offset func(token.Pos) int
	edits  []Edit
	gone   []*ast.ImportSpec
}

// lines is the piece of a text from the start of the line of an offset to the end of that of
// another one.
func lines(text []byte, from, to int) (int, int) {
	start := bytes.LastIndexByte(text[:from], '\n') + 1
	end := bytes.IndexByte(text[to:], '\n')
	if end < 0 {
		return start, len(text)
	}
	return start, to + end + 1
}

// line is the whole lines that a node of the file stands on.
func (i *importer) line(n ast.Node) (int, int) {
	return lines(i.text, i.offset(n.Pos()), i.offset(n.End()))
}

// remove drops an import with its line; the declaration too, if it is the only one of it.
func (i *importer) remove(spec *ast.ImportSpec) {
	d := i.declaration(spec)
	i.gone = append(i.gone, spec)
	var node ast.Node = spec
	if all := !slices.ContainsFunc(d.Specs, func(s ast.Spec) bool { return !slices.Contains(i.gone, s.(*ast.ImportSpec)) }); all {
		node = d
		i.edits = slices.DeleteFunc(i.edits, func(e Edit) bool { return i.offset(d.Pos()) <= e.From && e.To <= i.offset(d.End())+1 })
	}
	a, b := i.line(node)
	i.edits = append(i.edits, Edit{a, b, ""})
}

func (i *importer) declaration(spec *ast.ImportSpec) *ast.GenDecl {
	for _, d := range i.file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT && g.Pos() <= spec.Pos() && spec.End() <= g.End() {
			return g
		}
	}
	return nil
}

// add puts an import next to the one whose path is most like it, in its order; or into a
// declaration of its own.
func (i *importer) add(importPath, name string) {
	line := strconv.Quote(importPath)
	if name != path.Base(importPath) {
		line = name + " " + line
	}
	near := i.nearest(importPath)
	if near == nil {
		var last ast.Node = i.file.Name
		if n := len(i.file.Imports); n > 0 {
			last = i.declaration(i.file.Imports[n-1])
		}
		_, end := i.line(last)
		i.edits = append(i.edits, Edit{end, end, "\nimport " + line + "\n"})
		return
	}
	if p, _ := strconv.Unquote(near.Path.Value); common(p, importPath) == 0 {
		i.addGroup(i.declaration(near), line, isStandard(importPath))
		return
	}
	start, at := i.line(near)
	if near.Doc != nil {
		start, _ = i.line(near.Doc)
	}
	if p, _ := strconv.Unquote(near.Path.Value); p > importPath {
		at = start
	}
	i.edits = append(i.edits, Edit{at, at, "\t" + line + "\n"})
}

// addGroup puts an import into a group of its own: packages of the standard library stand before
// all others.
func (i *importer) addGroup(d *ast.GenDecl, line string, first bool) {
	if first {
		_, at := lines(i.text, i.offset(d.Lparen), i.offset(d.Lparen))
		// before what others insert there
		i.edits = slices.Insert(i.edits, 0, Edit{at, at, "\t" + line + "\n\n"})
		return
	}
	at, _ := lines(i.text, i.offset(d.Rparen), i.offset(d.Rparen))
	i.edits = append(i.edits, Edit{at, at, "\n\t" + line + "\n"})
}

// nearest is the import with the longest common beginning, by elements of the path, in a
// declaration with parentheses. Packages of the standard library are like each other.
func (i *importer) nearest(importPath string) *ast.ImportSpec {
	var best *ast.ImportSpec
	score := -1
	for _, spec := range i.file.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		if d := i.declaration(spec); d == nil || !d.Lparen.IsValid() || p == "C" {
			continue
		}
		s := common(p, importPath)
		if s == score && best != nil && p < importPath { // the last before it
			best = spec
		}
		if s > score {
			best, score = spec, s
		}
	}
	return best
}

func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

func common(a, b string) int {
	if isStandard(a) != isStandard(b) {
		return 0
	}
	n := 1
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	for i := 0; i < len(as) && i < len(bs) && as[i] == bs[i]; i++ {
		n += 2
	}
	return n
}
