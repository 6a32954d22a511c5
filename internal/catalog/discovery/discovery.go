// Package discovery finds the catalogs for a command: the files and folders in its arguments, else
// those that the module's configuration lists, else catalog.yaml in the working directory.
package discovery

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// The names of files that discovery looks for.
const (
	ConfigurationFile = "event-gen.yaml"
	DefaultCatalog    = "catalog.yaml"
)

// FindIn returns the files to read, each once, in the order of the arguments; the files of a folder
// are sorted. config is nil if there is no configuration. The findings are about files, not about
// the content of catalogs.
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
		paths = append(paths, pathOf(config, s))
	}
	return paths
}

func pathOf(config *catalog.Configuration, entry catalog.Scalar) string {
	path := filepath.Join(filepath.Dir(identity(config.File)), filepath.FromSlash(entry.Value))
	return relative(identity("."), path)
}

// Entry returns the entry of a configuration that names a path; not set if none does.
func Entry(config *catalog.Configuration, path string) catalog.Scalar {
	for _, s := range config.Catalogs {
		if pathOf(config, s) == path {
			return s
		}
	}
	return catalog.Scalar{}
}

// Configuration reads the nearest configuration of the working directory, as Nearest finds it; nil
// if there is none.
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
	config, findings := catalog.ReadConfiguration(name, f)
	if config == nil {
		return nil, findings
	}
	return config, append(findings, leading(config, filepath.Dir(path))...)
}

// leading returns the findings about paths in a configuration that lead where no file of the
// repository may lead. Their files are neither read nor written.
func leading(config *catalog.Configuration, dir string) (findings diag.Findings) {
	r := disk.RepositoryOf(dir)
	holds := []string{dir}
	for _, s := range config.Catalogs {
		path, err := r.Named(dir, s.Value)
		note(&findings, s, "catalogs", err)
		holds = append(holds, path)
	}
	if s := config.Generate.HeaderFile; s.Set() {
		_, err := r.Named(dir, s.Value)
		note(&findings, s, "generate.headerFile", err)
	}
	if s := config.Docs.Into; s.Set() {
		_, err := r.Target(dir, s.Value, holds...)
		if !slices.Contains(pages, strings.ToLower(filepath.Ext(s.Value))) {
			err = fmt.Errorf("must end in %s", spell.Alternatives(pages))
		}
		note(&findings, s, "docs.into", err)
	}
	return findings
}

// pages are the ends of the files that event-gen docs writes.
var pages = []string{".md", ".markdown", ".html", ".htm"}

func note(findings *diag.Findings, s catalog.Scalar, key string, err error) {
	if err != nil {
		findings.Unreadf(s.Pos, diag.Syntax, "%s: %q %v", key, s.Value, err)
	}
}

// Nearest returns the path of a folder's configuration: the one in the folder or in the nearest
// folder above it. It looks no further up than the folder of go.mod or .git, and returns "" if
// there is none.
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

// relative returns an absolute path relative to the working directory, if that is possible.
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

// identity returns the same path for all spellings of a path.
func identity(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

// Same reports whether two paths name the same file.
func Same(a, b string) bool { return identity(a) == identity(b) }

// expand returns a file itself, or the YAML files of a folder. It does not look into the folder's
// folders.
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

// Files is the source of catalogs: the file system, or the tree of a commit. Paths have the
// system's separators, and are absolute or relative to the working directory.
type Files interface {
	Open(path string) (fs.File, error)
	Stat(path string) (fs.FileInfo, error)
	ReadDir(path string) ([]fs.DirEntry, error)
}

// Disk is the file system, as far as package disk lets a stranger's repository lead.
type Disk struct{}

// Open opens a file.
func (Disk) Open(path string) (fs.File, error) { return disk.Open(path) }

// Stat describes a file or folder.
func (Disk) Stat(path string) (fs.FileInfo, error) { return disk.Stat(path) }

// ReadDir lists a folder, sorted by name.
func (Disk) ReadDir(path string) ([]fs.DirEntry, error) {
	if _, err := disk.Stat(path); err != nil {
		return nil, err
	}
	return os.ReadDir(path)
}

// Others reports whether the module has more catalogs than found: in the list of its configuration
// or, without a configuration, in the folders of found.
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
		return !known[identity(s.Path)] && (!s.InFolder || holdsCatalog(files, s))
	})
}

// Unlisted returns the catalogs beside the files that a configuration lists, which are themselves
// not found through its list. They have no effect, and may have been forgotten.
func Unlisted(files Files, config *catalog.Configuration, found []string) (unlisted []string) {
	looked := map[string]bool{}
	for _, path := range found {
		looked[identity(path)] = true
	}
	for _, listed := range configured(config) {
		folder := filepath.Dir(listed)
		if info, err := files.Stat(listed); err != nil || info.IsDir() || looked[identity(folder)] {
			continue
		}
		looked[identity(folder)] = true
		beside, _ := expand(files, folder)
		for _, s := range beside {
			if !looked[identity(s.Path)] && holdsCatalog(files, s) {
				unlisted = append(unlisted, s.Path)
			}
		}
	}
	return unlisted
}

// holdsCatalog reports whether a file of a folder has a document that is a catalog.
func holdsCatalog(files Files, s catalog.Source) bool {
	f, err := files.Open(s.Path)
	if err != nil {
		return false
	}
	defer f.Close()
	catalogs, _ := catalog.ReadFrom(s, f)
	return len(catalogs) > 0
}
