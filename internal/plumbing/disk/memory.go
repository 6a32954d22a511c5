package disk

import (
	"bytes"
	"io/fs"
	"time"
)

// NewFile returns a file that is not on disk.
func NewFile(base string, content []byte) fs.File {
	return &memory{Reader: bytes.NewReader(content), info: Info{Base: base, Bytes: int64(len(content))}}
}

type memory struct {
	*bytes.Reader
	info Info
}

func (f *memory) Stat() (fs.FileInfo, error) { return f.info, nil }
func (*memory) Close() error                 { return nil }

// Info describes a file or folder that is not on disk.
type Info struct {
	Base   string
	Bytes  int64
	Folder bool
}

func (i Info) Name() string     { return i.Base }
func (i Info) Size() int64      { return i.Bytes }
func (Info) ModTime() time.Time { return time.Time{} }
func (i Info) IsDir() bool      { return i.Folder }
func (Info) Sys() any           { return nil }

// Mode returns the usual mode of files and folders.
func (i Info) Mode() fs.FileMode {
	if i.Folder {
		return fs.ModeDir | 0o755
	}
	return 0o644
}
