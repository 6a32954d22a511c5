package form

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string (RFC 8259). A run of invalid UTF-8 becomes one U+FFFD, as in text.
func appendString[T string | []byte](b []byte, s T) []byte {
	b = append(b, '"')
	inRun := false
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			b = appendASCII(b, s[i])
			i, inRun = i+1, false
			continue
		}
		size := runeSize(s[i:])
		if size > 0 {
			b = append(b, s[i:i+size]...)
			i, inRun = i+size, false
			continue
		}
		if !inRun {
			b = append(b, "\uFFFD"...)
		}
		i, inRun = i+1, true
	}
	return append(b, '"')
}

func appendASCII(b []byte, c byte) []byte {
	switch {
	case c == '"' || c == '\\':
		return append(b, '\\', c)
	case c < ' ' || c == 0x7f:
		return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
	}
	return append(b, c)
}

// runeSize is the length of the character that s begins with; 0 if that is not valid UTF-8.
func runeSize[T string | []byte](s T) int {
	var head [utf8.UTFMax]byte
	n := copy(head[:], s)
	if r, size := utf8.DecodeRune(head[:n]); r != utf8.RuneError || size > 1 {
		return size
	}
	return 0
}
