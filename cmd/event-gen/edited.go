package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/event-gen/event-gen/internal/catalog/discovery"
)

// edited is the disk with some files replaced by other texts.
type edited map[string]edit

// edit is a file's text before and now.
type edit struct{ before, now []byte }

// text returns the current text of a file.
func (e edited) text(file string) []byte {
	if text, ok := e[file]; ok {
		return text.now
	}
	text, _ := os.ReadFile(file)
	return text
}

// Open opens a file as it is now.
func (e edited) Open(path string) (fs.File, error) {
	text, ok := e[path]
	if !ok {
		return discovery.Disk{}.Open(path)
	}
	return &memoryFile{Reader: bytes.NewReader(text.now), info: newFile{path, int64(len(text.now))}}, nil
}

// Stat describes a file.
func (e edited) Stat(path string) (fs.FileInfo, error) {
	if text, ok := e[path]; ok {
		return newFile{path, int64(len(text.now))}, nil
	}
	return discovery.Disk{}.Stat(path)
}

// ReadDir lists a folder.
func (edited) ReadDir(path string) ([]fs.DirEntry, error) { return discovery.Disk{}.ReadDir(path) }

// memoryFile is a file that is not written yet.
type memoryFile struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (*memoryFile) Close() error                 { return nil }

// newFile describes a file that is not saved yet.
type newFile struct {
	name string
	size int64
}

func (f newFile) Name() string     { return filepath.Base(f.name) }
func (f newFile) Size() int64      { return f.size }
func (newFile) Mode() fs.FileMode  { return 0o644 }
func (newFile) ModTime() time.Time { return time.Time{} }
func (newFile) IsDir() bool        { return false }
func (newFile) Sys() any           { return nil }
