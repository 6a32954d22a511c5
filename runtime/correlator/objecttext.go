package correlator

import "github.com/event-gen/event-gen/runtime"

// An object's name and UID stand in its record, one behind the other, unless they are longer than most are.
const shortText = 48

// maxHeldName bounds what is held of an object's name; Kubernetes has none over 253 bytes.
const maxHeldName = 1024

func heldName(name string) string { return name[:min(len(name), maxHeldName)] }

type objectFlags uint8

const (
	packed  objectFlags = 1 << iota // the UID is held as 16 bytes
	named                           // events may be named after the object as it is called
	crowded                         // its groups are in a map
)

func (o *object) is(f objectFlags) bool { return o.flags&f != 0 }

// setText keeps the name and the UID of an object.
func (o *object) setText(regarding *runtime.ObjectRef) {
	name, uid := heldName(regarding.Name), regarding.UID
	var room [uuidBytes]byte
	held := room[:0]
	if b, ok := packUID(uid); ok {
		room, uid = b, ""
		held = room[:]
		o.flags |= packed
	}
	if len(name) <= maxPrefixBytes && isSubdomain(name) {
		o.flags |= named
	}
	o.nameLen = uint16(len(name))
	size := len(name) + len(held) + len(uid)
	text := o.short[:0]
	if size > shortText {
		text = make([]byte, 0, size)
	}
	text = append(append(append(text, name...), held...), uid...)
	if size > shortText {
		o.long = &text
		return
	}
	o.shortLen = uint8(size)
}

func (o *object) text() []byte {
	if o.long != nil {
		return *o.long
	}
	return o.short[:o.shortLen]
}

func (o *object) name() []byte { return o.text()[:o.nameLen] }

// uid is the object's UID, packed or not.
func (o *object) uid() []byte { return o.text()[o.nameLen:] }

// sameUID compares without making text.
func (o *object) sameUID(uid string) bool {
	if !o.is(packed) {
		return string(o.uid()) == uid
	}
	b, ok := packUID(uid)
	return ok && [uuidBytes]byte(o.uid()) == b
}

func (o *object) bytes() int64 {
	if o.long == nil {
		return objectBytes
	}
	return objectBytes + longBytes + int64(len(*o.long))
}
