package gitread

import (
	"bytes"
	"io/fs"
	"time"
)

// opened is the text of a file at a commit.
type opened struct {
	*bytes.Reader
	info info
}

func (f *opened) Stat() (fs.FileInfo, error) { return f.info, nil }
func (*opened) Close() error                 { return nil }

// info describes a file or folder of a commit.
type info struct {
	name string
	size int64
	dir  bool
}

func (i info) Name() string     { return i.name }
func (i info) Size() int64      { return i.size }
func (info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool      { return i.dir }
func (info) Sys() any           { return nil }

func (i info) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}
