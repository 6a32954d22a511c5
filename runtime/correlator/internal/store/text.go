package store

import (
	"encoding/binary"

	"github.com/event-gen/event-gen/runtime"
)

// An object's name and UID stand in its record, one behind the other, unless they are longer than most are.
const shortText = 48

// maxHeldName bounds the part of an object's name that is held; Kubernetes has no name over 253 bytes.
const maxHeldName = 1024

func heldName(name string) string { return name[:min(len(name), maxHeldName)] }

type objectFlags uint8

const (
	packed objectFlags = 1 << iota // the UID is held as 16 bytes
	named                          // names of events may begin with the object's name
)

// setText keeps the name and the UID of an object.
func (o *Object) setText(regarding *runtime.ObjectRef, nameable bool) {
	name, uid := heldName(regarding.Name), regarding.UID
	var room [uuidBytes]byte
	held := room[:0]
	if low, high, ok := packUID(uid); ok {
		uid = ""
		held = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(held, low), high)
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
		long := text // so that text itself stays on the stack
		o.long = &long
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

// Name returns the part of the object's name that is held.
func (o *Object) Name() []byte { return o.text()[:o.nameLen] }

// Named reports whether names of events may begin with the object's name.
func (o *Object) Named() bool { return o.flags&named != 0 }

// uid returns the object's UID, packed or not.
func (o *Object) uid() []byte { return o.text()[o.nameLen:] }

// AppendUID appends the object's UID.
func (o *Object) AppendUID(b []byte) []byte {
	if o.flags&packed != 0 {
		return appendUID(b, o.uid())
	}
	return append(b, o.uid()...)
}

// SameName compares with the part of a name that would be held.
func (o *Object) SameName(name string) bool { return string(o.Name()) == heldName(name) }

// SameUID compares without unpacking.
func (o *Object) SameUID(uid string) bool {
	if o.flags&packed == 0 {
		return string(o.uid()) == uid
	}
	low, high, ok := packUID(uid)
	b := o.uid()
	return ok && binary.LittleEndian.Uint64(b) == low && binary.LittleEndian.Uint64(b[8:]) == high
}

// longBytes returns the memory of an object beyond its record.
func (o *Object) longBytes() int64 {
	if o.long == nil {
		return 0
	}
	return longBytes + allocated(cap(*o.long))
}
