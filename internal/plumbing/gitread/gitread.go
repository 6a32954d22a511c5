// Package gitread reads files as they were at a commit of a Git repository, without touching its
// work tree. It calls the git command, so it also works in shallow and bare clones, and in work
// trees that share a repository.
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

	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// Tree holds the files of a commit. Its paths have the system's separators, as if the commit were
// checked out in the work tree. Tree follows symbolic links inside the commit, and submodules that
// are checked out in the work tree.
type Tree struct {
	ctx     context.Context
	dir     string // the working directory, without symbolic links
	root    string // of the repository
	commit  string
	env     []string // further variables
	entries map[string]entry
	modules map[string]*Tree // the submodules opened so far, by path
	// Older is true if OpenBase found a merge base other than the named commit.
	Older bool
}

// entry is a file, or a folder if it has no object.
type entry struct {
	object string
	link   bool
	module bool // a submodule; the object is its commit
}

// Open opens the files of a branch, tag or commit. Paths are relative to the working directory. The
// branch can be one of origin without a local branch.
func Open(ctx context.Context, ref string) (*Tree, error) {
	dir, err := workingDirectory()
	if err != nil {
		return nil, err
	}
	t, err := openIn(ctx, dir, ref)
	if errors.Is(err, errNoCommit) {
		if remote, err := openIn(ctx, dir, "refs/remotes/origin/"+ref); err == nil {
			return remote, nil
		}
	}
	return t, err
}

// OpenBase opens the files of the merge base of HEAD and a branch, tag or commit. A pull request is
// compared with its merge base.
func OpenBase(ctx context.Context, ref string) (*Tree, error) {
	t, err := Open(ctx, ref)
	if err != nil {
		return nil, err
	}
	base, err := t.git("merge-base", "HEAD", t.commit)
	switch commit := strings.TrimSpace(string(base)); {
	case err == nil && commit == t.commit:
		return t, nil
	case err == nil:
		if t, err = openIn(ctx, t.dir, commit); err == nil {
			t.Older = true
		}
		return t, err
	}
	if ended := (*exec.ExitError)(nil); !errors.As(err, &ended) || ended.ExitCode() != 1 {
		return nil, err
	}
	if shallow, _ := t.git("rev-parse", "--is-shallow-repository"); strings.TrimSpace(string(shallow)) == "true" {
		return nil, errors.New("this shallow clone lacks the commit that it shares with HEAD; fetch the history: " + t.fetch())
	}
	return nil, errors.New("it shares no commit with HEAD; use --against-exactly to compare anyway")
}

// Commit returns the commit's abbreviated hash.
func (t *Tree) Commit() string { return t.commit[:min(len(t.commit), shortHash)] }

// shortHash is the length of an abbreviated hash.
const shortHash = 12

// fetch returns the command that fetches all branches and tags of origin, with their history. A
// shallow or single-branch clone lacks them.
func (t *Tree) fetch() string {
	unshallow := ""
	if shallow, _ := t.git("rev-parse", "--is-shallow-repository"); strings.TrimSpace(string(shallow)) == "true" {
		unshallow = "--unshallow "
	}
	return "git fetch --tags " + unshallow + "origin '+refs/heads/*:refs/remotes/origin/*'"
}

// workingDirectory returns the working directory's path without symbolic links.
func workingDirectory() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

func openIn(ctx context.Context, dir, ref string) (*Tree, error) {
	t := &Tree{ctx: ctx, dir: dir, entries: map[string]entry{"": {}}, modules: map[string]*Tree{}}
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
		return nil, fmt.Errorf("%w; if it is one of origin, fetch it: %s", errNoCommit, t.fetch())
	}
	t.commit = strings.TrimSpace(string(commit))
	return t, t.list()
}

var errNoCommit = errors.New("no branch, tag or commit of this repository, and no file or folder")

func noRepository(err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("git was not found; install it, or compare with a file or folder")
	}
	if !strings.Contains(err.Error(), "not a git repository") {
		return errors.New(strings.Join(strings.Fields(err.Error()), " ")) // such as another owner
	}
	return errors.New("no file or folder, and this is no Git repository in which it could be a branch, tag or commit")
}

// list records all files of the commit, and their folders.
func (t *Tree) list() error {
	out, err := t.git("ls-tree", "-r", "-z", "--full-tree", t.commit)
	if err != nil {
		return err
	}
	for line := range bytes.SplitSeq(out, []byte{0}) {
		about, name, found := strings.Cut(string(line), "\t")
		fields := strings.Fields(about) // mode, type, object
		if !found || len(fields) != 3 {
			continue
		}
		t.entries[name] = entry{object: fields[2], link: fields[0] == "120000", module: fields[1] == "commit"}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			t.entries[dir] = entry{}
		}
	}
	return nil
}

// Containing returns the files of the commit that match a pattern such as *.yaml and contain a
// text. It does not look into submodules.
func (t *Tree) Containing(text string, patterns ...string) ([]string, error) {
	args := []string{"grep", "-l", "-z", "-I", "--full-name", "--fixed-strings", "-e", text, t.commit, "--"}
	return t.found(t.commit+":", args, patterns)
}

// Present returns the files of the work tree that match a pattern and contain a text, committed or
// not. It leaves out files that Git ignores.
func (t *Tree) Present(text string, patterns ...string) ([]string, error) {
	args := []string{"grep", "-l", "-z", "-I", "--full-name", "--untracked", "--fixed-strings", "-e", text, "--"}
	return t.found("", args, patterns)
}

// found runs git grep, and returns the paths of the files that it finds, relative to the working
// directory.
func (t *Tree) found(prefix string, args, patterns []string) ([]string, error) {
	for _, p := range patterns {
		args = append(args, ":(top)"+p) // in the whole repository
	}
	out, err := t.git(args...)
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) && ended.ExitCode() == 1 {
		return nil, nil // nothing was found
	} else if err != nil {
		return nil, err
	}
	var files []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		if name == "" {
			continue
		}
		file, err := filepath.Rel(t.dir, filepath.Join(t.root, filepath.FromSlash(strings.TrimPrefix(name, prefix))))
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// Tags returns the tags that are ancestors of the checked-out commit; none if there is no
// repository or no commit yet.
func Tags(ctx context.Context) []string {
	dir, err := workingDirectory()
	if err != nil {
		return nil
	}
	t := &Tree{ctx: ctx, dir: dir}
	out, err := t.git("tag", "--list", "--merged", "HEAD")
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}

// git runs a git command and returns its stdout. An error includes its stderr.
func (t *Tree) git(args ...string) ([]byte, error) {
	cmd := exec.CommandContext(t.ctx, "git", args...)
	cmd.Dir = t.dir
	cmd.Env = append(environment(t.dir), t.env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && stderr.Len() > 0 {
		said := strings.TrimSpace(stderr.String())
		if strings.Contains(said, "promisor") {
			said += "; this partial clone lacks the file, and Git could not fetch it; fetch all: git fetch --refetch --no-filter"
		}
		return nil, fmt.Errorf("git %s: %s: %w", args[0], said, err)
	}
	return out, err
}

// located are the variables that Git sets in hooks. They would name another top than a folder with
// .git has.
var located = []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"}

func environment(dir string) []string {
	env := os.Environ()
	if disk.Nearest(dir, ".git") != "" {
		env = withoutLocation(env)
	}
	return append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
}

func withoutLocation(env []string) []string {
	return slices.DeleteFunc(env, func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(located, name)
	})
}

// name returns the path of a file in the commit.
func (t *Tree) name(file string) (string, bool) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(t.dir, file)
	}
	name, inside := t.below(file)
	if !inside {
		name, inside = t.below(physical(file))
	}
	return name, inside
}

func (t *Tree) below(file string) (string, bool) {
	rel, err := filepath.Rel(t.root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	if rel == "." {
		return "", true
	}
	return filepath.ToSlash(rel), true
}

// physical resolves the symbolic links in the part of a path that exists.
func physical(file string) string {
	rest := ""
	for dir := file; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if dir == filepath.Dir(dir) {
			return file
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// mostLinks bounds the symbolic links on one path.
const mostLinks = 40

// resolve follows symbolic links and submodules. It returns the tree that has the file, and the
// file's name and entry in that tree.
func (t *Tree) resolve(name string) (*Tree, string, entry, error) {
	for range mostLinks {
		at, e := t.firstSpecial(name)
		switch {
		case e.link:
			target, err := t.git("cat-file", "blob", e.object)
			if err != nil {
				return nil, "", entry{}, err
			}
			next := path.Join(path.Dir(at), string(target), strings.TrimPrefix(name, at))
			if path.IsAbs(string(target)) || next == ".." || strings.HasPrefix(next, "../") {
				return nil, "", entry{}, fs.ErrNotExist
			}
			if name = next; name == "." {
				name = ""
			}
		case e.module:
			return t.inModule(at, e.object, strings.TrimPrefix(strings.TrimPrefix(name, at), "/"))
		default:
			e, known := t.entries[name]
			if !known {
				return nil, "", entry{}, fs.ErrNotExist
			}
			return t, name, e, nil
		}
	}
	return nil, "", entry{}, errors.New("too many symbolic links")
}

// firstSpecial returns the first part of a path that is a symbolic link or a submodule, and its
// entry; the zero entry if there is none.
func (t *Tree) firstSpecial(name string) (string, entry) {
	for i := 0; i <= len(name); i++ {
		if i == len(name) || name[i] == '/' {
			if e := t.entries[name[:i]]; e.link || e.module {
				return name[:i], e
			}
		}
	}
	return "", entry{}
}

// inModule looks up a file in a submodule, at the commit that this tree names.
func (t *Tree) inModule(at, commit, name string) (*Tree, string, entry, error) {
	module := t.modules[at]
	if module == nil {
		var err error
		dir := filepath.Join(t.root, filepath.FromSlash(at))
		if module, err = openIn(t.ctx, dir, commit); err != nil || module.root != dir {
			return nil, "", entry{}, fmt.Errorf("the submodule %s does not have commit %s; check it out: git submodule update --init %s", at, commit, at)
		}
		t.modules[at] = module
	}
	return module.resolve(name)
}

func (t *Tree) lookup(op, file string) (*Tree, string, entry, error) {
	name, inside := t.name(file)
	if !inside {
		return nil, "", entry{}, &fs.PathError{Op: op, Path: file, Err: fs.ErrNotExist}
	}
	owner, name, e, err := t.resolve(name)
	if err != nil {
		return nil, "", entry{}, &fs.PathError{Op: op, Path: file, Err: err}
	}
	return owner, name, e, nil
}

// Open opens a file.
func (t *Tree) Open(file string) (fs.File, error) {
	owner, name, e, err := t.lookup("open", file)
	if err != nil {
		return nil, err
	}
	if e.object == "" {
		return nil, &fs.PathError{Op: "open", Path: file, Err: errors.New("is a directory")}
	}
	data, err := owner.git("cat-file", "blob", e.object)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: file, Err: err}
	}
	return disk.NewFile(path.Base(name), data), nil
}

// Stat describes a file or folder. The folder .git exists, as in a checked-out commit.
func (t *Tree) Stat(file string) (fs.FileInfo, error) {
	if name, _ := t.name(file); name == ".git" {
		return disk.Info{Base: name, Folder: true}, nil
	}
	_, name, e, err := t.lookup("stat", file)
	if err != nil {
		return nil, err
	}
	return disk.Info{Base: path.Base(name), Folder: e.object == ""}, nil
}

// ReadDir lists a folder, sorted by name. It lists a symbolic link or a submodule as its target.
func (t *Tree) ReadDir(dir string) ([]fs.DirEntry, error) {
	owner, folder, _, err := t.lookup("readdir", dir)
	if err != nil {
		return nil, err
	}
	var list []fs.DirEntry
	for name := range owner.entries {
		if parent := strings.TrimPrefix(path.Dir(name), "."); name == "" || parent != folder {
			continue
		}
		_, _, e, err := owner.resolve(name)
		if err == nil {
			list = append(list, fs.FileInfoToDirEntry(disk.Info{Base: path.Base(name), Folder: e.object == ""}))
		}
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}
