package model

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// ownPackage returns the reason why the module in a folder lacks a package of its own; empty if the
// path is not in the module. The go command proposes to get the package, which can't help here.
func ownPackage(root, importPath string) string {
	module := modulePath(root)
	rest, ok := strings.CutPrefix(importPath, module+"/")
	if module == "" || !ok {
		return ""
	}
	for dir := rest; dir != "."; dir = path.Dir(dir) {
		if nested := modulePath(filepath.Join(root, filepath.FromSlash(dir))); nested != "" {
			return fmt.Sprintf("%s is in a module of its own, %s (%s/go.mod), which module %s does not require; require it, with a replace directive for the folder",
				importPath, nested, dir, module)
		}
	}
	at := ""
	for part := range strings.SplitSeq(rest, "/") {
		next := path.Join(at, part)
		if info, err := os.Stat(filepath.Join(root, next)); err != nil || !info.IsDir() {
			return fmt.Sprintf("module %s has no folder %s%s", module, rest, nearFolder(root, at, part, rest[len(next):]))
		}
		at = next
	}
	return fmt.Sprintf("folder %s of module %s has no package that could be loaded", rest, module)
}

// nearFolder proposes a folder for part, which the folder at lacks, with what follows it if that
// exists there.
func nearFolder(root, at, part, below string) string {
	meant := spell.Nearest(part, folders(filepath.Join(root, at)))
	if meant == "" {
		return ""
	}
	meant = path.Join(at, meant)
	if exists(filepath.Join(root, meant+below)) {
		meant += below
	}
	return "; did you mean " + meant + "?"
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// modulePath returns the path of the module in a folder; empty if there is none.
func modulePath(dir string) string {
	text, err := disk.ReadFile(filepath.Join(dir, "go.mod"), disk.MaxText)
	if err != nil {
		return ""
	}
	return modfile.ModulePath(text)
}

func folders(dir string) (names []string) {
	entries, _ := os.ReadDir(dir) // without entries there is no suggestion
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}
