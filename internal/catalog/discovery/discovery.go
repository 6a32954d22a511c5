// Package discovery finds the catalogs that a command is about: the files and folders it was given;
// else those that the configuration of the module lists; else catalog.yaml in the working
// directory.
package discovery

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// The names that are looked for.
const (
	ConfigurationFile = "event-gen.yaml"
	DefaultCatalog    = "catalog.yaml"
)

// FindIn returns the files to read, each once, in the order of the arguments; a folder's files are
// sorted. The configuration was read before; it is nil if there is none. The findings are about
// files, not about catalogs.
func FindIn(files Files, config *catalog.Configuration, args []string) ([]catalog.Source, diag.Findings) {
	switch {
	case len(args) > 0:
		return list(files, args)
	case config != nil:
		return list(files, configured(config))
	}
	return fallback(files)
}

// fallback returns the catalog of the working directory.
func fallback(files Files) ([]catalog.Source, diag.Findings) {
	if !exists(files, DefaultCatalog) {
		return nil, catalog.Unreadable(DefaultCatalog, errors.New("no such file; name a catalog, or list the module's catalogs in "+
			ConfigurationFile))
	}
	return list(files, []string{DefaultCatalog})
}

// configured returns the paths of the catalogs that a configuration lists.
func configured(config *catalog.Configuration) []string {
	var paths []string
	for _, s := range config.Catalogs {
		path := filepath.Join(filepath.Dir(identity(config.File)), filepath.FromSlash(s.Value))
		paths = append(paths, relative(identity("."), path))
	}
	return paths
}

// Configuration reads the nearest configuration, no further up than the folder of go.mod or .git;
// nil if there is none.
func Configuration(files Files) (*catalog.Configuration, diag.Findings) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, catalog.Unreadable(".", err)
	}
	path := Nearest(files, dir)
	if path == "" {
		return nil, nil
	}
	name := relative(dir, path)
	f, err := files.Open(name)
	if err != nil {
		return nil, catalog.Unreadable(name, err)
	}
	defer f.Close()
	return catalog.ReadConfiguration(name, f)
}

// Nearest returns the path of the configuration of a folder: its own, or the nearest one above it,
// no further up than the folder of go.mod or .git. It returns "" if there is none.
func Nearest(files Files, dir string) string {
	for {
		if path := filepath.Join(dir, ConfigurationFile); exists(files, path) {
			return path
		}
		parent := filepath.Dir(dir)
		if parent == dir || exists(files, filepath.Join(dir, "go.mod")) || exists(files, filepath.Join(dir, ".git")) {
			return ""
		}
		dir = parent
	}
}

func exists(files Files, path string) bool {
	_, err := files.Stat(path)
	return err == nil
}

// relative shortens an absolute path to one from the working directory, where there is one.
func relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		return rel
	}
	return path
}

// list turns paths of files and folders into sources.
func list(files Files, paths []string) (sources []catalog.Source, findings diag.Findings) {
	seen := map[string]bool{}
	for _, path := range paths {
		found, err := expand(files, path)
		if err != nil {
			findings = append(findings, catalog.Unreadable(path, err)...)
		}
		for _, s := range found {
			if key := identity(s.Path); !seen[key] {
				seen[key] = true
				sources = append(sources, s)
			}
		}
	}
	return sources, findings
}

// identity returns one path for all ways to write it.
func identity(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

// Same reports whether two paths, however they are written, name one file.
func Same(a, b string) bool { return identity(a) == identity(b) }

// expand returns a file itself. Of a folder it returns the YAML files, but not the files of folders
// in it.
func expand(files Files, path string) ([]catalog.Source, error) {
	info, err := files.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []catalog.Source{{Path: path}}, nil
	}
	entries, err := files.ReadDir(path)
	var sources []catalog.Source
	for _, e := range entries {
		if !e.IsDir() && slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(e.Name())) {
			sources = append(sources, catalog.Source{Path: filepath.Join(path, e.Name()), InFolder: true})
		}
	}
	return sources, err
}

// Files is the source of catalogs: the file system, or a tree of a version control. Paths are the
// system's, relative to the working directory or absolute.
type Files interface {
	Open(path string) (fs.File, error)
	Stat(path string) (fs.FileInfo, error)
	ReadDir(path string) ([]fs.DirEntry, error)
}

// Disk is the file system.
type Disk struct{}

// Open opens a file.
func (Disk) Open(path string) (fs.File, error) { return os.Open(path) }

// Stat describes a file or folder.
func (Disk) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// ReadDir lists a folder, by name.
func (Disk) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }

// Others reports whether the module has catalogs besides those that were found: ones that its
// configuration lists, or, without a configuration, ones in the same folders.
func Others(files Files, config *catalog.Configuration, found []catalog.Source) bool {
	known := map[string]bool{}
	folders := map[string]bool{}
	for _, s := range found {
		known[identity(s.Path)] = true
		folders[filepath.Dir(s.Path)] = true
	}
	paths := slices.Collect(maps.Keys(folders))
	if config != nil {
		paths = configured(config)
	}
	candidates, _ := list(files, paths)
	return slices.ContainsFunc(candidates, func(s catalog.Source) bool {
		return !known[identity(s.Path)] && (!s.InFolder || isCatalog(files, s.Path))
	})
}

// isCatalog reports whether a file of a folder looks like one of ours.
func isCatalog(files Files, path string) bool {
	f, err := files.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, catalog.MaxBytes))
	return err == nil && bytes.Contains(text, []byte("kind: EventCatalog"))
}
