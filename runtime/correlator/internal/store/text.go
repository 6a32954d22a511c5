package store

import "github.com/event-gen/event-gen/runtime"

// An object's name and UID stand in its record, one behind the other, unless they are longer than most are.
const shortText = 48

// maxHeldName bounds what is held of an object's name; Kubernetes has none over 253 bytes.
const maxHeldName = 1024

func heldName(name string) string { return name[:min(len(name), maxHeldName)] }

type objectFlags uint8

const (
	packed objectFlags = 1 << iota // the UID is held as 16 bytes
	named                          // events may be named after the object as it is called
)

// setText keeps the name and the UID of an object.
func (o *Object) setText(regarding *runtime.ObjectRef, nameable bool) {
	name, uid := heldName(regarding.Name), regarding.UID
	var room [uuidBytes]byte
	held := room[:0]
	if b, ok := packUID(uid); ok {
		room, uid = b, ""
		held = room[:]
		o.flags |= packed
	}
	if nameable {
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

func (o *Object) text() []byte {
	if o.long != nil {
		return *o.long
	}
	return o.short[:o.shortLen]
}

// Name is what is held of the object's name.
func (o *Object) Name() []byte { return o.text()[:o.nameLen] }

// Named reports whether events may be named after the object as it is called.
func (o *Object) Named() bool { return o.flags&named != 0 }

// uid is the object's UID, packed or not.
func (o *Object) uid() []byte { return o.text()[o.nameLen:] }

// AppendUID appends the object's UID.
func (o *Object) AppendUID(b []byte) []byte {
	if o.flags&packed != 0 {
		return appendUID(b, o.uid())
	}
	return append(b, o.uid()...)
}

// SameName compares with what would be held of a name.
func (o *Object) SameName(name string) bool { return string(o.Name()) == heldName(name) }

// SameUID compares without making text.
func (o *Object) SameUID(uid string) bool {
	if o.flags&packed == 0 {
		return string(o.uid()) == uid
	}
	b, ok := packUID(uid)
	return ok && [uuidBytes]byte(o.uid()) == b
}

// longBytes is what an object costs beyond its record.
func (o *Object) longBytes() int64 {
	if o.long == nil {
		return 0
	}
	return longBytes + allocated(cap(*o.long))
}
