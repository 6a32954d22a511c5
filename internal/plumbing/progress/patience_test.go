package progress

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestPatience holds that a line is printed once, and only if the work takes too long.
func TestPatience(t *testing.T) {
	var out strings.Builder
	late := map[int]func(){}
	p := &Patience{to: &out, after: func(d time.Duration, f func()) func() {
		n := len(late)
		late[n] = f
		return func() { delete(late, n) }
	}}
	ctx := WithPatience(t.Context(), p)
	Compiling(ctx)()
	if len(late) > 0 || out.Len() > 0 {
		t.Errorf("work that is done in time says %q", &out)
	}
	for range 2 {
		Compiling(ctx)
		for n, f := range late {
			f()
			delete(late, n)
		}
	}
	if lines := strings.Count(out.String(), "\n"); lines != 1 || !strings.Contains(out.String(), "compiling") {
		t.Errorf("%d lines: %q", lines, &out)
	}
	Compiling(context.Background())()
}
