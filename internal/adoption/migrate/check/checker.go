package check

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/types"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// checker type-checks the packages of a graph after some files got other texts.
type checker struct {
	*graph
	texts  map[string][]byte
	parsed map[string]parsedFile
	roots  map[string]bool              // by ID
	now    map[string]*packages.Package // by ID
}

type parsedFile struct {
	file *ast.File
	err  error
}

// visit sets the present form of a listed package, after its imports' forms. The package stays as
// it was read unless one of its files or imports changes.
func (c *checker) visit(l *packages.Package) {
	was := c.byID[l.ID]
	if isTestMain(l.ID) || was != nil && slices.Equal(l.CompiledGoFiles, was.CompiledGoFiles) && !c.changes(l) {
		c.now[l.ID] = was
		return
	}
	c.now[l.ID] = c.typed(l)
}

// changes reports whether a file of a package has another text, or an import of the package has
// changed.
func (c *checker) changes(l *packages.Package) bool {
	for path, to := range l.Imports {
		if was := c.byID[l.ID].Imports[path]; was == nil || c.now[to.ID] != c.byID[was.ID] {
			return true
		}
	}
	return c.rewritten(l)
}

func (c *checker) rewritten(l *packages.Package) bool {
	return slices.ContainsFunc(l.CompiledGoFiles, func(file string) bool {
		text, given := c.texts[file]
		return given && !bytes.Equal(text, c.disk(file))
	})
}

// typed type-checks a package. It checks bodies of functions in requested packages and in packages
// with a new text only.
func (c *checker) typed(l *packages.Package) *packages.Package {
	out := *l
	out.Imports, out.Errors = map[string]*packages.Package{}, nil
	out.Fset, out.Types, out.TypesInfo = c.fset, types.NewPackage(l.PkgPath, l.Name), scan.NewInfo()
	for path, to := range l.Imports {
		out.Imports[path] = c.now[to.ID]
	}
	for _, file := range l.CompiledGoFiles {
		p := c.parse(file)
		if p.file != nil {
			out.Syntax = append(out.Syntax, p.file)
		}
		out.Errors = append(out.Errors, parseErrors(p.err)...)
	}
	conf := types.Config{
		Importer: importerOf{c, l}, Sizes: l.TypesSizes, IgnoreFuncBodies: !c.roots[l.ID] && !c.rewritten(l),
		Error: func(err error) { out.Errors = append(out.Errors, typeError(err)) },
	}
	if l.Module != nil && l.Module.GoVersion != "" {
		conf.GoVersion = "go" + l.Module.GoVersion
	}
	// the function Error in conf gets the errors
	_ = types.NewChecker(&conf, c.fset, out.Types, out.TypesInfo).Files(out.Syntax)
	if len(out.Errors) == 0 {
		out.Errors = l.Errors
	}
	out.IllTyped = len(out.Errors) > 0
	for _, imported := range out.Imports {
		out.IllTyped = out.IllTyped || imported != nil && imported.IllTyped
	}
	return &out
}

// parse reads a file with its new text, or from the disk. The variants of a package share their
// files.
func (c *checker) parse(file string) parsedFile {
	p, known := c.parsed[file]
	if !known {
		var text any
		if changed, ok := c.texts[file]; ok {
			text = changed
		}
		p.file, p.err = parser.ParseFile(c.fset, file, text, parser.AllErrors|parser.ParseComments)
		c.parsed[file] = p
	}
	return p
}

// importerOf resolves the imports of a listed package.
type importerOf struct {
	*checker
	from *packages.Package
}

// Import returns the types of an import, which are complete.
func (i importerOf) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	listed := i.from.Imports[path]
	if listed == nil {
		return nil, errors.New(cmp.Or(firstError(i.from), "the go command does not find the package"))
	}
	l := i.now[listed.ID]
	if l == nil {
		return nil, errors.New("import cycle not allowed")
	}
	if why := firstError(listed); why != "" && len(listed.CompiledGoFiles) == 0 {
		return nil, errors.New(why)
	}
	if l.Types == nil || !l.Types.Complete() {
		if err := i.readExport(l); err != nil {
			return nil, err
		}
	}
	return l.Types, nil
}

func firstError(l *packages.Package) string {
	if len(l.Errors) == 0 {
		return ""
	}
	return l.Errors[0].Msg
}

// readExport completes the types of a package that does not change. Its types refer to the packages
// of the graph.
func (g *graph) readExport(l *packages.Package) error {
	f, err := os.Open(filepath.Clean(l.ExportFile))
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := gcexportdata.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", l.ExportFile, err)
	}
	view := map[string]*types.Package{}
	packages.Visit([]*packages.Package{l}, nil, func(p *packages.Package) {
		if p.Types == nil {
			p.Types = types.NewPackage(p.PkgPath, p.Name)
		}
		view[p.PkgPath] = p.Types
	})
	l.Types, err = gcexportdata.Read(in, g.fset, view, l.PkgPath)
	return err
}

func parseErrors(err error) []packages.Error {
	var list scanner.ErrorList
	if err == nil {
		return nil
	}
	if !errors.As(err, &list) {
		return []packages.Error{{Pos: "-", Msg: err.Error(), Kind: packages.ParseError}}
	}
	var out []packages.Error
	for _, e := range list {
		out = append(out, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
	}
	return out
}

func typeError(err error) packages.Error {
	if e := (types.Error{}); errors.As(err, &e) {
		return packages.Error{Pos: e.Fset.Position(e.Pos).String(), Msg: e.Msg, Kind: packages.TypeError}
	}
	return packages.Error{Pos: "-", Msg: err.Error(), Kind: packages.UnknownError}
}
