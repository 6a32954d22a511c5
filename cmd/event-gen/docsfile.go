package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// docsFile is a file that documentation is written into.
type docsFile struct {
	path    string
	exists  bool
	mode    fs.FileMode
	content []byte
}

// readDocs reads a file, which need not exist.
func readDocs(path string) (*docsFile, error) {
	f := &docsFile{path: path, mode: 0o644}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("no regular file; event-gen writes no symbolic links, devices or folders")
	}
	f.exists, f.mode = true, info.Mode().Perm()
	f.content, err = os.ReadFile(path)
	return f, err
}

// replace gives the file its new content at once: who reads it finds the old or the new.
func (f *docsFile) replace(content []byte) error {
	name := filepath.Join(filepath.Dir(f.path), fmt.Sprintf(".event-gen.%s", rand.Text()))
	if err := writeNew(name, content, f); err != nil {
		os.Remove(name)
		return err
	}
	if err := os.Rename(name, f.path); err != nil {
		os.Remove(name)
		return err
	}
	return nil
}

func writeNew(name string, content []byte, like *docsFile) error {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = out.Write(content)
	if like.exists && err == nil {
		err = out.Chmod(like.mode)
	}
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	return err
}
