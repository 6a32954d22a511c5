package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Nearest returns the folder that has an entry of a name: dir itself, else the nearest above it;
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

// IsForeign reports whether a folder below a module's root is no part of the module: the go command
// passes over folders of such names, and a folder with a go.mod is another module's.
func IsForeign(dir string) bool {
	if IsIgnored(filepath.Base(dir)) {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// IsIgnored reports whether a folder of this name holds no packages of the module that it is in.
func IsIgnored(base string) bool {
	return base[0] == '.' || base[0] == '_' || slices.Contains([]string{"vendor", "testdata", "node_modules"}, base)
}

// IsGone reports whether there is surely no such file.
func IsGone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// Show returns the path from the working directory, if that is shorter.
func Show(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil && len(rel) < len(path) {
			return rel
		}
	}
	return path
}
