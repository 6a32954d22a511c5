package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// declarations are the functions, types, variables and constants of this project by name, with
// their lines of code, and the names that each mentions.
type declarations struct {
	lines map[string]int
	uses  map[string]map[string]bool
	roots []string
}

// exclusive returns the lines of code that nothing but a part reaches, by part.
func exclusive(root string) (map[string]int, error) {
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: root}, "./cmd/...", "./analyzer/...", "./internal/...")
	if err != nil {
		return nil, err
	}
	d := &declarations{map[string]int{}, map[string]map[string]bool{}, nil}
	for _, p := range loaded {
		for _, f := range p.Syntax {
			d.file(p, f)
		}
	}
	all := d.reached(nil)
	out := map[string]int{}
	for _, p := range parts {
		cut := map[string]bool{}
		for _, f := range p.functions {
			cut["github.com/event-gen/event-gen/internal/adoption/"+filepath.ToSlash(filepath.Dir(f.file))+"."+f.name] = true
		}
		without := d.reached(cut)
		for name := range all {
			if !without[name] {
				out[p.name] += d.lines[name]
			}
		}
	}
	return out, nil
}

func (d *declarations) file(p *packages.Package, f *ast.File) {
	text, _ := os.ReadFile(p.Fset.Position(f.Package).Filename)
	lines := strings.Split(string(text), "\n")
	add := func(name string, n ast.Node) {
		for l := p.Fset.Position(n.Pos()).Line; l <= p.Fset.Position(n.End()).Line; l++ {
			if line := strings.TrimSpace(lines[l-1]); line != "" && !strings.HasPrefix(line, "//") {
				d.lines[name]++
			}
		}
		if d.uses[name] == nil {
			d.uses[name] = map[string]bool{}
		}
		for n := range ast.Preorder(n) {
			if id, ok := n.(*ast.Ident); ok && p.TypesInfo.Uses[id] != nil {
				d.uses[name][nameOf(p.TypesInfo.Uses[id])] = true
			}
		}
	}
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			name := nameOf(p.TypesInfo.Defs[decl.Name])
			if decl.Name.Name == "init" || decl.Name.Name == "main" || strings.Contains(p.PkgPath, "/analyzer") {
				d.roots = append(d.roots, name)
			}
			add(name, decl)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				d.spec(p, spec, decl.Tok, add)
			}
		}
	}
}

func (d *declarations) spec(p *packages.Package, spec ast.Spec, tok token.Token, add func(string, ast.Node)) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		add(nameOf(p.TypesInfo.Defs[spec.Name]), spec)
	case *ast.ValueSpec:
		for _, id := range spec.Names {
			name := nameOf(p.TypesInfo.Defs[id])
			add(name, spec)
			if tok == token.VAR && id.Name == "_" {
				d.roots = append(d.roots, name)
			}
		}
	}
}

// nameOf returns the import path and name of a declaration, with the type of a method; empty for
// others.
func nameOf(o types.Object) string {
	if o == nil || o.Pkg() == nil {
		return ""
	}
	if fn, ok := o.(*types.Func); ok {
		if recv := fn.Origin().Signature().Recv(); recv != nil {
			t := recv.Type()
			if pointer, ok := t.(*types.Pointer); ok {
				t = pointer.Elem()
			}
			if named, ok := types.Unalias(t).(*types.Named); ok {
				return o.Pkg().Path() + "." + named.Obj().Name() + "." + o.Name()
			}
			return ""
		}
	}
	return o.Pkg().Path() + "." + o.Name()
}

// reached returns the declarations that the roots reach without some of them. A method that no code
// names is reached with its type, since an interface may call it.
func (d *declarations) reached(cut map[string]bool) map[string]bool {
	named := map[string]bool{}
	for _, uses := range d.uses {
		for name := range uses {
			named[name] = true
		}
	}
	byInterface := map[string][]string{}
	for name := range d.lines {
		if i := strings.LastIndexByte(name, '.'); !named[name] && d.lines[name[:i]] > 0 {
			byInterface[name[:i]] = append(byInterface[name[:i]], name)
		}
	}
	seen, queue := map[string]bool{}, append([]string{}, d.roots...)
	for len(queue) > 0 {
		name := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if seen[name] || cut[name] {
			continue
		}
		seen[name] = true
		for used := range d.uses[name] {
			queue = append(queue, used)
		}
		queue = append(queue, byInterface[name]...)
	}
	return seen
}
