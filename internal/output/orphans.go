package output

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/header"
)

// findOrphans plans the removal of generated files that no catalog generates any more. The catalog
// of such a file is either one of this run, or is gone from the folder of one of this run. A file
// outside of the catalogs' folders, or from a catalog that was elsewhere, may be a copy, so
// findOrphans only warns about it. It looks at every Go and YAML file beside an output or a
// catalog, and at those with our header in all folders below a catalog. If everywhere is true,
// it looks in all folders of a catalog's module.
func (p *Plan) findOrphans(files []File, made map[string]string, everywhere bool) {
	known, folders, below := sources{}, map[string]string{}, map[string]string{}
	for _, f := range files {
		known[f.Catalog] = true
		folders[filepath.Dir(f.Path)] = f.Catalog
		folders[filepath.Dir(f.Catalog)] = f.Catalog
		top := filepath.Dir(f.Catalog)
		if everywhere {
			top = moduleRoot(top)
		}
		below[top] = f.Catalog
	}
	found := map[string]bool{}
	check := func(catalogFile, path string) {
		if _, isMade := made[path]; !isMade && !found[path] {
			found[path] = true
			p.checkOrphan(known, catalogFile, path)
		}
	}
	for folder, catalogFile := range folders {
		p.eachBeside(catalogFile, folder, check)
	}
	for folder, catalogFile := range below {
		p.eachGenerated(catalogFile, folder, check)
	}
}

// sources are the catalogs that were read in this run.
type sources map[string]bool

// own reports whether a file lies below the folder of a catalog.
func (s sources) own(path string) bool {
	for file := range s {
		if disk.IsWithin(filepath.Dir(file), path) {
			return true
		}
	}
	return false
}

// beside reports whether one of the catalogs is in the folder of a file.
func (s sources) beside(path string) bool {
	for file := range s {
		if filepath.Dir(file) == filepath.Dir(path) {
			return true
		}
	}
	return false
}

// checkOrphan plans the removal of a file if its header names one of the catalogs, or a catalog
// that is gone. A file that can't be read does not count as generated.
func (p *Plan) checkOrphan(known sources, catalogFile, path string) {
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
	source := header.Catalog(content, path)
	why := disk.Show(source) + " does not declare it any more"
	switch {
	case source == "":
		return
	case known[source]:
	case disk.IsWithin(root.Name(), source) && disk.IsGone(source): // a catalog elsewhere: a copy
		why = disk.Show(source) + " is gone"
	default:
		return
	}
	if !known.own(path) || !known[source] && !known.beside(source) {
		p.Warnings = append(p.Warnings, disk.Show(path)+": "+why+"; event-gen does not remove it; remove it unless it is a copy")
		return
	}
	p.add(path, Extra, why, disk.Change{Root: root.Name(), Name: name, Remove: true, Old: content})
}

// eachBeside calls check for the Go and YAML files in a folder.
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

// isGenerated reports whether event-gen generates files with such a name.
func isGenerated(name string) bool { return slices.Contains([]string{".go", ".yaml"}, path.Ext(name)) }

// mayBeOurs reports whether a file may have our header. A licence above it is bounded.
func mayBeOurs(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	// what can't be read is not ours
	start, _ := io.ReadAll(io.LimitReader(f, header.MaxLicence+4096))
	_, ours := header.Find(start)
	return ours
}

// eachGenerated calls check for the generated files below a folder that belong to its module,
// whatever their names: spec.go.output may have changed.
func (p *Plan) eachGenerated(catalogFile, folder string, check func(catalogFile, path string)) {
	walk := func(name string, e fs.DirEntry, err error) error {
		path := filepath.Join(folder, filepath.FromSlash(name))
		switch {
		case err != nil, e.IsDir() && name != "." && disk.IsForeign(path):
			return fs.SkipDir
		case e.Type().IsRegular() && isGenerated(e.Name()) && mayBeOurs(path):
			check(catalogFile, path)
		}
		return nil
	}
	// walk handles every error. A DirFS follows a symbolic link to the folder.
	_ = fs.WalkDir(os.DirFS(folder), ".", walk)
}
