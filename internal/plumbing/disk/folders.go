package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Nearest returns the nearest folder with an entry called name: dir itself or a folder above it;
// empty if there is none.
func Nearest(dir, name string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// IsForeign reports whether a folder below a module's root is no part of the module. That is a
// folder that the go command ignores by its name, or one with its own go.mod.
func IsForeign(dir string) bool {
	if IsIgnored(filepath.Base(dir)) {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// IsIgnored reports whether the go command ignores a folder with this name.
func IsIgnored(base string) bool {
	return base[0] == '.' || base[0] == '_' || slices.Contains([]string{"vendor", "testdata", "node_modules"}, base)
}

// IsGone reports whether a file certainly does not exist.
func IsGone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// Show returns the path relative to the working directory, if that is shorter.
func Show(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil && len(rel) < len(path) {
			return rel
		}
	}
	return path
}
