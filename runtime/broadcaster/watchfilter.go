package broadcaster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// filterInterval is the time between two looks at a filter's file. The kubelet takes up to a minute
// to update a mounted ConfigMap.
const filterInterval = 5 * time.Second

// maxFilterBytes bounds a filter's file; a ConfigMap holds no more.
const maxFilterBytes = 1 << 20

// WatchFilter sets the filter that a file holds (SetFilter), and follows the file until ctx ends or
// Shutdown: every 5 seconds, by the broadcaster's clock, it reads the file anew, because a mounted
// ConfigMap changes by a symbolic link. It returns the error of the first reading, after which it
// follows the file all the same. A mistake (FILE:LINE:COLUMN) or a file that can't be read leaves
// the old filter in force, is logged once, and shows in Snapshot until it is mended.
func (b *Broadcaster) WatchFilter(ctx context.Context, path string) error {
	w := filterFile{b: b, path: path}
	err := w.look()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return errors.New("the filter's file is not followed: the broadcaster has ended")
	}
	b.goroutines.Go(func() { w.follow(ctx) })
	return err
}

// filterFile is a file with a filter.
type filterFile struct {
	b    *Broadcaster
	path string
	last []byte // the content of the last reading
	err  error  // of the last reading
}

// follow reads the file from time to time.
func (w *filterFile) follow(ctx context.Context) {
	timer := w.b.clock.NewTimer(filterInterval)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.b.ctx.Done():
			return
		case <-timer.C():
		}
		before := w.err
		if err := w.look(); err != nil && (before == nil || before.Error() != err.Error()) {
			w.b.log.error(err, "The filter's file can't be used; the filter before stays in force")
		}
		timer.Reset(filterInterval)
	}
}

// look takes up the filter, if the file has changed.
func (w *filterFile) look() error {
	content, err := readFilter(w.path)
	if err == nil && w.last != nil && bytes.Equal(content, w.last) {
		return w.err
	}
	var f Filter
	if w.last = content; err == nil {
		f, err = parseFilter(w.path, string(content))
	}
	if w.err = err; err != nil {
		text := err.Error()
		w.b.filterErr.Store(&text)
		return err
	}
	w.b.SetFilter(f)
	w.b.filterErr.Store(nil)
	w.b.log.info("The filter of events was read", "file", w.path, "filter", f.String())
	return nil
}

// readFilter reads a file that may hold a filter.
func readFilter(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxFilterBytes+1))
	if err != nil {
		return nil, err
	}
	if len(content) > maxFilterBytes {
		return nil, fmt.Errorf("%s: expected a filter of at most %d bytes, found more", path, maxFilterBytes)
	}
	return content, nil
}
