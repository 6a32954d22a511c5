// Package gitread reads files as they were at a commit of a Git repository, without touching its work tree. It calls the
// git command, so it works wherever that does: in shallow and bare clones, and in work trees that share a repository.
package gitread

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Tree is the files of a commit. Its paths are the system's, as if the commit were checked out where the work tree is.
type Tree struct {
	ctx     context.Context
	dir     string // the working directory
	root    string // of the repository
	entries map[string]entry
}

// entry is a file, or a folder (no object).
type entry struct {
	object string
	link   bool
}

// Open reads what a branch, tag or commit holds, for paths that are relative to the working directory.
func Open(ctx context.Context, ref string) (*Tree, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	t := &Tree{ctx: ctx, dir: dir, entries: map[string]entry{"": {}}}
	prefix, err := t.git("rev-parse", "--show-prefix")
	if err != nil {
		return nil, noRepository(err)
	}
	t.root = dir
	for range strings.Count(strings.TrimSpace(string(prefix)), "/") {
		t.root = filepath.Dir(t.root)
	}
	commit, err := t.git("rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("no branch, tag or commit of this repository, and no file or folder; "+
			"a shallow clone has to fetch it first: git fetch --depth=1 origin %s", ref)
	}
	return t, t.list(strings.TrimSpace(string(commit)))
}

func noRepository(err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("git was not found; install it, or compare with a file or folder")
	}
	return errors.New("no file or folder, and this is no Git repository in which it could be a branch, tag or commit")
}

// list notes all files of a commit, and the folders that they are in.
func (t *Tree) list(commit string) error {
	out, err := t.git("ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return err
	}
	for line := range bytes.SplitSeq(out, []byte{0}) {
		about, name, found := strings.Cut(string(line), "\t")
		fields := strings.Fields(about) // mode, type, object
		if !found || len(fields) != 3 || fields[1] != "blob" {
			continue
		}
		t.entries[name] = entry{object: fields[2], link: fields[0] == "120000"}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			t.entries[dir] = entry{}
		}
	}
	return nil
}

// git runs a command and gives what it prints; an error has what it complains of.
func (t *Tree) git(args ...string) ([]byte, error) {
	cmd := exec.CommandContext(t.ctx, "git", args...)
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && stderr.Len() > 0 {
		return nil, fmt.Errorf("git %s: %s: %w", args[0], strings.TrimSpace(stderr.String()), err)
	}
	return out, err
}

// name is the path of a file in the commit.
func (t *Tree) name(file string) (string, bool) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(t.dir, file)
	}
	rel, err := filepath.Rel(t.root, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	if rel == "." {
		return "", true
	}
	return filepath.ToSlash(rel), true
}

func (t *Tree) lookup(op, file string) (string, entry, error) {
	name, inside := t.name(file)
	e, known := t.entries[name]
	switch {
	case !inside || !known:
		return "", entry{}, &fs.PathError{Op: op, Path: file, Err: fs.ErrNotExist}
	case e.link:
		return "", entry{}, &fs.PathError{Op: op, Path: file, Err: errors.New("a symbolic link, which is not followed in a commit")}
	}
	return name, e, nil
}

// Open opens a file.
func (t *Tree) Open(file string) (fs.File, error) {
	name, e, err := t.lookup("open", file)
	if err != nil {
		return nil, err
	}
	if e.object == "" {
		return nil, &fs.PathError{Op: "open", Path: file, Err: errors.New("is a directory")}
	}
	data, err := t.git("cat-file", "blob", e.object)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: file, Err: err}
	}
	return &opened{Reader: bytes.NewReader(data), info: info{name: path.Base(name), size: int64(len(data))}}, nil
}

// Stat describes a file or folder. The folder of the repository's own files counts as being there, as it is where a
// commit is checked out.
func (t *Tree) Stat(file string) (fs.FileInfo, error) {
	if name, _ := t.name(file); name == ".git" {
		return info{name: name, dir: true}, nil
	}
	name, e, err := t.lookup("stat", file)
	if err != nil {
		return nil, err
	}
	return info{name: path.Base(name), dir: e.object == ""}, nil
}

// ReadDir lists a folder, by name.
func (t *Tree) ReadDir(dir string) ([]fs.DirEntry, error) {
	folder, _, err := t.lookup("readdir", dir)
	if err != nil {
		return nil, err
	}
	var list []fs.DirEntry
	for name, e := range t.entries {
		if parent := strings.TrimPrefix(path.Dir(name), "."); name != "" && parent == folder && !e.link {
			list = append(list, fs.FileInfoToDirEntry(info{name: path.Base(name), dir: e.object == ""}))
		}
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}
