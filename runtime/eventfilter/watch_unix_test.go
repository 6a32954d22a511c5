//go:build unix

package eventfilter_test

import (
	"context"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/go-logr/logr"

	"github.com/event-gen/event-gen/runtime/eventfilter"
)

// TestWatchTakesNoNamedPipe: reading one would wait for who writes it.
func TestWatchTakesNoNamedPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "filter")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, path := range []string{pipe, filepath.Dir(pipe)} {
		var f eventfilter.Filter
		if err := f.Watch(ctx, path, logr.Discard()); err == nil || !strings.Contains(err.Error(), path+": expected a regular file, found ") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
