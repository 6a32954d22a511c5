package correlator

import "encoding/binary"

// UIDs of Kubernetes are UUIDs in lower case. Held as 16 bytes they cost a third of their text.

const (
	uuidText  = 36
	uuidBytes = 16
)

// packUID is the 16 bytes of a UUID in lower case; ok is false for other text.
func packUID(s string) (b [uuidBytes]byte, ok bool) {
	if len(s) != uuidText || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return b, false
	}
	first, bad := unhex(uint64(four(s[:4])) | uint64(four(s[4:8]))<<32)
	second, bad2 := unhex(uint64(four(s[9:13])) | uint64(four(s[14:18]))<<32)
	third, bad3 := unhex(uint64(four(s[19:23])) | uint64(four(s[24:28]))<<32)
	fourth, bad4 := unhex(uint64(four(s[28:32])) | uint64(four(s[32:36]))<<32)
	binary.LittleEndian.PutUint32(b[:], first)
	binary.LittleEndian.PutUint32(b[4:], second)
	binary.LittleEndian.PutUint32(b[8:], third)
	binary.LittleEndian.PutUint32(b[12:], fourth)
	return b, bad|bad2|bad3|bad4 == 0
}

// four are the first four bytes of s, the first the lowest.
func four(s string) uint32 {
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// unhex takes eight hex digits in lower case, the first the lowest byte, all at once, for the four bytes that they say. bad
// is zero if they are such digits.
func unhex(digits uint64) (value uint32, bad uint64) {
	const each = 0x0101010101010101
	n := digits&(0x0f*each) + 9*(digits>>6&each) // 'a' is 0x61
	letter := (n + 6*each) >> 4 & each           // 10 and more
	bad = digits ^ (n + '0'*each + ('a'-'0'-10)*letter) | n&(0xf0*each)
	n = (n<<4 | n>>8) & 0x00ff00ff00ff00ff
	n = (n | n>>8) & 0x0000ffff0000ffff
	return uint32(n | n>>16), bad
}

// appendUID appends the text of a packed UUID.
func appendUID(b, uid []byte) []byte {
	var text [uuidText]byte
	first, second := digits(binary.BigEndian.Uint32(uid)), digits(binary.BigEndian.Uint32(uid[4:]))
	third, fourth := digits(binary.BigEndian.Uint32(uid[8:])), digits(binary.BigEndian.Uint32(uid[12:]))
	binary.BigEndian.PutUint64(text[:], first)
	binary.BigEndian.PutUint32(text[9:], uint32(second>>32))
	binary.BigEndian.PutUint32(text[14:], uint32(second))
	binary.BigEndian.PutUint32(text[19:], uint32(third>>32))
	binary.BigEndian.PutUint32(text[24:], uint32(third))
	binary.BigEndian.PutUint64(text[28:], fourth)
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return append(b, text[:]...)
}

// digits is the eight hex digits of v, the first the highest byte.
func digits(v uint32) uint64 {
	const each = 0x0101010101010101
	n := uint64(v)
	n = (n | n<<16) & 0x0000ffff0000ffff
	n = (n | n<<8) & 0x00ff00ff00ff00ff
	n = (n | n<<4) & (0x0f * each)
	letter := (n + 6*each) >> 4 & each // 10 and more
	return n + '0'*each + ('a'-'0'-10)*letter
}
