package correlator

import "encoding/hex"

// UIDs of Kubernetes are UUIDs in lower case. Held as 16 bytes they cost a third of their text.

const (
	uuidText  = 36
	uuidBytes = 16
)

// hexValue is the value of a lower-case hex digit, or 0xff.
var hexValue = func() (v [256]uint8) {
	for i := range v {
		v[i] = 0xff
	}
	for i, digit := range "0123456789abcdef" {
		v[digit] = uint8(i)
	}
	return v
}()

// packUID is the 16 bytes of a UUID in lower case; ok is false for other text.
func packUID(s string) (b [uuidBytes]byte, ok bool) {
	if len(s) != uuidText || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return b, false
	}
	var bad uint8
	at := 0
	for i := 0; i < uuidText; i += 2 {
		if s[i] == '-' {
			i++
		}
		hi, lo := hexValue[s[i]], hexValue[s[i+1]]
		bad |= hi | lo
		b[at&(uuidBytes-1)] = hi<<4 | lo
		at++
	}
	return b, bad < 16
}

// unpackUID is the text of a packed UUID.
func unpackUID(b string) string {
	digits := hex.AppendEncode(make([]byte, 0, uuidText), []byte(b))
	text := make([]byte, 0, uuidText)
	for n, end := range []int{8, 12, 16, 20, 32} {
		if n > 0 {
			text = append(text, '-')
		}
		text = append(text, digits[len(text)-n:end]...)
	}
	return string(text)
}

func (o *object) name() string { return o.text[:o.nameLen] }

// uid is the object's UID; for a packed one it is made anew.
func (o *object) uid() string {
	if o.packed {
		return unpackUID(o.text[o.nameLen:])
	}
	return o.text[o.nameLen:]
}

// sameUID compares without making text.
func (o *object) sameUID(uid string) bool {
	if !o.packed {
		return o.text[o.nameLen:] == uid
	}
	b, ok := packUID(uid)
	return ok && string(b[:]) == o.text[o.nameLen:]
}
