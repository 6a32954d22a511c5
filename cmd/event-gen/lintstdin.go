package main

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
)

// files is where the catalogs of lint are, and which ones: on disk, or in stdin under a name.
func (o *lintOptions) files(cmd *cobra.Command, args []string) (discovery.Files, []string, error) {
	if o.stdin == "" {
		return discovery.Disk{}, args, nil
	}
	if len(args) > 0 {
		return nil, nil, errors.New("--stdin-filename names the one file that is judged; leave the others out")
	}
	text, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), catalog.MaxBytes+1))
	return edited{o.stdin: edit{now: text}}, []string{o.stdin}, err
}

// unsaved are the texts that findings quote instead of those on disk.
func unsaved(files discovery.Files) textOf {
	texts := textOf{}
	if e, ok := files.(edited); ok {
		for name, edit := range e {
			texts[name] = edit.now
		}
	}
	return texts
}

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
