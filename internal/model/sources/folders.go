package sources

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// replacedFolders stands for the folders that replace modules, which dependencies may import: for their paths, and for the
// names, sizes and times of their Go files. It does not read those, as no type that it is asked for is in them.
func (t *Tree) replacedFolders() string {
	if t.folders != "" {
		return t.folders
	}
	sum := sha256.New()
	for _, m := range t.local {
		if m.main {
			continue
		}
		fmt.Fprintf(sum, "%q %q\n", m.path, m.dir)
		// A folder that can't be walked has the state of what could be seen.
		_ = filepath.WalkDir(m.dir, func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil
			case e.IsDir() && path != m.dir && strings.ContainsRune("._", rune(e.Name()[0])):
				return fs.SkipDir
			case filepath.Ext(path) != ".go":
				return nil
			}
			if info, err := e.Info(); err == nil {
				fmt.Fprintf(sum, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	t.folders = hex.EncodeToString(sum.Sum(nil))
	return t.folders
}

// vendoredText is a hash of a package's files in folders called vendor, which anybody can edit.
func (t *Tree) vendoredText(importPath string) string {
	sum := sha256.New()
	for _, dir := range t.vendored {
		addPackage(sum, module{dir: dir}, importPath)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
