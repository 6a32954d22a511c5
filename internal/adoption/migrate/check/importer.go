package check

import (
	"errors"
	"fmt"
	"go/types"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// importerOf resolves the imports of one node.
type importerOf struct{ n *node }

// Import returns the types of an import, which are complete.
func (i importerOf) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if why := i.n.broken[path]; why != "" {
		return nil, errors.New(why)
	}
	if to := i.n.imports[path]; to != nil && to.now.Types != nil && to.now.Types.Complete() {
		return to.now.Types, nil
	}
	return nil, fmt.Errorf("no types of %s were read", path)
}

// completeImports reads the export data of packages that only changed nodes import.
func (r *run) completeImports() {
	for _, n := range r.order {
		for _, p := range keys(n.imports) {
			if err := r.complete(n.imports[p]); err != nil {
				n.broken[p] = err.Error()
			}
		}
	}
}

// complete reads the types of a node that does not change.
func (r *run) complete(n *node) error {
	if n.dirty || n.was.Types != nil && n.was.Types.Complete() {
		return nil
	}
	return r.readExport(n.was)
}

// readExport completes the types of a package. Its types refer to the packages of the graph.
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
	view := map[string]*types.Package{l.PkgPath: l.Types}
	packages.Visit([]*packages.Package{l}, nil, func(p *packages.Package) { view[p.PkgPath] = p.Types })
	l.Types, err = gcexportdata.Read(in, g.fset, view, l.PkgPath)
	return err
}
