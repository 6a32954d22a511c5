package disk

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// transaction is changes on their way.
type transaction struct {
	roots map[string]*os.Root
	back  []func() // how to take back each step
	swept map[string]bool
}

// step is a change with everything that is known of its target.
type step struct {
	Change
	root      *os.Root
	temporary string
	exists    bool
	mode      fs.FileMode
	before    []byte
}

func (t *transaction) undo() {
	for i := len(t.back) - 1; i >= 0; i-- {
		t.back[i]()
	}
}

func (t *transaction) close() {
	for _, root := range t.roots {
		root.Close()
	}
}

func (t *transaction) run(ctx context.Context, changes []Change) error {
	steps := make([]*step, len(changes))
	for i, c := range changes {
		if err := ctx.Err(); err != nil {
			return err
		}
		steps[i] = &step{Change: c}
		if err := t.stage(steps[i]); err != nil {
			return named(c, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, s := range steps {
		if err := t.commit(s); err != nil {
			return named(s.Change, err)
		}
	}
	return nil
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

// stage looks at the target, and writes a change to a temporary file.
func (t *transaction) stage(s *step) (err error) {
	if s.root, err = t.open(s.Root); err != nil {
		return err
	}
	if err := s.look(); err != nil || s.Remove {
		return err
	}
	folder := filepath.Dir(s.Name)
	if err := t.makeFolder(s.root, folder); err != nil {
		return err
	}
	t.sweep(s.Root, s.root, folder)
	s.temporary, err = t.writeTemporary(s, s.Content)
	return err
}

func (t *transaction) open(folder string) (*os.Root, error) {
	if root, opened := t.roots[folder]; opened {
		return root, nil
	}
	root, err := os.OpenRoot(folder)
	if err == nil {
		t.roots[folder] = root
	}
	return root, err
}

// look notes the state of the target before the change, or why it can't be changed.
func (s *step) look() error {
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
	s.exists, s.mode = true, info.Mode().Perm()
	if s.before, err = s.root.ReadFile(s.Name); err == nil && s.Old != nil && !bytes.Equal(s.before, s.Old) {
		err = ErrChanged
	}
	return err
}

// makeFolder makes a folder and those above it.
func (t *transaction) makeFolder(root *os.Root, folder string) error {
	if _, err := root.Stat(folder); err == nil || folder == "." {
		return nil
	}
	if err := t.makeFolder(root, filepath.Dir(folder)); err != nil {
		return err
	}
	if err := root.Mkdir(folder, 0o755); err != nil {
		return err
	}
	t.back = append(t.back, func() { root.Remove(folder) })
	return nil
}

// The names of temporary files.
const (
	temporaryPrefix = ".event-gen-"
	temporarySuffix = ".tmp"
)

// writeTemporary writes a file beside the target, with the target's mode, and gives its name.
func (t *transaction) writeTemporary(s *step, content []byte) (string, error) {
	name := filepath.Join(filepath.Dir(s.Name), temporaryPrefix+rand.Text()+temporarySuffix)
	f, err := s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", err
	}
	t.back = append(t.back, func() { s.root.Remove(name) })
	_, err = f.Write(content)
	if s.exists && err == nil {
		err = f.Chmod(s.mode)
	}
	return name, errors.Join(err, f.Close())
}

// commit replaces or removes a target, unless somebody else has changed it since.
func (t *transaction) commit(s *step) error {
	now := &step{Change: s.Change, root: s.root}
	if s.exists {
		now.Old = s.before
	}
	if err := now.look(); err != nil {
		return err
	}
	var err error
	if s.Remove {
		err = s.root.Remove(s.Name)
	} else {
		err = s.root.Rename(s.temporary, s.Name)
	}
	if err == nil {
		t.back = append(t.back, func() { restore(s) })
	}
	return err
}

// restore brings back the state before the change, as far as possible.
func restore(s *step) {
	if !s.exists {
		s.root.Remove(s.Name)
		return
	}
	var t transaction
	if name, err := t.writeTemporary(s, s.before); err != nil || s.root.Rename(name, s.Name) != nil {
		t.undo()
	}
}

// leftAfter is when a temporary file has outlived its process.
const leftAfter = time.Hour

// sweep removes the temporary files that a killed process has left in a folder. It looks at each folder once.
func (t *transaction) sweep(rootName string, root *os.Root, folder string) {
	key := filepath.Join(rootName, folder)
	if t.swept[key] {
		return
	}
	if t.swept == nil {
		t.swept = map[string]bool{}
	}
	t.swept[key] = true
	entries, err := fs.ReadDir(root.FS(), filepath.ToSlash(folder))
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.HasPrefix(e.Name(), temporaryPrefix) || path.Ext(e.Name()) != temporarySuffix {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > leftAfter {
			root.Remove(filepath.Join(folder, e.Name()))
		}
	}
}
