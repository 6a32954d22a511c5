package hexdigits

import (
	"encoding/binary"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func TestThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Uint32().Draw(t, "v")
		var text [8]byte
		binary.BigEndian.PutUint64(text[:], Of(v))
		if want := fmt.Sprintf("%08x", v); string(text[:]) != want {
			t.Fatalf("%q, want %q", text, want)
		}
		back, bad := Value(binary.LittleEndian.Uint64(text[:]))
		var bytes [4]byte
		binary.LittleEndian.PutUint32(bytes[:], back)
		if binary.BigEndian.Uint32(bytes[:]) != v || bad != 0 {
			t.Fatalf("%q is %x, bad %x", text, bytes, bad)
		}
	})
}
