package sources

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/header"
)

// textOf returns a hash of the Go files of a package, and of the local packages that it imports, directly or not. It leaves out tests and the
// files that event-gen generates, because types do not depend on them.
func (t *Tree) textOf(importPath string) string {
	sum := sha256.New()
	seen := map[string]bool{importPath: true}
	for next := []string{importPath}; len(next) > 0; next = next[1:] {
		of, _ := t.localModule(next[0])
		for _, imported := range addPackage(sum, of, next[0]) {
			if _, local := t.localModule(imported); local && !seen[imported] {
				seen[imported] = true
				next = append(next, imported)
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// addPackage adds the files of a package, and returns their imports, sorted.
func addPackage(sum io.Writer, m module, importPath string) []string {
	dir := filepath.Join(m.dir, filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(importPath, m.path), "/")))
	fmt.Fprintf(sum, "package %q\n", importPath)
	entries, err := os.ReadDir(dir)
	if err != nil {
		fmt.Fprintln(sum, "absent")
		return nil
	}
	var imports []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		if _, ours := header.Parse(content); err != nil || ours {
			continue
		}
		fmt.Fprintf(sum, "%q %d\n%s", name, len(content), content)
		imports = append(imports, importsOf(content)...)
	}
	slices.Sort(imports)
	return slices.Compact(imports)
}

func importsOf(content []byte) []string {
	file, err := parser.ParseFile(token.NewFileSet(), "", content, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	var paths []string
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// replacedFolders returns a hash of the folders that replace modules, which dependencies may import: of their paths, and of the names, sizes
// and times of their Go files. It does not read the files, because no wanted type is in them.
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
		// If a folder can't be walked, the files that were seen count.
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

// vendoredText returns a hash of a package's files in folders called vendor, which anybody can edit.
func (t *Tree) vendoredText(importPath string) string {
	sum := sha256.New()
	for _, dir := range t.vendored {
		addPackage(sum, module{dir: dir}, importPath)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
