package fields

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// holdForTypes holds nodes that have another type with other build tags.
func (r *reader) holdForTypes() {
	for _, l := range r.loaded {
		if l.TypesInfo == nil {
			continue
		}
		r.pkg = l
		for _, obj := range l.TypesInfo.Defs {
			v, ok := obj.(*types.Var)
			if !ok || !v.Pos().IsValid() {
				continue
			}
			n := r.nodes[r.position(v.Pos())]
			if n == nil {
				continue
			}
			if api, fake, is := recorderType(v.Type()); !is || api != n.api || fake != n.fake {
				r.holdAt(n, fmt.Sprintf("it is a %s with other build tags", types.TypeString(v.Type(), nil)))
			}
		}
	}
}

// leftOut is a file that no set of build tags selects.
type leftOut struct {
	fset   *token.FileSet
	file   *ast.File
	folder string
}

// holdForLeftOut holds the nodes that may occur in files outside of all loads' build tags: nothing
// would report that such a file no longer compiles. Only the names in such a file are known.
func (r *reader) holdForLeftOut(loads [][]*packages.Package, ways []scan.Options) {
	module := mainModule(loads)
	if module == nil {
		return
	}
	for _, f := range filesLeftOut(module, ways) {
		names := namesOf(f.file)
		for _, n := range r.order {
			if filepath.Dir(n.file) != f.folder && !(n.exported && f.imports(n.path)) {
				continue
			}
			if at := names.mention(n); at.IsValid() {
				n.holds = append(n.holds, use{f.fset.Position(at), "a file names it that the build tags leave out; read it, too, with --tags or --goos"})
			}
		}
	}
}

func (f leftOut) imports(path string) bool {
	return slices.ContainsFunc(f.file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == strconv.Quote(path) })
}

func mainModule(loads [][]*packages.Package) *packages.Module {
	for _, loaded := range loads {
		for _, l := range loaded {
			if l.Module != nil && l.Module.Main {
				return l.Module
			}
		}
	}
	return nil
}

// filesLeftOut returns the files of a module that the go command leaves out in all ways to run it.
func filesLeftOut(module *packages.Module, ways []scan.Options) []leftOut {
	var out []leftOut
	fset := token.NewFileSet()
	_ = filepath.WalkDir(module.Dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if e.IsDir() {
			if at != module.Dir && disk.IsForeign(at) {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(at) != ".go" || strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_") || isRead(at, ways) {
			return nil
		}
		f, err := parser.ParseFile(fset, at, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil // it compiles with no tags
		}
		out = append(out, leftOut{fset, f, filepath.Dir(at)})
		return nil
	})
	return out
}

// isRead reports whether the go command, run in one of some ways, takes a file.
func isRead(at string, ways []scan.Options) bool {
	return slices.ContainsFunc(ways, func(o scan.Options) bool {
		c := build.Default
		c.BuildTags = o.Tags
		if goos := os.Getenv("GOOS"); goos != "" {
			c.GOOS = goos
		}
		if o.GOOS != "" {
			c.GOOS = o.GOOS
		}
		if c.GOOS != runtime.GOOS {
			c.CgoEnabled = os.Getenv("CGO_ENABLED") == "1" && o.GOOS == ""
		}
		ok, err := c.MatchFile(filepath.Dir(at), filepath.Base(at))
		return ok || err != nil
	})
}

// names holds the identifiers of a file, by name.
type names struct {
	all map[string]token.Pos
	// positional holds the types of literals without keys, and of conversions: these need all
	// fields as they are.
	positional map[string]token.Pos
}

func namesOf(f *ast.File) names {
	n := names{all: map[string]token.Pos{}, positional: map[string]token.Pos{}}
	for x := range ast.Preorder(f) {
		switch x := x.(type) {
		case *ast.Ident:
			if !n.all[x.Name].IsValid() {
				n.all[x.Name] = x.Pos()
			}
		case *ast.CompositeLit:
			if id := embeddedName(x.Type); id != nil && len(x.Elts) > 0 {
				if _, keyed := x.Elts[0].(*ast.KeyValueExpr); !keyed {
					n.positional[id.Name] = id.Pos()
				}
			}
		case *ast.CallExpr:
			if id := embeddedName(ast.Unparen(x.Fun)); id != nil {
				n.positional[id.Name] = id.Pos()
			}
		}
	}
	return n
}

// mention returns a position where a file may use a node; not valid if there is none.
func (m names) mention(n *node) token.Pos {
	owner, short, isField := strings.Cut(n.name, ".")
	switch {
	case n.kind == "parameter" || n.kind == "result":
		function, _, _ := strings.Cut(n.name, " ")
		return m.all[function]
	case n.kind == "variable" && n.local:
		return token.NoPos
	case n.kind == "variable" || !isField:
		return m.all[n.name]
	case n.embedded != "" && m.all[owner].IsValid(): // the struct is a recorder, too
		return m.all[owner]
	case m.positional[owner].IsValid():
		return m.positional[owner]
	}
	return m.all[short]
}
