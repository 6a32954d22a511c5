package store

import (
	"encoding/binary"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/event-gen/event-gen/runtime"
)

func TestUIDsArePackedIfTheyAreUUIDsInLowerCase(t *testing.T) {
	const uid = "0123abcd-4567-89ab-cdef-0123456789af"
	unpacked := func(low, high uint64) string {
		return string(appendUID(nil, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, low), high)))
	}
	low, high, ok := packUID(uid)
	if got := unpacked(low, high); !ok || got != uid {
		t.Fatalf("%q came back as %q, %v", uid, got, ok)
	}
	for i := range len(uid) {
		for c := range 256 {
			other := uid[:i] + string([]byte{byte(c)}) + uid[i+1:]
			low, high, ok := packUID(other)
			hyphen := strings.Contains("-", uid[i:i+1])
			if want := hyphen && c == '-' || !hyphen && strings.IndexByte("0123456789abcdef", byte(c)) >= 0; ok != want {
				t.Fatalf("%q: packed %v, expected %v", other, ok, want)
			}
			if got := unpacked(low, high); ok && got != other {
				t.Fatalf("%q came back as %q", other, got)
			}
		}
	}
}

func TestAnyUIDIsComparedAsText(t *testing.T) {
	uid := rapid.OneOf(
		rapid.StringMatching(`[0-9a-c]{8}-[0-9a]{4}-[0-9a]{4}-[0-9a]{4}-[0-9a-f]{12}`),
		rapid.StringMatching(`[0-9A-Fg]{8}-[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{12}`),
		rapid.String(),
	)
	rapid.Check(t, func(t *rapid.T) {
		a, b := uid.Draw(t, "a"), uid.Draw(t, "b")
		switch rapid.IntRange(0, 2).Draw(t, "b is") {
		case 0:
			b = a
		case 1: // a, but for one byte
			near := []byte(a)
			if len(near) > 0 {
				near[rapid.IntRange(0, len(near)-1).Draw(t, "byte")] = rapid.SampledFrom([]byte("0f-g")).Draw(t, "digit")
			}
			b = string(near)
		}
		var o Object
		o.setText(&runtime.ObjectRef{Name: rapid.StringMatching(`[a-z]{0,60}`).Draw(t, "name"), UID: a}, true)
		if o.SameUID(b) != (a == b) {
			t.Fatalf("%q and %q: found the same %v", a, b, !(a == b))
		}
	})
}

// TestTextsOfAnObject holds that an object's name and UID are what they were, and that they take up memory of their own only if they do not
// fit in the object's record.
func TestTextsOfAnObject(t *testing.T) {
	for size := range 2 * shortText {
		for nameLen := range size + 1 {
			name, uid := strings.Repeat("n", nameLen), strings.Repeat("u", size-nameLen)
			s := New()
			o := s.AddObject(&runtime.ObjectRef{Name: name, UID: uid}, 1, false)
			if got := string(o.AppendUID(nil)); string(o.Name()) != name || got != uid || !o.SameName(name) || !o.SameUID(uid) {
				t.Fatalf("held %q and %q, want %q and %q", o.Name(), got, name, uid)
			}
			if (o.longBytes() > 0) != (size > shortText) {
				t.Fatalf("%d bytes of text take up %d of their own", size, o.longBytes())
			}
		}
	}
}
