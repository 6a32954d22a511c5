// Package discovery finds the catalogs that a command is about: the files and folders it was given; else those that the
// configuration of the module lists; else catalog.yaml in the working directory.
package discovery

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
)

// The names that are looked for.
const (
	ConfigurationFile = "event-gen.yaml"
	DefaultCatalog    = "catalog.yaml"
)

// Find gives the files to read, each once, in the order of the arguments; those of a folder are sorted. Its findings are
// about files and the configuration, not about catalogs.
func Find(args []string) ([]catalog.Source, diag.Findings) {
	if len(args) > 0 {
		return list(args)
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, catalog.Unreadable(".", err)
	}
	if config := configuration(dir); config != "" {
		return configured(dir, config)
	}
	return fallback()
}

// fallback is the catalog of the working directory.
func fallback() ([]catalog.Source, diag.Findings) {
	if !exists(DefaultCatalog) {
		return nil, catalog.Unreadable(DefaultCatalog, errors.New("no such file; name a catalog, or list the module's catalogs in "+
			ConfigurationFile))
	}
	return list([]string{DefaultCatalog})
}

// configured gives the catalogs that a configuration lists.
func configured(dir, config string) ([]catalog.Source, diag.Findings) {
	c, findings := catalog.ReadConfiguration(relative(dir, config))
	if len(findings) > 0 {
		return nil, findings
	}
	var paths []string
	for _, s := range c.Catalogs {
		paths = append(paths, relative(dir, filepath.Join(filepath.Dir(config), filepath.FromSlash(s.Value))))
	}
	return list(paths)
}

// configuration is the absolute path of the nearest configuration, no further up than the folder of go.mod or .git;
// empty if there is none.
func configuration(dir string) string {
	for {
		if path := filepath.Join(dir, ConfigurationFile); exists(path) {
			return path
		}
		parent := filepath.Dir(dir)
		if parent == dir || exists(filepath.Join(dir, "go.mod")) || exists(filepath.Join(dir, ".git")) {
			return ""
		}
		dir = parent
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
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
func list(paths []string) (sources []catalog.Source, findings diag.Findings) {
	seen := map[string]bool{}
	for _, path := range paths {
		found, err := expand(path)
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

// identity is the same for every way to write a path.
func identity(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

// expand gives a file itself, and the YAML files of a folder, though not those of folders in it.
func expand(path string) ([]catalog.Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []catalog.Source{{Path: path}}, nil
	}
	entries, err := os.ReadDir(path)
	var sources []catalog.Source
	for _, e := range entries {
		if !e.IsDir() && slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(e.Name())) {
			sources = append(sources, catalog.Source{Path: filepath.Join(path, e.Name()), InFolder: true})
		}
	}
	return sources, err
}
