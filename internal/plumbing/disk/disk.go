// Package disk is the only writer of files. It writes a file whole or not at all, never through a
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
	// Root is an existing folder, and Name is the file's path in it. Apply creates missing folders
	// on that path. A path that leads out of Root, by .. or by a symbolic link, is an error.
	Root, Name string
	Content    []byte
	// Remove is true to remove the file. Content is then ignored.
	Remove bool
	// New is true if the file must not exist. If it does, the error is fs.ErrExist.
	New bool
	// Old is the file's content from which Content was made. If the file has another content now,
	// Apply fails with ErrChanged. If Old is nil, Apply does not compare.
	Old []byte
}

// The errors about files that can't be written.
var (
	ErrIrregular = errors.New("not a regular file; event-gen does not write to symbolic links, devices or folders")
	ErrChanged   = errors.New("the file was changed in the meantime; run event-gen again")
)

// writing is held while files change. Hold takes it and never releases it.
var writing sync.Mutex

// Hold waits until no file is being changed, prevents all further changes, and removes all
// overlays. A process calls it before it ends.
func Hold() {
	writing.Lock()
	for dir := range overlays {
		removeOverlay(dir)
	}
}

// Apply makes all changes, removals last. It first checks all targets. If one can't be changed, or
// if ctx is done, it changes none. Then it replaces the files one at a time: it writes a temporary
// file beside each target and renames it. If one change fails, the ones before it stay, and each
// file has either its old or its new content. The error is a *fs.PathError with the Path of a
// change, or ctx's error. An existing file keeps its mode. A file whose mode lets nobody write it
// is an error.
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

// step is a change with its opened root, and the mode that the file will have.
type step struct {
	Change
	root *os.Root
	mode fs.FileMode
}

// look opens the root. It returns the reason why the target can't be changed, if there is one.
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
		err = s.root.Chmod(temporary, s.mode) // regardless of the umask
	}
	if err == nil {
		err = s.root.Rename(temporary, s.Name)
	}
	if err != nil {
		s.root.Remove(temporary)
	}
	return err
}

// named returns an error with the caller's path of the file.
func named(c Change, err error) error {
	return &fs.PathError{Op: "write", Path: c.Path, Err: cause(err)}
}

// cause returns an error without the paths around it.
func cause(err error) error {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		err = pathError.Err
	}
	if linkError := (*os.LinkError)(nil); errors.As(err, &linkError) {
		err = linkError.Err
	}
	return err
}

// Read returns a file's current content; exists is false if there is no file. It reads through
// symbolic links, to compare, although Apply writes through none.
func Read(path string) (content []byte, exists bool, err error) {
	if IsGone(path) {
		return nil, false, nil
	}
	info, err := Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: path, Err: ErrIrregular}
	}
	if err != nil {
		return nil, true, err
	}
	content, err = ReadFile(path, MaxText)
	return content, true, err
}
