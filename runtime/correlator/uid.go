package correlator

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
	for i, digit := range hexDigits {
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
	for n, at := range uuidDigits {
		hi, lo := hexValue[s[at]], hexValue[s[at+1]]
		bad |= hi | lo
		b[n] = hi<<4 | lo
	}
	return b, bad < 16
}

// uuidDigits is where each byte of a UUID begins in its text.
var uuidDigits = [uuidBytes]uint8{0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34}

// appendUID appends the text of a packed UUID.
func appendUID(b []byte, packed string) []byte {
	for n := range uuidBytes {
		switch n {
		case 4, 6, 8, 10:
			b = append(b, '-')
		}
		b = append(b, hexDigits[packed[n]>>4], hexDigits[packed[n]&15])
	}
	return b
}

const hexDigits = "0123456789abcdef"

func (o *object) name() string { return o.text[:o.nameLen] }

// uid is the object's UID, packed or not.
func (o *object) uid() string { return o.text[o.nameLen:] }

// sameUID compares without making text.
func (o *object) sameUID(uid string) bool {
	if !o.packed {
		return o.text[o.nameLen:] == uid
	}
	b, ok := packUID(uid)
	return ok && string(b[:]) == o.text[o.nameLen:]
}
