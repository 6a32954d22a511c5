package discovery

import (
	"io/fs"
	"os"
)

// Files is where catalogs are looked for: the file system, or a tree of a version control. Paths are the system's, relative
// to the working directory or absolute.
type Files interface {
	Open(path string) (fs.File, error)
	Stat(path string) (fs.FileInfo, error)
	ReadDir(path string) ([]fs.DirEntry, error)
}

// Disk is the file system.
type Disk struct{}

// Open opens a file.
func (Disk) Open(path string) (fs.File, error) { return os.Open(path) }

// Stat describes a file or folder.
func (Disk) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// ReadDir lists a folder, by name.
func (Disk) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }
