// Package disk is the one writer of files. It writes a set of changes together: all or none, never half of
// a file, never through a symbolic link, and never outside of a given folder.
package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
)

// Change is a file to write or to remove.
type Change struct {
	// Path is the file's name in errors.
	Path string
	// Root is an existing folder, and Name the file's path in it. Apply makes the folders between the two. A path that leads
	// out of Root, by .. or by a symbolic link, is an error.
	Root, Name string
	Content    []byte
	// Remove: the file goes away, and Content means nothing.
	Remove bool
	// New: an existing file of that name is an error, fs.ErrExist.
	New bool
	// Old is the file's content from which Content was made. Another content now is an error; nil is not compared.
	Old []byte
}

// The errors of files that are not written.
var (
	ErrIrregular = errors.New("no regular file; event-gen writes no symbolic links, devices or folders")
	ErrChanged   = errors.New("somebody changed the file meanwhile; run event-gen again")
)

// writing is held while files change. Once a process holds it to end, no file changes any more; see Hold.
var writing sync.Mutex

// Hold waits until no file is being changed, and prevents all further changes. It is for a process that ends.
func Hold() { writing.Lock() }

// Apply makes all changes, or none. Every new content is first written to a temporary file in the folder of its target; only
// when all of them are there, they replace their targets. After an error, or if ctx is done before the first is replaced,
// Apply undoes its changes as far as possible. The error is a *fs.PathError with the Path of a change, or ctx's
// error. An existing file keeps its mode, and is left alone if nobody may write it.
func Apply(ctx context.Context, changes []Change) error {
	writing.Lock()
	defer writing.Unlock()
	t := transaction{roots: map[string]*os.Root{}}
	defer t.close()
	if err := t.run(ctx, changes); err != nil {
		t.undo()
		return err
	}
	return nil
}

// Read returns a file's current content; exists is false if there is no file. A file that Apply would not replace is an error.
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

// MakeFolder makes a folder and those above it.
func MakeFolder(path string) error { return os.MkdirAll(path, 0o755) }
