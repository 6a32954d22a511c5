package store

import (
	"testing"

	"github.com/event-gen/event-gen/runtime"
)

// TestHold holds that equal definitions that were made for one event each are held and counted once, and that all others are what they are,
// for nothing.
func TestHold(t *testing.T) {
	for _, made := range []runtime.Definition{{}, {Shared: true}, {Forwarded: true}, {Forwarded: true, Shared: true}} {
		made.Reason = "Reason"
		first, second := made, made
		s := New()
		one := made.Forwarded && !made.Shared
		if got := s.hold(&first); got != &first || (s.Bytes() > 0) != one {
			t.Errorf("%+v: held %p for %p, %d bytes", made, got, &first, s.Bytes())
		}
		before := s.Bytes()
		if got := s.hold(&second); (got == &first) != one || got != &first && got != &second || s.Bytes() != before {
			t.Errorf("%+v: held %p for %p beside %p, %d bytes after %d", made, got, &second, &first, s.Bytes(), before)
		}
		s.drop(&first)
		if s.Bytes() != before {
			t.Errorf("%+v: %d bytes after one of two went, %d before", made, s.Bytes(), before)
		}
		s.drop(&second)
		if s.Bytes() != 0 {
			t.Errorf("%+v: %d bytes are left", made, s.Bytes())
		}
	}
}
