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

// TestLatestArgumentsThatAreAbsent sets latest arguments that are packed as nothing, of an identity with other content.
func TestLatestArgumentsThatAreAbsent(t *testing.T) {
	s := New()
	d := &runtime.Definition{Reason: "R", Params: make([]runtime.Param, 1)}
	o := s.AddObject(&runtime.ObjectRef{Name: "o", Kind: "K"}, 1, true)
	first, absent := []runtime.Arg{runtime.String("first")}, []runtime.Arg{{}}
	i := s.AddIdentity(o, s.Group(o, d), d, s.NewDetail(first, 1, &More{FieldPath: "path"}), 1, 1)
	before := s.Bytes()
	s.SetLatest(i, first)
	if i.More().Latest != nil || s.Bytes() != before {
		t.Errorf("the first arguments are held again: %q, %d bytes more", i.More().Latest, s.Bytes()-before)
	}
	var room [runtime.MaxParams]runtime.Arg
	for _, args := range [][]runtime.Arg{absent, first, absent} {
		s.SetLatest(i, args)
		if got := i.Unpack(d, &room); got[0] != args[0] {
			t.Errorf("latest arguments: %+v, expected %+v", got[0], args[0])
		}
	}
}
