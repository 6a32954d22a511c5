package disk

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// leftAfter is when a temporary file has outlived its process.
const leftAfter = time.Hour

// sweep removes the temporary files that a killed process has left in a folder. It looks at each folder once.
func (t *transaction) sweep(rootName string, root *os.Root, folder string) {
	key := filepath.Join(rootName, folder)
	if t.swept[key] {
		return
	}
	if t.swept == nil {
		t.swept = map[string]bool{}
	}
	t.swept[key] = true
	entries, err := fs.ReadDir(root.FS(), filepath.ToSlash(folder))
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.HasPrefix(e.Name(), temporaryPrefix) || path.Ext(e.Name()) != temporarySuffix {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > leftAfter {
			root.Remove(filepath.Join(folder, e.Name()))
		}
	}
}
