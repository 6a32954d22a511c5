package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// folder creates a folder with files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		write(t, filepath.Join(dir, name), content)
	}
	return dir
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tree returns every file, link and empty folder below a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if e.IsDir() {
			if entries, _ := os.ReadDir(path); len(entries) == 0 {
				files[filepath.ToSlash(name)] = "folder"
			}
			return nil
		}
		content, err := os.ReadFile(path)
		if e.Type()&fs.ModeSymlink != 0 {
			to, linkErr := os.Readlink(path)
			content, err = []byte("link to "+to), linkErr
		}
		files[filepath.ToSlash(name)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func change(dir, name, content string) Change {
	return Change{Path: name, Root: dir, Name: filepath.FromSlash(name), Content: []byte(content)}
}

func TestApply(t *testing.T) {
	dir := folder(t, map[string]string{"a": "old", "gone": "x", "sub/b": "same"})
	if err := os.Chmod(filepath.Join(dir, "a"), 0o600); err != nil {
		t.Fatal(err)
	}
	made := change(dir, "deep/er/new", "n")
	made.New = true
	edited := change(dir, "sub/b", "other")
	edited.Old = []byte("same")
	removed := change(dir, "gone", "")
	removed.Remove = true
	if err := Apply(t.Context(), []Change{change(dir, "a", "new"), made, edited, removed}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "new", "deep/er/new": "n", "sub/b": "other"}, tree(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(filepath.Join(dir, "a")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
}

// If one file can't be changed, no file changes and no temporary file is left.
func TestApplyRefuses(t *testing.T) {
	outside := t.TempDir()
	for name, tt := range map[string]struct {
		bad  func(t *testing.T, dir string) Change
		want error
	}{
		"a link": {func(t *testing.T, dir string) Change {
			link(t, "a", filepath.Join(dir, "link"))
			return change(dir, "link", "x")
		}, ErrIrregular},
		"a folder": {func(t *testing.T, dir string) Change { return change(dir, "sub", "x") }, ErrIrregular},
		"a link that leads out": {func(t *testing.T, dir string) Change {
			link(t, outside, filepath.Join(dir, "out"))
			return change(dir, "out/x", "x")
		}, nil},
		"dots that lead out": {func(t *testing.T, dir string) Change { return change(dir, "../x", "x") }, nil},
		"a file that is there": {func(t *testing.T, dir string) Change {
			c := change(dir, "sub/b", "x")
			c.New = true
			return c
		}, fs.ErrExist},
		"a file that nobody may write": {func(t *testing.T, dir string) Change {
			if err := os.Chmod(filepath.Join(dir, "sub", "b"), 0o444); err != nil {
				t.Fatal(err)
			}
			return change(dir, "sub/b", "x")
		}, fs.ErrPermission},
		"a file that somebody changed": {func(t *testing.T, dir string) Change {
			c := change(dir, "sub/b", "x")
			c.Old = []byte("older")
			return c
		}, ErrChanged},
		"a file that is gone": {func(t *testing.T, dir string) Change {
			c := change(dir, "nothing", "x")
			c.Remove = true
			return c
		}, fs.ErrNotExist},
		"no root": {func(t *testing.T, dir string) Change { return change(filepath.Join(dir, "nothing"), "x", "x") }, fs.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{"a": "old", "gone": "x", "sub/b": "same"})
			bad := tt.bad(t, dir)
			before := tree(t, dir)
			removed := change(dir, "gone", "")
			removed.Remove = true
			err := Apply(t.Context(), []Change{change(dir, "a", "new"), change(dir, "n/e/w", "new"), removed, bad})
			path := (*fs.PathError)(nil)
			if !errors.As(err, &path) || path.Path != bad.Path || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("the error is %v", err)
			}
			if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
				t.Errorf("files (-before +after):\n%s", diff)
			}
		})
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("%v stands outside", entries)
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

// If a change fails late, the changes before it stay, and the error says how many.
func TestApplyStops(t *testing.T) {
	dir := folder(t, map[string]string{"gone": "x", "old": "y"})
	removed := change(dir, "gone", "")
	removed.Remove = true
	err := Apply(t.Context(), []Change{removed, removed, change(dir, "a", "new"), change(dir, "old", "z")})
	if path := (*fs.PathError)(nil); !errors.As(err, &path) || path.Path != "gone" || !strings.Contains(err.Error(), "; 3 of 4 files have changed already; run the same command again") {
		t.Errorf("the error is %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "new", "old": "z"}, tree(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// If the new contents do not fit on the disk, nothing changes, and no temporary file or new folder
// is left.
func TestApplyOnAFullDisk(t *testing.T) {
	dir := folder(t, map[string]string{"a": "old", "b": "old"})
	before := tree(t, dir)
	const limited = "EVENT_GEN_TEST_LIMITED"
	if os.Getenv(limited) == "" {
		cmd := exec.Command("sh", "-c", `ulimit -f 8 && exec "$0" -test.run='^TestApplyOnAFullDisk$'`, os.Args[0])
		cmd.Env = append(os.Environ(), limited+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	large := change(dir, "n/e/w", strings.Repeat("x", 1<<20))
	err := Apply(t.Context(), []Change{change(dir, "a", "new"), large, change(dir, "b", "new")})
	if path := (*fs.PathError)(nil); !errors.As(err, &path) || path.Path != "n/e/w" {
		t.Errorf("the error is %v", err)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("files (-before +after):\n%s", diff)
	}
}

// What a killed process has left is removed; what a running one writes is not.
func TestApplySweeps(t *testing.T) {
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Skip(err)
	}
	mine := fmt.Sprintf("n/.event-gen-%d-X.tmp", os.Getppid())
	dir := folder(t, map[string]string{fmt.Sprintf("n/.event-gen-%d-X.tmp", gone.Process.Pid): "", mine: "", "n/.event-gen-x.tmp": ""})
	if err := Apply(t.Context(), []Change{change(dir, "n/a", "new")}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"n/a": "new", mine: "", "n/.event-gen-x.tmp": ""}, tree(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// A command whose context is done writes nothing.
func TestApplyEnds(t *testing.T) {
	dir := folder(t, map[string]string{"a": "old"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Apply(ctx, []Change{change(dir, "a", "new"), change(dir, "n/b", "new")}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "old"}, tree(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestRead(t *testing.T) {
	dir := folder(t, map[string]string{"a": "text"})
	link(t, "a", filepath.Join(dir, "link"))
	if content, exists, err := Read(filepath.Join(dir, "a")); string(content) != "text" || !exists || err != nil {
		t.Errorf("a: %q, %v, %v", content, exists, err)
	}
	if _, exists, err := Read(filepath.Join(dir, "nothing")); exists || err != nil {
		t.Errorf("nothing: %v, %v", exists, err)
	}
	if content, exists, err := Read(filepath.Join(dir, "link")); string(content) != "text" || !exists || err != nil {
		t.Errorf("link: %q, %v, %v", content, exists, err)
	}
	if _, _, err := Read(dir); !errors.Is(err, ErrIrregular) {
		t.Errorf("a folder: %v", err)
	}
}
