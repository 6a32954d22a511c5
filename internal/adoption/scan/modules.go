package scan

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// group is the folder and the patterns for one run of the go command.
type group struct {
	dir      string
	patterns []string
}

// groupsOf groups patterns by module, because one run of the go command reads one module or one
// workspace. It returns the folders of the modules below the folder of a pattern as skipped.
func groupsOf(ctx context.Context, o Options) (groups []group, skipped []string, err error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, nil, err
	}
	g := grouper{dir: dir, used: workspace(ctx, dir)}
	patterns := o.Patterns
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	for _, p := range patterns {
		if err := g.add(p); err != nil {
			return nil, nil, err
		}
		skipped = append(skipped, g.below(p)...)
	}
	return g.groups, skipped, nil
}

type grouper struct {
	dir    string
	used   []string // folders of the modules of the workspace
	groups []group
}

// add puts a pattern into the group of its module.
func (g *grouper) add(pattern string) error {
	folder, local := g.folder(pattern)
	if !local {
		g.put(g.dir, pattern)
		return nil
	}
	if _, err := os.Stat(folder); err != nil {
		return fmt.Errorf("%s: no such folder", pattern)
	}
	root := moduleRoot(folder)
	if root == "" || root == moduleRoot(g.dir) || g.inWorkspace(root) {
		g.put(g.dir, pattern)
		return nil
	}
	rel, err := filepath.Rel(root, folder)
	if err != nil {
		return err
	}
	rel = "./" + filepath.ToSlash(rel)
	if strings.HasSuffix(pattern, "...") {
		rel = strings.TrimSuffix(rel, "/.") + "/..."
	}
	g.put(root, rel)
	return nil
}

func (g *grouper) put(dir, pattern string) {
	i := slices.IndexFunc(g.groups, func(o group) bool { return o.dir == dir })
	if i < 0 {
		g.groups = append(g.groups, group{dir, []string{pattern}})
	} else if !slices.Contains(g.groups[i].patterns, pattern) {
		g.groups[i].patterns = append(g.groups[i].patterns, pattern)
	}
}

// folder returns the folder that a pattern names. local is false for import paths.
func (g *grouper) folder(pattern string) (folder string, local bool) {
	folder = strings.TrimSuffix(strings.TrimSuffix(pattern, "..."), "/")
	switch {
	case filepath.IsAbs(pattern):
		return folder, true
	case pattern == "." || pattern == ".." || strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../"):
		return filepath.Join(g.dir, filepath.FromSlash(folder)), true
	}
	return "", false
}

func (g *grouper) inWorkspace(root string) bool {
	return slices.Contains(g.used, root) && slices.Contains(g.used, moduleRoot(g.dir))
}

// below returns the folders of modules below a pattern's folder, if they need client-go and the
// pattern does not match them. The folders are relative to the working directory.
func (g *grouper) below(pattern string) []string {
	folder, local := g.folder(pattern)
	if !local || !strings.HasSuffix(pattern, "/...") {
		return nil
	}
	own := moduleRoot(folder)
	var found []string
	_ = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if e.IsDir() && path != folder && disk.IsIgnored(e.Name()) {
			return fs.SkipDir
		}
		if root := filepath.Dir(path); e.Name() == "go.mod" && root != own && NeedsClients(root) {
			if rel, err := filepath.Rel(g.dir, root); err == nil {
				found = append(found, rel)
			}
		}
		return nil
	})
	return found
}

// NeedsClients reports whether the module in a folder has client-go among its dependencies. Its
// go.mod lists all of them.
func NeedsClients(root string) bool {
	data, err := disk.ReadFile(filepath.Join(root, "go.mod"), disk.MaxText)
	return err == nil && (bytes.Contains(data, []byte("k8s.io/client-go")) || bytes.Contains(data, []byte("sigs.k8s.io/controller-runtime")))
}

// moduleRoot returns the folder of the go.mod that applies to dir, or "" if there is none.
func moduleRoot(dir string) string { return disk.Nearest(dir, "go.mod") }

// workspace returns the folders of the modules that the go command works on in dir: the module of
// dir, or all modules of its workspace.
func workspace(ctx context.Context, dir string) []string {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f={{.Dir}}")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
