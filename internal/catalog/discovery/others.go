package discovery

import (
	"bytes"
	"io"
	"path/filepath"

	"github.com/event-gen/event-gen/internal/catalog"
)

// Others reports whether the module has catalogs besides those that were found: ones that its configuration lists, or,
// without a configuration, ones in the same folders.
func Others(files Files, config *catalog.Configuration, found []catalog.Source) bool {
	known := map[string]bool{}
	folders := map[string]bool{}
	for _, s := range found {
		known[identity(s.Path)] = true
		folders[filepath.Dir(s.Path)] = true
	}
	var paths []string
	if config != nil {
		paths = configured(config)
	} else {
		for folder := range folders {
			paths = append(paths, folder)
		}
	}
	candidates, _ := list(files, paths)
	for _, s := range candidates {
		if !known[identity(s.Path)] && (!s.InFolder || isCatalog(files, s.Path)) {
			return true
		}
	}
	return false
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
