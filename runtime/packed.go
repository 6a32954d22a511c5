package runtime

import "encoding/binary"

// The packed form of arguments holds, for each: a byte with its kind and what follows, then its text behind its length, its
// number and its nanoseconds, each unless empty. So no two lists of arguments have one packed form, and nothing of it is a
// pointer.
const (
	packedText  = 1 << 5
	packedNum   = 1 << 6
	packedNsec  = 1 << 7
	packedKinds = packedText - 1
)

// PackArgs appends the packed form of arguments, which Publishers may keep in place of them. Those whose bit is set in except
// are packed as absent ones. If all are absent, nothing is appended; equal arguments have equal forms.
func PackArgs(b []byte, args []Arg, except uint8) []byte {
	end := len(b)
	for i := range args {
		if except&(1<<i) != 0 || args[i] == (Arg{}) {
			b = append(b, byte(argAbsent))
			continue
		}
		b = args[i].pack(b)
		end = len(b)
	}
	return b[:end]
}

func (a *Arg) pack(b []byte) []byte {
	b = append(b, a.head())
	if a.text != "" {
		b = binary.AppendUvarint(b, uint64(len(a.text)))
		b = append(b, a.text...)
	}
	if a.num != 0 {
		b = binary.LittleEndian.AppendUint64(b, a.num)
	}
	if a.nsec != 0 {
		b = binary.LittleEndian.AppendUint32(b, uint32(a.nsec))
	}
	return b
}

// head returns the first byte of the packed form.
func (a *Arg) head() byte {
	head := byte(a.kind)
	if a.text != "" {
		head |= packedText
	}
	if a.num != 0 {
		head |= packedNum
	}
	if a.nsec != 0 {
		head |= packedNsec
	}
	return head
}

// UnpackArgs fills args with what PackArgs has packed. Their texts are pieces of packed.
func UnpackArgs(packed string, args []Arg) {
	for i := range args {
		packed = args[i].unpack(packed)
	}
}

// SamePackedArgs reports whether packed holds args and no more, but for those whose bit is set in except. It compares args as they are: bytes
// that were packed a moment ago would have to be waited for.
func SamePackedArgs(packed string, args []Arg, except uint8) bool {
	for i := range args {
		if except&(1<<i) != 0 {
			var skipped Arg
			packed = skipped.unpack(packed)
			continue
		}
		rest, same := args[i].isNext(packed)
		if !same {
			return false
		}
		packed = rest
	}
	return packed == ""
}

// isNext reports whether the first argument of a packed form is this one, and takes it off.
func (a *Arg) isNext(packed string) (rest string, same bool) {
	head := a.head()
	if packed == "" {
		return "", head == byte(argAbsent)
	}
	if packed[0] != head {
		return "", false
	}
	rest = packed[1:]
	if head&packedText != 0 {
		var text string
		if text, rest = cutText(rest); text != a.text {
			return "", false
		}
	}
	if head&packedNum != 0 {
		if binary.LittleEndian.Uint64([]byte(rest[:8])) != a.num {
			return "", false
		}
		rest = rest[8:]
	}
	if head&packedNsec != 0 {
		if binary.LittleEndian.Uint32([]byte(rest[:4])) != uint32(a.nsec) {
			return "", false
		}
		rest = rest[4:]
	}
	return rest, true
}

// cutText takes a text behind its length off a packed form.
func cutText(packed string) (text, rest string) {
	if size := packed[0]; size < 0x80 { // most are short
		return packed[1 : 1+size], packed[1+size:]
	}
	size, n := binary.Uvarint([]byte(packed[:min(len(packed), binary.MaxVarintLen64)]))
	return packed[n : n+int(size)], packed[n+int(size):]
}

// unpack takes the first argument off a packed form. Behind the last are absent ones.
func (a *Arg) unpack(packed string) (rest string) {
	if packed == "" {
		*a = Arg{}
		return ""
	}
	head := packed[0]
	packed = packed[1:]
	*a = Arg{kind: argKind(head & packedKinds)}
	if head&packedText != 0 {
		a.text, packed = cutText(packed)
	}
	if head&packedNum != 0 {
		a.num, packed = binary.LittleEndian.Uint64([]byte(packed[:8])), packed[8:]
	}
	if head&packedNsec != 0 {
		a.nsec, packed = int32(binary.LittleEndian.Uint32([]byte(packed[:4]))), packed[4:]
	}
	return packed
}
