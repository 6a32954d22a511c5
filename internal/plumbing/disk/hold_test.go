package disk

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// TestHold checks that files change only under the lock that Hold takes for ever.
func TestHold(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	ctx := &probe{Context: t.Context()}
	if err := Apply(ctx, []Change{{Path: path, Root: dir, Name: "f", Content: []byte("new")}}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil || ctx.asked == 0 || ctx.free > 0 {
		t.Errorf("%v; asked %d times, and the lock was free %d times", err, ctx.asked, ctx.free)
	}
	Hold()
	defer writing.Unlock()
	if writing.TryLock() {
		t.Error("the lock is free after Hold")
	}
}

// probe is a context that looks whether the lock is held when Apply asks it.
type probe struct {
	context.Context
	asked, free int
}

func (p *probe) Err() error {
	p.asked++
	if writing.TryLock() {
		writing.Unlock()
		p.free++
	}
	return p.Context.Err()
}
