package correlator

import (
	"strings"
	"unsafe"

	"github.com/event-gen/event-gen/runtime"
)

// newDetail keeps what an event says beyond its spec and object; nil if that is nothing. All text is copied into one
// block, so that no large text of the caller's is held alive by a short piece of it.
func newDetail(e *runtime.Event) *detail {
	args, related, path := e.Args(), e.Related(), e.Regarding().FieldPath
	annotations := e.Annotations()
	controller := ""
	if e.Spec().Controller == "" {
		controller = e.Controller()
	}
	if len(args) == 0 && !related.Present() && path == "" && controller == "" && len(annotations) == 0 {
		return nil
	}
	var text block
	text.Grow(argsLen(args) + objectLen(related) + len(path))
	d, room := allocDetail(len(args))
	for _, a := range args {
		room = append(room, a.WithText(text.keep(a.Text())))
	}
	d.args = room
	d.related = noObject
	if related.Present() {
		d.related = keepObject(&text, related)
	}
	d.fieldPath = text.keep(path)
	d.controller = controller
	d.annotations = annotations
	d.bytes = detailBytes + int64(len(args))*argBytes + int64(text.Len()) + kindLen(related.Kind) + relatedBytes(related) + annotationsLen(annotations)
	return d
}

// allocDetail allocates a detail and the room for its arguments at once.
func allocDetail(args int) (*detail, []runtime.Arg) {
	switch {
	case args == 0:
		return &detail{}, nil
	case args <= 2:
		d := &struct {
			detail
			room [2]runtime.Arg
		}{}
		return &d.detail, d.room[:0]
	case args <= 4:
		d := &struct {
			detail
			room [4]runtime.Arg
		}{}
		return &d.detail, d.room[:0]
	default:
		d := &struct {
			detail
			room [runtime.MaxParams]runtime.Arg
		}{}
		return &d.detail, d.room[:0]
	}
}

func keepObject(text *block, o *runtime.Object) *runtime.Object {
	k := *o
	k.Namespace = text.keep(o.Namespace)
	k.Name = text.keep(o.Name)
	k.UID = text.keep(o.UID)
	k.FieldPath = text.keep(o.FieldPath)
	k.ResourceVersion = text.keep(o.ResourceVersion)
	return &k
}

func objectLen(o *runtime.Object) int {
	return len(o.Namespace) + len(o.Name) + len(o.UID) + len(o.FieldPath) + len(o.ResourceVersion)
}

func relatedBytes(o *runtime.Object) int64 {
	if !o.Present() {
		return 0
	}
	return int64(unsafe.Sizeof(*o))
}

func kindLen(k runtime.Kind) int64 { return int64(len(k.APIVersion) + len(k.Kind)) }

func argsLen(args []runtime.Arg) int {
	n := 0
	for i := range args {
		n += len(args[i].Text())
	}
	return n
}

func annotationsLen(annotations []runtime.Annotation) int64 {
	n := 0
	for _, a := range annotations {
		n += len(a.Key) + len(a.Value)
	}
	return int64(n)
}

// block copies strings into one piece of memory of a size known beforehand.
type block struct{ strings.Builder }

func (b *block) keep(s string) string {
	if s == "" {
		return ""
	}
	start := b.Len()
	b.WriteString(s)
	return b.String()[start:]
}
