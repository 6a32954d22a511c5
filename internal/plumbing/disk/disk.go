// Package disk is the only writer of files. It writes a file whole or not at all, never through a
// symbolic link, and never outside of a given folder.
package disk

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
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

// Apply makes all changes, removals last. It first checks all targets, and writes the new contents
// to temporary files beside them, to the disk itself. If that fails, as on a full disk, or if ctx
// is done, it changes nothing. Then it renames the temporary files, one at a time. If a rename
// fails, or the process ends between two, the ones before it stay, and each file has either its old
// or its new content; the same command again makes the rest, and removes temporary files that are
// left. The error is a *fs.PathError with the Path of a change, or ctx's error. An existing file
// keeps its mode. A file whose mode lets nobody write it is an error.
func Apply(ctx context.Context, changes []Change) error {
	writing.Lock()
	defer writing.Unlock()
	steps := make([]*step, 0, len(changes))
	defer func() {
		for _, s := range slices.Backward(steps) {
			s.clean()
		}
	}()
	for _, c := range changes {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := &step{Change: c, mode: 0o644}
		if err := s.look(); err != nil {
			return named(c, err)
		}
		steps = append(steps, s)
	}
	for _, s := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.prepare(); err != nil {
			return named(s.Change, err)
		}
	}
	slices.SortStableFunc(steps, func(a, b *step) int { return cmp.Compare(count(a.Remove), count(b.Remove)) })
	for i, s := range steps {
		if err := s.make(); err != nil {
			if i > 0 {
				err = fmt.Errorf("%w; %d of %d files have changed already; run the same command again", cause(err), i, len(steps))
			}
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
	// temporary is the file with the new content until it is renamed, and folders are the folders
	// that were made for it, the outermost first.
	temporary string
	folders   []string
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

// prepare writes the new content to a temporary file.
func (s *step) prepare() error {
	if s.Remove {
		return nil
	}
	folder := filepath.Dir(s.Name)
	for dir := folder; dir != "."; dir = filepath.Dir(dir) {
		if _, err := s.root.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
			s.folders = append(s.folders, dir)
		}
	}
	slices.Reverse(s.folders)
	if err := s.root.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	s.sweep(folder)
	s.temporary = filepath.Join(folder, fmt.Sprintf("%s%d-%s.tmp", temporaryPrefix, os.Getpid(), rand.Text()))
	f, err := s.root.OpenFile(s.temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, s.mode)
	if err != nil {
		return err
	}
	_, err = f.Write(s.Content)
	if err == nil && s.mode != 0o644 {
		err = f.Chmod(s.mode) // regardless of the umask
	}
	return cmp.Or(err, f.Sync(), f.Close())
}

// make makes the change.
func (s *step) make() error {
	if s.Remove {
		return s.root.Remove(s.Name)
	}
	if err := s.root.Rename(s.temporary, s.Name); err != nil {
		return err
	}
	s.temporary, s.folders = "", nil
	return nil
}

// clean removes what was prepared and not used.
func (s *step) clean() {
	if s.temporary != "" {
		_ = s.root.Remove(s.temporary)
	}
	for _, dir := range slices.Backward(s.folders) {
		_ = s.root.Remove(dir) // fails for a folder that is in use
	}
	s.root.Close()
}

const temporaryPrefix = ".event-gen-"

// sweep removes temporary files that a killed process has left in a folder.
func (s *step) sweep(folder string) {
	dir, err := s.root.Open(folder)
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		var pid int
		if _, err := fmt.Sscanf(name, temporaryPrefix+"%d-", &pid); err == nil && strings.HasSuffix(name, ".tmp") && !runs(pid) {
			_ = s.root.Remove(filepath.Join(folder, name))
		}
	}
}

// runs reports whether a process runs, or may run.
func runs(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && (runtime.GOOS == "windows" || !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone))
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
