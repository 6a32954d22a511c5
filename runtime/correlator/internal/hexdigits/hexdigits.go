// Package hexdigits turns numbers into hex digits in lower case and back, eight at once.
package hexdigits

// Of is the eight hex digits of v, the first the highest byte.
func Of(v uint32) uint64 {
	const each = 0x0101010101010101
	n := uint64(v)
	n = (n | n<<16) & 0x0000ffff0000ffff
	n = (n | n<<8) & 0x00ff00ff00ff00ff
	n = (n | n<<4) & (0x0f * each)
	letter := (n + 6*each) >> 4 & each // 10 and more
	return n + '0'*each + ('a'-'0'-10)*letter
}

// Value takes eight hex digits in lower case, the first the lowest byte, all at once, for the four bytes that they say. bad
// is zero if they are such digits.
func Value(digits uint64) (value uint32, bad uint64) {
	const each = 0x0101010101010101
	n := digits&(0x0f*each) + 9*(digits>>6&each) // 'a' is 0x61
	letter := (n + 6*each) >> 4 & each           // 10 and more
	bad = digits ^ (n + '0'*each + ('a'-'0'-10)*letter) | n&(0xf0*each)
	n = (n<<4 | n>>8) & 0x00ff00ff00ff00ff
	n = (n | n>>8) & 0x0000ffff0000ffff
	return uint32(n | n>>16), bad
}
