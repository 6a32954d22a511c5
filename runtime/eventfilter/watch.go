package eventfilter

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

// watchInterval is the time between two looks at a file. The kubelet takes up to a minute to update
// a mounted ConfigMap.
const watchInterval = 5 * time.Second

// whatToDo says how to write a filter.
const whatToDo = "https://github.com/event-gen/event-gen/blob/main/docs/operating.md#a-filter"

// maxBytes bounds a file; a ConfigMap holds no more.
const maxBytes = 1 << 20

// Watch sets the rules that a file holds, and follows the file until ctx ends: every 5 seconds it
// reads the file anew, because a mounted ConfigMap changes by a symbolic link. It returns the error
// of the first reading, after which it follows the file all the same. A mistake (FILE:LINE:COLUMN)
// or a file that can't be read leaves the old rules in force, is logged once, and shows in Err
// until it is mended. The zero Logger means klog.
func (f *Filter) Watch(ctx context.Context, path string, logger logr.Logger) error {
	if logger.IsZero() {
		logger = klog.Background().WithName("event-gen")
	}
	w := file{filter: f, path: path, logger: logger}
	err := w.look()
	go w.follow(ctx)
	return err
}

// file is a file with rules.
type file struct {
	filter *Filter
	path   string
	logger logr.Logger
	last   []byte // the content of the last reading
	err    error  // of the last reading
}

// follow reads the file from time to time.
func (w *file) follow(ctx context.Context) {
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		before := w.err
		if err := w.look(); err != nil && (before == nil || before.Error() != err.Error()) {
			guarded(func() {
				w.logger.Error(err, "The filter's file can't be used; the filter before stays in force", "see", whatToDo)
			})
		}
	}
}

// look takes up the rules, if the file has changed.
func (w *file) look() error {
	content, err := read(w.path)
	if err == nil && w.last != nil && bytes.Equal(content, w.last) {
		return w.err
	}
	if w.last = content; err == nil {
		err = w.filter.set(w.path, string(content))
	}
	if w.err = err; err != nil {
		w.filter.err.Store(&err)
		return err
	}
	w.filter.err.Store(nil)
	guarded(func() { w.logger.Info("The filter of events was read", "file", w.path, "filter", w.filter.String()) })
	return nil
}

// guarded logs a line. A logger that panics loses the line.
func guarded(line func()) {
	defer func() { _ = recover() }()
	line()
}

// read reads a file that may hold rules.
func read(path string) ([]byte, error) {
	// a named pipe would hold up its reader
	if about, err := os.Stat(path); err == nil && !about.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: expected a regular file, found %v", path, about.Mode())
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(content) > maxBytes {
		return nil, fmt.Errorf("%s: expected a filter of at most %d bytes, found more", path, maxBytes)
	}
	return content, nil
}
