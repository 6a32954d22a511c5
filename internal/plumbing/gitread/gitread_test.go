package gitread

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository creates a repository whose first commit has a few files, and changes to a folder below
// its root.
func repository(t *testing.T) {
	t.Helper()
	root := t.TempDir()
	for key, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "T", "GIT_AUTHOR_EMAIL": "t@example.com",
		"GIT_COMMITTER_NAME": "T", "GIT_COMMITTER_EMAIL": "t@example.com",
	} {
		t.Setenv(key, value)
	}
	for name, text := range map[string]string{"top.yaml": "top", "sub/a.yaml": "one", "sub/b c\n\".yaml": "odd", "sub/deep/d.yaml": "deep"} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"sub/link.yaml": "a.yaml", "linked": "sub/deep", "sub/.up.yaml": "../top.yaml", "sub/out": "/etc/hosts", "sub/loop": "loop",
	} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"init -q -b main", "add .", "commit -q -m one", "rm -q -r --cached .", "clean -q -f -x sub/a.yaml"} {
		cmd := exec.Command("git", strings.Fields(args)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	t.Chdir(filepath.Join(root, "sub"))
}

func open(t *testing.T) *Tree {
	t.Helper()
	repository(t)
	tree, err := Open(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// Files are read as they were at the commit, regardless of later changes.
func TestOpen(t *testing.T) {
	tree := open(t)
	dir, _ := os.Getwd()
	for name, want := range map[string]string{
		"a.yaml": "one", "../top.yaml": "top", "link.yaml": "one", ".up.yaml": "top", "../linked/d.yaml": "deep",
		"deep/../a.yaml": "one", "b c\n\".yaml": "odd", filepath.Join(dir, "deep", "d.yaml"): "deep",
	} {
		f, err := tree.Open(name)
		if err != nil {
			t.Error(err)
			continue
		}
		text, _ := io.ReadAll(f)
		info, _ := f.Stat()
		if string(text) != want || info.Size() != int64(len(want)) || info.IsDir() {
			t.Errorf("%s holds %q", name, text)
		}
	}
}

func TestMissing(t *testing.T) {
	tree := open(t)
	for name, want := range map[string]string{
		"nothing.yaml": "file does not exist", "../../a.yaml": "file does not exist", "/a.yaml": "file does not exist",
		"deep": "is a directory", "../linked": "is a directory", "out": "file does not exist", "loop": "too many symbolic links",
	} {
		if _, err := tree.Open(name); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadDir(t *testing.T) {
	tree := open(t)
	for dir, want := range map[string]string{
		".": ".up.yaml|a.yaml|b c\n\".yaml|deep/|link.yaml", "..": "linked/|sub/|top.yaml", "deep": "d.yaml", "../linked": "d.yaml",
	} {
		entries, err := tree.ReadDir(dir)
		if err != nil {
			t.Error(err)
		}
		var names []string
		for _, e := range entries {
			name := e.Name()
			if e.IsDir() {
				name += "/"
			}
			names = append(names, name)
		}
		if got := strings.Join(names, "|"); got != want {
			t.Errorf("%s holds %q, want %q", dir, got, want)
		}
	}
	if _, err := tree.ReadDir("nowhere"); err == nil {
		t.Error("a folder that is not there can be read")
	}
}

// The folder .git exists, because it bounds a search for files.
func TestStat(t *testing.T) {
	tree := open(t)
	for name, isDir := range map[string]bool{"..": true, "deep": true, "a.yaml": false, "../.git": true, "link.yaml": false} {
		info, err := tree.Stat(name)
		if err != nil || info.IsDir() != isDir || info.Mode().IsDir() != isDir {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// The working directory may be reached by a symbolic link, and a file may be named by any of its
// paths.
func TestSymlinkedWorkingDirectory(t *testing.T) {
	repository(t)
	dir, _ := os.Getwd()
	link := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	t.Chdir(link)
	tree, err := Open(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.yaml", "../top.yaml", filepath.Join(link, "a.yaml"), filepath.Join(dir, "a.yaml")} {
		if _, err := tree.Stat(name); err != nil {
			t.Error(err)
		}
	}
}

func TestContaining(t *testing.T) {
	tree := open(t)
	for text, want := range map[string]string{"o": "a.yaml|../top.yaml", "deep": "deep/d.yaml", "no such text": ""} {
		files, err := tree.Containing(text, "*.yaml")
		if got := filepath.ToSlash(strings.Join(files, "|")); err != nil || strings.ReplaceAll(got, "|b c\n\".yaml", "") != want {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	if files, err := tree.Present("top", "*.yaml"); err != nil || len(files) != 1 || files[0] != filepath.FromSlash("../top.yaml") {
		t.Errorf("present: %v, %v", files, err)
	}
}

func git(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// Files of a submodule come from the commit that the repository names.
func TestSubmodule(t *testing.T) {
	repository(t)
	inner, _ := os.Getwd()
	inner = filepath.Dir(inner)
	t.Chdir(t.TempDir())
	git(t, "init", "-q", "-b", "main")
	git(t, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "mod")
	git(t, "commit", "-q", "-m", "outer")
	tree, err := Open(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"mod/top.yaml", "mod/sub/deep/d.yaml", "mod/linked/d.yaml"} {
		if _, err := tree.Open(name); err != nil {
			t.Error(err)
		}
	}
	if list, err := tree.ReadDir("mod/sub/deep"); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := tree.Stat("mod/nothing"); !os.IsNotExist(err) {
		t.Error(err)
	}
	git(t, "submodule", "--quiet", "deinit", "-f", "mod")
	if tree, err = Open(context.Background(), "main"); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Stat("mod/top.yaml"); err == nil || !strings.Contains(err.Error(), "git submodule update --init mod") {
		t.Errorf("a submodule that is not checked out: %v", err)
	}
}

func TestTags(t *testing.T) {
	repository(t)
	git(t, "tag", "v1.0.0")
	git(t, "tag", "v1.1.0")
	if got := strings.Join(Tags(context.Background()), " "); got != "v1.0.0 v1.1.0" {
		t.Errorf("tags %s", got)
	}
	t.Chdir(t.TempDir())
	if got := Tags(context.Background()); got != nil {
		t.Errorf("tags %s without a repository", got)
	}
}

func TestNoSuchCommit(t *testing.T) {
	repository(t)
	for _, ref := range []string{"nowhere", "--all", "", "main:sub"} {
		if _, err := Open(context.Background(), ref); err == nil || !strings.HasPrefix(err.Error(), "no branch, tag or commit") {
			t.Errorf("%q: %v", ref, err)
		}
	}
	t.Chdir(t.TempDir())
	if _, err := Open(context.Background(), "main"); err == nil || !strings.Contains(err.Error(), "no Git repository") {
		t.Errorf("no repository: %v", err)
	}
	t.Setenv("PATH", "")
	if _, err := Open(context.Background(), "main"); err == nil || !strings.Contains(err.Error(), "git was not found") {
		t.Errorf("no git: %v", err)
	}
}
