package check

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/scanner"
	"go/types"
	"maps"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// checked is a package that was type-checked, with the hash and the imports that it was made of.
type checked struct {
	hash    [sha256.Size]byte
	imports map[string]*packages.Package
	pkg     *packages.Package
}

// check type-checks the nodes that changed.
func (r *run) check(ctx context.Context) error {
	r.completeImports()
	results := make([]checked, len(r.order))
	var group sync.WaitGroup
	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, n := range r.order { // one after another: variants share the parsed files
		for _, file := range n.files {
			r.syntax(n, file)
		}
	}
	for i, n := range r.order {
		group.Go(func() {
			defer close(n.done)
			for _, to := range n.imports {
				<-to.done
			}
			turns <- struct{}{}
			defer func() { <-turns }()
			if ctx.Err() == nil {
				results[i] = r.checked(n)
				n.now = results[i].pkg
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i, n := range r.order {
		r.last[n.id] = results[i]
	}
	return nil
}

// checked returns a node's package, the last run's if nothing in it has changed since then.
func (r *run) checked(n *node) checked {
	c := checked{hash: r.hash(n), imports: map[string]*packages.Package{}}
	for p, to := range n.imports {
		c.imports[p] = to.now
	}
	if last, ok := r.last[n.id]; ok && last.hash == c.hash && maps.Equal(last.imports, c.imports) {
		return last
	}
	c.pkg = r.typed(n, c.imports)
	return c
}

// hash covers the texts of a node's files that differ from those on disk, and its imports that fail.
func (r *run) hash(n *node) [sha256.Size]byte {
	h := sha256.New()
	for _, file := range n.files {
		if text, ok := r.texts[file]; ok {
			fmt.Fprintf(h, "%q %d\n", file, len(text))
			h.Write(text)
		}
	}
	for _, p := range keys(n.broken) {
		fmt.Fprintf(h, "%q %q\n", p, n.broken[p])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// syntax returns a file of a node, as it was read if the file did not change.
func (r *run) syntax(n *node, file string) parsedFile {
	if _, changed := r.texts[file]; !changed {
		for _, f := range n.was.Syntax {
			if r.fset.File(f.FileStart).Name() == file {
				return parsedFile{file: f}
			}
		}
	}
	return r.parse(file)
}

// typed type-checks a node. It checks bodies of functions in requested packages and in packages with a new text only.
func (r *run) typed(n *node, imports map[string]*packages.Package) *packages.Package {
	was := n.was
	l := &packages.Package{
		ID: n.id, Name: was.Name, PkgPath: was.PkgPath, GoFiles: slices.Concat(was.GoFiles, n.files[len(was.CompiledGoFiles):]),
		CompiledGoFiles: n.files, OtherFiles: was.OtherFiles, IgnoredFiles: was.IgnoredFiles, Module: was.Module, Imports: imports,
		Fset: r.fset, TypesSizes: r.sizes(), Types: types.NewPackage(was.PkgPath, was.Name), TypesInfo: scan.NewInfo(),
	}
	for _, file := range n.files {
		p := r.syntax(n, file)
		if p.file != nil {
			l.Syntax = append(l.Syntax, p.file)
		}
		l.Errors = append(l.Errors, parseErrors(p.err)...)
	}
	conf := types.Config{
		Importer: importerOf{n}, Sizes: l.TypesSizes, IgnoreFuncBodies: !r.isRoot[n.id] && !r.changes(n),
		Error: func(err error) { l.Errors = append(l.Errors, typeError(err)) },
	}
	if l.Module != nil && l.Module.GoVersion != "" {
		conf.GoVersion = "go" + l.Module.GoVersion
	}
	if err := types.NewChecker(&conf, r.fset, l.Types, l.TypesInfo).Files(l.Syntax); err != nil && len(l.Errors) == 0 {
		l.Errors = append(l.Errors, typeError(err))
	}
	l.IllTyped = len(l.Errors) > 0
	for _, imported := range l.Imports {
		l.IllTyped = l.IllTyped || imported.IllTyped
	}
	return l
}

func (g *graph) sizes() types.Sizes {
	for _, l := range g.roots {
		if l.TypesSizes != nil {
			return l.TypesSizes
		}
	}
	return nil
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

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
