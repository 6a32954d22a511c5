package store

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/event-gen/event-gen/runtime"
)

// TestDetailsShareEqualShortArguments gives arguments one hash, as those have that differ only in a merged param.
func TestDetailsShareEqualShortArguments(t *testing.T) {
	s := New()
	held := func(text string) string {
		d := s.NewDetail([]runtime.Arg{runtime.String(text)}, 7, nil)
		var room [runtime.MaxParams]runtime.Arg
		if got := d.Unpack(&runtime.Definition{Params: make([]runtime.Param, 1)}, &room); got[0].Text() != text {
			t.Errorf("%q is held as %q", text, got[0].Text())
		}
		return d.Args
	}
	longest := strings.Repeat("x", longestRecent-2)
	for _, c := range []struct {
		a, b  string
		share bool
	}{{"a", "a", true}, {"a", "b", false}, {longest, longest, true}, {longest + "x", longest + "x", false}} {
		if got := unsafe.StringData(held(c.a)) == unsafe.StringData(held(c.b)); got != c.share {
			t.Errorf("%q and %q share one text: %v", c.a, c.b, got)
		}
	}
}
