package output

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/header"
)

// findOrphans adds the files that were generated from one of the catalogs and are no longer. It looks at every Go and YAML
// file beside an output or a catalog, and in all the folders below a catalog at those that have the usual name.
func (p *Plan) findOrphans(files []File, made map[string]string) {
	catalogs, folders := map[string]bool{}, map[string]string{}
	for _, f := range files {
		catalogs[f.Catalog] = true
		folders[filepath.Dir(f.Path)] = f.Catalog
		folders[filepath.Dir(f.Catalog)] = f.Catalog
	}
	found := map[string]bool{}
	check := func(catalogFile, path string) {
		if _, isMade := made[path]; !isMade && !found[path] {
			found[path] = true
			p.checkOrphan(catalogs, catalogFile, path)
		}
	}
	for folder, catalogFile := range folders {
		p.eachBeside(catalogFile, folder, check)
	}
	for catalogFile := range catalogs {
		p.eachGenerated(catalogFile, check)
	}
}

// checkOrphan adds a file if its header names one of the catalogs. A file that can't be read is none of ours.
func (p *Plan) checkOrphan(catalogs map[string]bool, catalogFile, path string) {
	root, name, err := p.locate(catalogFile, path)
	if err != nil {
		return
	}
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	content, err := root.ReadFile(name)
	if err != nil {
		return
	}
	source, ours := header.Parse(content)
	if ours && source != "" && catalogs[filepath.Join(filepath.Dir(path), filepath.FromSlash(source))] {
		p.Changes = append(p.Changes, Change{
			Path: Show(path), State: Extra, root: root, name: name, old: content, mode: info.Mode().Perm(),
		})
	}
}

// eachBeside gives the Go and YAML files of a folder.
func (p *Plan) eachBeside(catalogFile, folder string, check func(catalogFile, path string)) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Type().IsRegular() && isGenerated(e.Name()) {
			check(catalogFile, filepath.Join(folder, e.Name()))
		}
	}
}

// isGenerated reports whether files of such a name are generated.
func isGenerated(name string) bool { return slices.Contains([]string{".go", ".yaml"}, path.Ext(name)) }

// eachGenerated gives the zz_generated files below a catalog's folder that belong to its module.
func (p *Plan) eachGenerated(catalogFile string, check func(catalogFile, path string)) {
	folder := filepath.Dir(catalogFile)
	fsys := os.DirFS(folder)
	walk := func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case e.IsDir() && name != "." && isForeignFolder(fsys, name):
			return fs.SkipDir
		case e.Type().IsRegular() && strings.HasPrefix(e.Name(), "zz_generated") && isGenerated(e.Name()):
			check(catalogFile, filepath.Join(folder, filepath.FromSlash(name)))
		}
		return nil
	}
	// Every error is answered in walk.
	_ = fs.WalkDir(fsys, ".", walk)
}

// isForeignFolder reports whether the go command passes over a folder, or it is another module's.
func isForeignFolder(fsys fs.FS, name string) bool {
	base := path.Base(name)
	if base[0] == '.' || base[0] == '_' || slices.Contains([]string{"vendor", "testdata", "node_modules"}, base) {
		return true
	}
	_, err := fs.Stat(fsys, path.Join(name, "go.mod"))
	return err == nil
}
