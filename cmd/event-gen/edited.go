package main

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
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
	return disk.NewFile(filepath.Base(path), text.now), nil
}

// Stat describes a file.
func (e edited) Stat(path string) (fs.FileInfo, error) {
	if text, ok := e[path]; ok {
		return disk.NewFile(filepath.Base(path), text.now).Stat()
	}
	return discovery.Disk{}.Stat(path)
}

// ReadDir lists a folder.
func (edited) ReadDir(path string) ([]fs.DirEntry, error) { return discovery.Disk{}.ReadDir(path) }
