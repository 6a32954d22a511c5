// Package disk is the one writer of files. It writes a file whole or not at all, never through a
// symbolic link, and never outside of a given folder.
package disk

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Change is a file to write or to remove.
type Change struct {
	// Path is the file's name in errors.
	Path string
	// Root is an existing folder, and Name the file's path in it. Apply makes the folders between
	// the two. A path that leads out of Root, by .. or by a symbolic link, is an error.
	Root, Name string
	Content    []byte
	// Remove: the file goes away, and Content means nothing.
	Remove bool
	// New: an existing file of that name is an error, fs.ErrExist.
	New bool
	// Old is the file's content from which Content was made. Another content now is an error; nil
	// is not compared.
	Old []byte
}

// The errors of files that are not written.
var (
	ErrIrregular = errors.New("no regular file; event-gen writes no symbolic links, devices or folders")
	ErrChanged   = errors.New("somebody changed the file meanwhile; run event-gen again")
)

// writing is held while files change. Once a process holds it to end, no file changes any more; see
// Hold.
var writing sync.Mutex

// Hold waits until no file is being changed, and prevents all further changes. It is for a process
// that ends.
func Hold() { writing.Lock() }

// Apply makes all changes, removals last. It first looks at all targets: if one can't be changed,
// or if ctx is done, it changes none. Then it replaces them one at a time, each by a temporary file
// beside it that is renamed; if one fails, those before it are done and each file is as it was or
// as it is to be. The error is a *fs.PathError with the Path of a change, or ctx's error. An
// existing file keeps its mode, and is left alone if nobody may write it.
func Apply(ctx context.Context, changes []Change) error {
	writing.Lock()
	defer writing.Unlock()
	steps := make([]step, 0, len(changes))
	for _, c := range changes {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := step{Change: c, mode: 0o644}
		if err := s.look(); err != nil {
			return named(c, err)
		}
		defer s.root.Close()
		steps = append(steps, s)
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(count(a.Remove), count(b.Remove)) })
	for _, s := range steps {
		if err := s.make(); err != nil {
			return named(s.Change, err)
		}
	}
	return nil
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// step is a change with its opened root, and the mode that the file is to have.
type step struct {
	Change
	root *os.Root
	mode fs.FileMode
}

// look opens the root. It returns why the target can't be changed.
func (s *step) look() (err error) {
	if s.root, err = os.OpenRoot(s.Root); err != nil {
		return err
	}
	if err = s.judge(); err != nil {
		s.root.Close()
	}
	return err
}

func (s *step) judge() error {
	info, err := s.root.Lstat(s.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.Old == nil && !s.Remove:
		return nil
	case err != nil:
		return err
	case s.New:
		return fs.ErrExist
	case !info.Mode().IsRegular():
		return ErrIrregular
	case info.Mode().Perm()&0o222 == 0:
		return fs.ErrPermission
	}
	s.mode = info.Mode().Perm()
	if now, err := s.root.ReadFile(s.Name); err != nil || s.Old == nil || bytes.Equal(now, s.Old) {
		return err
	}
	return ErrChanged
}

// make makes the change.
func (s *step) make() error {
	if s.Remove {
		return s.root.Remove(s.Name)
	}
	folder := filepath.Dir(s.Name)
	if err := s.root.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	temporary := filepath.Join(folder, ".event-gen-"+rand.Text()+".tmp")
	err := s.root.WriteFile(temporary, s.Content, s.mode)
	if err == nil && s.mode != 0o644 {
		err = s.root.Chmod(temporary, s.mode) // whatever the umask
	}
	if err == nil {
		err = s.root.Rename(temporary, s.Name)
	}
	if err != nil {
		s.root.Remove(temporary)
	}
	return err
}

// named gives an error the caller's path of the file.
func named(c Change, err error) error {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		err = pathError.Err
	}
	if linkError := (*os.LinkError)(nil); errors.As(err, &linkError) {
		err = linkError.Err
	}
	return &fs.PathError{Op: "write", Path: c.Path, Err: err}
}

// Read returns a file's current content; exists is false if there is no file. A file that Apply
// would not replace is an error.
func Read(path string) (content []byte, exists bool, err error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	case !info.Mode().IsRegular():
		return nil, true, &fs.PathError{Op: "read", Path: path, Err: ErrIrregular}
	}
	content, err = os.ReadFile(path)
	return content, true, err
}
