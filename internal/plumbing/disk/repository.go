package disk

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Repository bounds the files that a file of a repository can name. Its files may come from a
// stranger's pull request, so neither .. nor a symbolic link may lead out of it.
type Repository struct {
	// Top is the absolute path of the nearest folder with .git; without one, of go.work or go.mod;
	// else the folder itself.
	Top string
}

// RepositoryOf returns the repository of a folder.
func RepositoryOf(dir string) Repository {
	dir = absolute(dir)
	return Repository{cmp.Or(Nearest(dir, ".git"), Nearest(dir, "go.work"), Nearest(dir, "go.mod"), dir)}
}

// Named returns the absolute path that a file in the folder dir means by name, which has slashes.
// The path is below Top, and outside of .git. Symbolic links on it are judged by Open, Stat and
// Apply.
func (r Repository) Named(dir, name string) (string, error) {
	path := filepath.Join(absolute(dir), filepath.FromSlash(name))
	if !IsWithin(r.Top, path) {
		return "", fmt.Errorf("leads out of the repository, whose top is %s", r.Top)
	}
	return path, inGit(r.Top, path)
}

// Target is Named for a file to write. The name must be one that all systems allow. Folders that do
// not belong to the module around them, such as vendor, testdata and another module, are allowed
// if they hold one of the given folders.
func (r Repository) Target(dir, name string, holds ...string) (string, error) {
	path, err := r.Named(dir, name)
	if err != nil {
		return "", err
	}
	for part := range strings.SplitSeq(rel(r.Top, path), string(filepath.Separator)) {
		if refused.MatchString(part) || strings.ContainsFunc(part, func(c rune) bool { return !unicode.IsPrint(c) }) {
			return "", fmt.Errorf("has the part %q, a name that not every system allows", part)
		}
	}
	for folder := filepath.Dir(path); folder != r.Top; folder = filepath.Dir(folder) {
		_, err := os.Lstat(filepath.Join(folder, "go.mod"))
		foreign := err == nil || slices.Contains([]string{"vendor", "testdata"}, filepath.Base(folder))
		if foreign && !slices.ContainsFunc(holds, func(h string) bool { return IsWithin(folder, absolute(h)) }) {
			return "", fmt.Errorf("leads into %s, which is no part of the module of the file that names it", Show(folder))
		}
	}
	return path, nil
}

// refused matches names that Windows does not allow.
var refused = regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\..*)?$|[<>:"|?*\\]|[. ]$`)

// inGit returns an error if a path leads into a repository's own files, in a spelling that some
// file system takes for .git.
func inGit(top, path string) error {
	for part := range strings.SplitSeq(rel(top, path), string(filepath.Separator)) {
		seen := strings.Map(func(c rune) rune {
			if unicode.Is(unicode.Cf, c) {
				return -1
			}
			return c
		}, strings.TrimRight(part, ". "))
		if strings.EqualFold(seen, ".git") || strings.EqualFold(seen, "git~1") {
			return fmt.Errorf("leads into %s, where Git keeps its own files", part)
		}
	}
	return nil
}

// inside returns an error if symbolic links lead from a path below Top out of the repository. They
// may lead to the module of a go.mod that is itself a link, as Bazel and Nix make them.
func (r Repository) inside(path string) error {
	real, err := existing(path)
	if err != nil {
		return err
	}
	roots := []string{r.Top}
	if dir := Nearest(filepath.Dir(path), "go.mod"); IsWithin(r.Top, dir) {
		if target, err := filepath.EvalSymlinks(filepath.Join(dir, "go.mod")); err == nil && filepath.Base(target) == "go.mod" {
			roots = append(roots, filepath.Dir(target))
		}
	}
	for _, root := range roots {
		if root, err = filepath.EvalSymlinks(root); err == nil && IsWithin(root, real) {
			return inGit(root, real)
		}
	}
	return fmt.Errorf("leads through a symbolic link out of the repository, to %s", real)
}

// existing resolves the symbolic links in the part of a path that exists.
func existing(path string) (string, error) {
	for dir, rest := path, ""; ; dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest) {
		real, err := filepath.EvalSymlinks(dir)
		switch {
		case err == nil:
			return filepath.Join(real, rest), nil
		case !IsGone(dir) || dir == filepath.Dir(dir):
			_, stat := os.Stat(dir) // in the system's words
			return "", cmp.Or(stat, err)
		}
	}
}

// judged returns an error if a path below the top of the working directory's repository leads out
// of it. A user may name any path elsewhere.
func judged(path string) error {
	path = absolute(path)
	if r := RepositoryOf("."); IsWithin(r.Top, path) {
		if err := r.inside(path); err != nil {
			return &fs.PathError{Op: "open", Path: path, Err: cause(err)}
		}
	}
	return nil
}

// Open opens a file to read. Below the top of the working directory's repository, it must be a
// regular file there; elsewhere it may also be a pipe.
func Open(path string) (*os.File, error) {
	info, err := Stat(path)
	if err != nil {
		return nil, err
	}
	if pipe := info.Mode()&fs.ModeNamedPipe != 0 && !IsWithin(RepositoryOf(".").Top, absolute(path)); !info.Mode().IsRegular() && !info.IsDir() && !pipe {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errIrregularInput}
	}
	return os.Open(path)
}

var errIrregularInput = fmt.Errorf("not a regular file")

// Stat describes a file or folder, with the conditions of Open on links.
func Stat(path string) (fs.FileInfo, error) {
	if err := judged(path); err != nil {
		return nil, err
	}
	return os.Stat(path)
}

// ReadFile reads a file that Open opens, of at most limit bytes.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("expected at most %d KiB", limit>>10)}
	}
	return data, err
}

// MaxText bounds a source or module file that is read whole.
const MaxText = 16 << 20

// IsWithin reports whether an absolute path is a folder or lies below it.
func IsWithin(folder, path string) bool {
	name, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(name)
}

func rel(folder, path string) string {
	if name, err := filepath.Rel(folder, path); err == nil {
		return name
	}
	return path
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
