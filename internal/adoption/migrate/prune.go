package migrate

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// Unused is a constant, a variable or a function of a package that only raw calls named.
type Unused struct {
	// Pos is where it stands after the changes.
	Pos  token.Position
	Kind string // const, var or func
	Name string
	// Public: other modules can name it, so that it is not removed.
	Public bool

	from, to int // of its text in the changed file; zero: it does not stand alone
	path     string
}

// unusedFinder looks in the changed packages for what raw calls named.
type unusedFinder struct {
	plan  *Plan
	used  map[usedObject]bool
	decls map[usedObject]Unused
}

func newUnusedFinder(p *Plan) *unusedFinder {
	return &unusedFinder{plan: p, used: map[usedObject]bool{}, decls: map[usedObject]Unused{}}
}

func (u *unusedFinder) look(loaded []*packages.Package) {
	for _, l := range loaded {
		if l.TypesInfo == nil {
			continue
		}
		for _, obj := range l.TypesInfo.Uses {
			if isGlobal(obj) {
				u.used[usedObject{obj.Pkg().Path(), obj.Name()}] = true
			}
		}
		for _, file := range l.Syntax {
			u.declarations(l, file)
		}
	}
}

// declarations finds where the objects are declared.
func (u *unusedFinder) declarations(l *packages.Package, file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				u.declare(l, d.Name, "func", d, d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				v, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for _, name := range v.Names {
					node, doc := alone(d, v)
					u.declare(l, name, d.Tok.String(), node, doc)
				}
			}
		}
	}
}

// alone is what declares the one name of a spec: the spec, or the whole declaration; nil where
// others depend on it.
func alone(d *ast.GenDecl, v *ast.ValueSpec) (ast.Node, *ast.CommentGroup) {
	if len(d.Specs) == 1 && len(v.Names) == 1 {
		return d, d.Doc
	}
	counts := false
	for _, s := range d.Specs {
		other := s.(*ast.ValueSpec)
		counts = counts || d.Tok == token.CONST && len(other.Values) == 0
		for n := range ast.Preorder(other) {
			id, ok := n.(*ast.Ident)
			counts = counts || ok && id.Name == "iota"
		}
	}
	if counts || len(v.Names) != 1 {
		return nil, nil
	}
	return v, v.Doc
}

func (u *unusedFinder) declare(l *packages.Package, name *ast.Ident, kind string, node ast.Node, doc *ast.CommentGroup) {
	key := usedObject{l.Types.Path(), name.Name}
	if !u.plan.used[key] {
		return
	}
	pos := l.Fset.Position(name.Pos())
	if !u.plan.opts.inDir(pos.Filename) {
		return
	}
	d := Unused{Pos: scan.Relative(pos, u.plan.opts.Dir), Kind: kind, Name: name.Name, path: pos.Filename, Public: public(l, name.Name)}
	if node != nil {
		start := node.Pos()
		if doc != nil {
			start = doc.Pos()
		}
		d.from, d.to = l.Fset.Position(start).Offset, l.Fset.Position(node.End()).Offset
	}
	u.decls[key] = d
}

// public reports whether other modules can name an object of a package.
func public(l *packages.Package, name string) bool {
	return token.IsExported(name) && l.Name != "main" && !strings.Contains("/"+l.PkgPath+"/", "/internal/")
}

// found are the objects that nothing uses any more, sorted by position.
func (u *unusedFinder) found() []Unused {
	var out []Unused
	for key, d := range u.decls {
		if !u.used[key] {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b Unused) int {
		return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// Prune removes the constants and functions that Verify has found unused, but for those that other
// modules can name. The plan has to be verified again.
func (p *Plan) Prune() error {
	byFile := map[string][]Unused{}
	for _, u := range p.Unused {
		if !u.Public && u.to > 0 {
			byFile[u.path] = append(byFile[u.path], u)
		}
	}
	for path, gone := range byFile {
		f, err := p.file(path)
		if err != nil {
			return err
		}
		if err := f.prune(gone); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// file is a file of the plan; one that had nothing to change joins it.
func (p *Plan) file(path string) (*File, error) {
	i, found := slices.BinarySearchFunc(p.Files, path, func(f File, path string) int { return cmp.Compare(f.Path, path) })
	if !found {
		text, err := os.ReadFile(filepath.Clean(path))
		if err != nil {
			return nil, err
		}
		p.Files = slices.Insert(p.Files, i, File{Path: path, Old: text, New: text})
	}
	return &p.Files[i], nil
}

// prune removes declarations with their lines, and the imports that only they used.
func (f *File) prune(gone []Unused) error {
	var edits []Edit
	for _, u := range gone {
		from, to := lines(f.New, u.from, u.to)
		if before := bytes.TrimRight(f.New[:from], "\n"); len(before)+2 <= from && to < len(f.New) && f.New[to] == '\n' {
			to++ // one of the empty lines around it
		}
		edits = append(edits, Edit{from, to, ""})
	}
	text, err := tidyImports(f.New, apply(f.New, edits), nil)
	if err != nil {
		return err
	}
	f.New, err = inStyle(f.Old, text)
	return err
}
