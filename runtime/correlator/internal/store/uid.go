package store

import (
	"encoding/binary"

	"github.com/event-gen/event-gen/runtime/correlator/internal/hexdigits"
)

// UIDs of Kubernetes are UUIDs in lower case. Held as 16 bytes they cost a third of their text.

const (
	uuidText  = 36
	uuidBytes = 16
)

// packUID returns the 16 bytes of a UUID in lower case, the first the lowest; ok is false for other text. Two numbers stay in registers,
// where an array would not.
func packUID(s string) (low, high uint64, ok bool) {
	if len(s) != uuidText || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return 0, 0, false
	}
	first, bad := hexdigits.Value(uint64(four(s[:4])) | uint64(four(s[4:8]))<<32)
	second, bad2 := hexdigits.Value(uint64(four(s[9:13])) | uint64(four(s[14:18]))<<32)
	third, bad3 := hexdigits.Value(uint64(four(s[19:23])) | uint64(four(s[24:28]))<<32)
	fourth, bad4 := hexdigits.Value(uint64(four(s[28:32])) | uint64(four(s[32:36]))<<32)
	return uint64(first) | uint64(second)<<32, uint64(third) | uint64(fourth)<<32, bad|bad2|bad3|bad4 == 0
}

// four returns the first four bytes of s as a little-endian number.
func four(s string) uint32 {
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// appendUID appends the text of a packed UUID.
func appendUID(b, uid []byte) []byte {
	var text [uuidText]byte
	first, second := hexdigits.Of(binary.BigEndian.Uint32(uid)), hexdigits.Of(binary.BigEndian.Uint32(uid[4:]))
	third, fourth := hexdigits.Of(binary.BigEndian.Uint32(uid[8:])), hexdigits.Of(binary.BigEndian.Uint32(uid[12:]))
	binary.BigEndian.PutUint64(text[:], first)
	binary.BigEndian.PutUint32(text[9:], uint32(second>>32))
	binary.BigEndian.PutUint32(text[14:], uint32(second))
	binary.BigEndian.PutUint32(text[19:], uint32(third>>32))
	binary.BigEndian.PutUint32(text[24:], uint32(third))
	binary.BigEndian.PutUint64(text[28:], fourth)
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return append(b, text[:]...)
}
