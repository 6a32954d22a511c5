// Package sources finds the inputs of a package's types without asking the go command: a module version, which never
// changes, or the text of files.
package sources

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// Tree is a module and, from go.mod and go.work, the modules that it uses.
type Tree struct {
	local    []module // whose source is in folders that may change; longest path first
	required map[string]string
	// platform can change the meaning of the same source; environment is everything else that picks versions.
	platform    string
	environment string
	workspace   bool
	sums        string   // of go.sum files
	vendored    []string // folders called vendor that are in use
	folders     string   // see replacedFolders
}

// module is a module whose source is in a folder. main: it is the main module, or one of a workspace, and no dependency
// can import it.
type module struct {
	path, dir string
	main      bool
}

// Open reads the go.mod of a module's folder, or the go.work that it is part of. It fails if only the go command knows which module a
// package comes from.
func Open(root string) (*Tree, error) {
	t := &Tree{required: map[string]string{}}
	settings := goSettings()
	flags := os.Getenv("GOFLAGS")
	if strings.Contains(flags+settings, "-modfile") {
		return nil, errors.New("GOFLAGS names another go.mod")
	}
	t.platform = strings.Join([]string{runtime.Version(), cmp.Or(os.Getenv("GOOS"), runtime.GOOS),
		cmp.Or(os.Getenv("GOARCH"), runtime.GOARCH), os.Getenv("CGO_ENABLED"), flags, settings}, "\n")
	sum := sha256.New()
	read := func(path string) ([]byte, error) {
		data, err := os.ReadFile(path)
		fmt.Fprintf(sum, "%s %d\n%s", filepath.Base(path), len(data), data)
		return data, err
	}
	roots, err := t.roots(root, read)
	if err != nil {
		return nil, err
	}
	for _, dir := range roots {
		if err := t.readModule(dir, read); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(t.local, func(a, b module) int { return len(b.path) - len(a.path) })
	t.environment = hex.EncodeToString(sum.Sum(nil))
	return t, nil
}

type reader func(path string) ([]byte, error)

// roots returns the folders of the main modules: of one module, or of all modules of a workspace.
func (t *Tree) roots(root string, read reader) ([]string, error) {
	work := workspaceFile(root)
	if work == "" {
		return []string{root}, nil
	}
	t.workspace = true
	data, err := read(work)
	if err != nil {
		return nil, err
	}
	file, err := modfile.ParseWork(work, data, nil)
	if err != nil {
		return nil, err
	}
	var roots []string
	for _, use := range file.Use {
		roots = append(roots, absolute(filepath.Dir(work), use.Path))
	}
	t.replace(filepath.Dir(work), file.Replace)
	if !slices.Contains(roots, root) {
		return nil, fmt.Errorf("%s is not in the workspace", root)
	}
	return roots, nil
}

// workspaceFile returns the go.work that is in effect in a folder; empty if none is.
func workspaceFile(dir string) string {
	switch work := os.Getenv("GOWORK"); work {
	case "off":
		return ""
	case "":
	default:
		return work
	}
	if folder := disk.Nearest(dir, "go.work"); folder != "" {
		return filepath.Join(folder, "go.work")
	}
	return ""
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, filepath.FromSlash(path))
}

func (t *Tree) readModule(dir string, read reader) error {
	path := filepath.Join(dir, "go.mod")
	data, err := read(path)
	if err != nil {
		return err
	}
	file, err := modfile.Parse(path, data, nil)
	if err != nil {
		return err
	}
	if file.Module == nil {
		return fmt.Errorf("%s names no module", path)
	}
	t.local = append(t.local, module{file.Module.Mod.Path, dir, true})
	for _, r := range file.Require {
		if _, replaced := t.required[r.Mod.Path]; !replaced {
			t.required[r.Mod.Path] = r.Mod.Version
		}
	}
	t.replace(dir, file.Replace)
	// The list of modules in a vendor folder tells the versions in it.
	if _, err := read(filepath.Join(dir, "vendor", "modules.txt")); err == nil {
		t.vendored = append(t.vendored, filepath.Join(dir, "vendor"))
	}
	sums, _ := os.ReadFile(filepath.Join(dir, "go.sum"))
	t.sums += string(sums)
	return nil
}

// replace takes in replacements by a folder or by another module, for any version.
func (t *Tree) replace(dir string, replacements []*modfile.Replace) {
	for _, r := range replacements {
		if r.New.Version == "" {
			t.local = append(t.local, module{r.Old.Path, absolute(dir, r.New.Path), false})
		} else {
			t.required[r.Old.Path] = r.New.Path + "@" + r.New.Version
		}
	}
}

// Key changes if the types of a package may have changed. It is made of the versions of all modules, because a type may have methods by
// types of another module; or of the text of the package's files and of the files that they import. ok is false if nobody but the go
// command can tell.
func (t *Tree) Key(importPath string) (key string, ok bool) {
	if _, found := t.localModule(importPath); found {
		return t.hash("folder", importPath, t.environment, t.textOf(importPath)), true
	}
	if !t.requires(importPath, "") {
		return t.hash("standard", importPath), isStandard(importPath)
	}
	versions := t.versions()
	if t.workspace {
		versions = t.environment // whose modules may require several versions
	}
	return t.hash("module", importPath, versions, t.replacedFolders(), t.vendoredText(importPath)), true
}

// Absent changes if a package that no module had may be there now: if go.mod, go.sum or go.work has changed.
func (t *Tree) Absent(importPath string) string {
	return t.hash("absent", importPath, t.environment, t.sums)
}

// versions returns the versions of all required modules, sorted.
func (t *Tree) versions() string {
	var list []string
	for path, version := range t.required {
		list = append(list, path+" "+version)
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

func (t *Tree) hash(parts ...string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(t.platform+"\n"+strings.Join(parts, "\n"))))
}

// localModule returns the local module that has a package, unless a required module has a longer path.
func (t *Tree) localModule(importPath string) (module, bool) {
	for _, m := range t.local {
		if within(importPath, m.path) {
			return m, !t.requires(importPath, m.path)
		}
	}
	return module{}, false
}

// requires reports whether a required module has the package, and a longer path than another module.
func (t *Tree) requires(importPath, other string) bool {
	for path := range t.required {
		if len(path) > len(other) && within(importPath, path) {
			return true
		}
	}
	return false
}

func within(importPath, modulePath string) bool {
	return importPath == modulePath || strings.HasPrefix(importPath, modulePath+"/")
}

func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// goSettings returns the settings that go env -w has written.
func goSettings() string {
	path := os.Getenv("GOENV")
	if path == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return ""
		}
		path = filepath.Join(dir, "go", "env")
	}
	data, _ := os.ReadFile(path) // absent, or off: there are none
	return string(data)
}
