package eventlog

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/go-logr/logr"
)

// The defaults of FileOptions.
const (
	defaultMaxBytes = 100 << 20
	defaultKeep     = 5
)

// FileOptions are options of OpenJSON. The zero value works.
type FileOptions struct {
	// MaxBytes is the size at which a file is put aside and a new file begins. No line is split,
	// and only a line that is longer than MaxBytes makes a file exceed it. 0: 100 MiB.
	MaxBytes int64
	// Keep is the number of full files that are kept beside the current file: path.1, the latest,
	// to path.<Keep>. 0: 5; less: none.
	Keep int
	// Logger takes the first error. The zero Logger: klog.
	Logger logr.Logger
}

// OpenJSON returns a JSON that appends to a file, and puts the file aside when it is full. No other
// process may use the file. OpenJSON makes a missing file with mode 0600; its folder must exist.
// All files together always hold at most MaxBytes × (Keep + 1): while a full file can't be put
// aside, lines are lost and counted.
func OpenJSON(path string, opts FileOptions) (*JSON, error) {
	if opts.MaxBytes < 0 {
		return nil, fmt.Errorf("eventlog: option MaxBytes: expected more than 0, or 0 for the default, found %d", opts.MaxBytes)
	}
	f := &rotating{path: path, most: cmp.Or(opts.MaxBytes, defaultMaxBytes), keep: max(cmp.Or(opts.Keep, defaultKeep), 0)}
	if err := f.open(); err != nil {
		return nil, fmt.Errorf("eventlog: %w", err)
	}
	j := NewJSON(f, opts.Logger)
	j.close = f
	return j, nil
}

// rotating is a file that is put aside when it is full.
type rotating struct {
	path string
	most int64
	keep int
	file *os.File // nil: the last attempt to open one failed
	size int64
}

func (f *rotating) open() error {
	file, err := os.OpenFile(f.path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	f.file, f.size = file, info.Size()
	if f.endsTorn() {
		_, err = f.append([]byte{'\n'})
	}
	return err
}

// endsTorn reports whether the file ends within a line, as one does whose process was killed.
func (f *rotating) endsTorn() bool {
	var last [1]byte
	_, err := f.file.ReadAt(last[:], f.size-1)
	return f.size > 0 && err == nil && last[0] != '\n'
}

// Write writes whole lines, as many to a file as it has room for.
func (f *rotating) Write(lines []byte) (n int, err error) {
	for n < len(lines) {
		fit, err := f.makeRoom(lines[n:])
		if err != nil {
			return n, err
		}
		m, err := f.append(lines[n : n+fit])
		n += m
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// makeRoom says how many bytes go into the current file: at least one line.
func (f *rotating) makeRoom(lines []byte) (fit int, err error) {
	if f.file == nil {
		if err := f.open(); err != nil {
			return 0, err
		}
	}
	if fit = f.fitting(lines); fit > 0 {
		return fit, nil
	}
	if f.size > 0 {
		if err := f.rotate(); err != nil {
			return 0, err
		}
		if fit = f.fitting(lines); fit > 0 {
			return fit, nil
		}
	}
	return bytes.IndexByte(lines, '\n') + 1, nil // longer than a file may be
}

// fitting is the size of the lines that the current file has room for.
func (f *rotating) fitting(lines []byte) int {
	room := max(f.most-f.size, 0)
	if int64(len(lines)) <= room {
		return len(lines)
	}
	return bytes.LastIndexByte(lines[:room], '\n') + 1
}

// append writes to the current file. Of a write that failed, whole lines stay.
func (f *rotating) append(lines []byte) (int, error) {
	n, err := f.file.Write(lines)
	if err != nil {
		whole := bytes.LastIndexByte(lines[:n], '\n') + 1
		if f.file.Truncate(f.size+int64(whole)) == nil {
			n = whole
		}
	}
	f.size += int64(n)
	return n, err
}

// rotate puts the current file aside and begins another.
func (f *rotating) rotate() error {
	file := f.file
	f.file = nil
	if err := file.Close(); err != nil {
		return err
	}
	if err := f.shift(); err != nil {
		return err
	}
	return f.open()
}

// shift renames each file to the next number; the one beyond the last is overwritten.
func (f *rotating) shift() error {
	if f.keep == 0 {
		return os.Remove(f.path)
	}
	for n := f.keep - 1; n >= 0; n-- {
		err := os.Rename(f.numbered(n), f.numbered(n+1))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (f *rotating) numbered(n int) string {
	if n == 0 {
		return f.path
	}
	return f.path + "." + strconv.Itoa(n)
}

// Close closes the current file.
func (f *rotating) Close() error {
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	return err
}
