package correlator

import (
	"hash/maphash"
	"strings"
	"unsafe"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime"
)

// detail is what an event says beyond its definition and object; the zero detail is nothing. All text in it is copied, so that no large text of the caller's
// is held alive by a short piece of it.
type detail struct {
	args string // packed
	more *more  // nil where there is no more
}

// more is what few events say.
type more struct {
	related     runtime.ObjectRef
	fieldPath   string
	controller  string
	annotations []runtime.Annotation
	folded      *folded // of an aggregate
	bytes       int64
}

var noMore = &more{}

// rest is what the detail says beyond its arguments; not to be changed.
func (d *detail) rest() *more {
	if d.more == nil {
		return noMore
	}
	return d.more
}

// bytes is what a detail costs beyond its record.
func (d *detail) bytes() int64 { return int64(len(d.args)) + d.rest().bytes }

// unpack gives the arguments, whose texts are those of the detail.
func (d *detail) unpack(def *runtime.Definition, room *[runtime.MaxParams]runtime.Arg) []runtime.Arg {
	args := room[:min(len(def.Params), runtime.MaxParams)]
	runtime.UnpackArgs(d.args, args)
	return args
}

func (c *Correlator) newDetail(e *runtime.Event) detail {
	args := c.packed
	if e.Definition().Correlation.Merged != 0 {
		c.scratch = runtime.PackArgs(c.scratch[:0], e.Args(), 0)
		args = c.scratch
	}
	return detail{args: c.intern(args), more: newMore(e)}
}

// intern gives the text of packed arguments, of which those that were there lately share one: many objects are told the same.
func (c *Correlator) intern(args []byte) string {
	switch n := len(args); {
	case n == 0:
		return ""
	case n > longestShared:
		return string(args)
	}
	s := &c.recent[maphash.Bytes(seed, args)%uint64(len(c.recent))]
	if *s != string(args) {
		*s = string(args)
	}
	return *s
}

// recentTexts is how many texts of packed arguments are looked at, of at most longestShared bytes.
const (
	recentTexts   = 64
	longestShared = 256
)

func newMore(e *runtime.Event) *more {
	related, path, annotations := e.Related(), e.Regarding().FieldPath, e.Annotations()
	controller := ""
	if e.Definition().ReportingController == "" {
		controller = e.ReportingController()
	}
	if !related.Present() && path == "" && controller == "" && len(annotations) == 0 {
		return nil
	}
	var text block
	text.Grow(objectLen(related) + len(path))
	m := &more{related: *related, controller: controller, annotations: annotations}
	text.keepAll(&m.related)
	m.fieldPath = text.keep(path)
	m.bytes = moreBytes + int64(text.Len()) + kindLen(related.TypeMeta()) + annotationsLen(annotations)
	return m
}

const moreBytes = int64(unsafe.Sizeof(more{}))

func objectLen(o *runtime.ObjectRef) int {
	return len(o.Namespace) + len(o.Name) + len(o.UID) + len(o.FieldPath) + len(o.ResourceVersion)
}

func kindLen(k metav1.TypeMeta) int64 { return int64(len(k.APIVersion) + len(k.Kind)) }

func annotationsLen(annotations []runtime.Annotation) int64 {
	n := 0
	for _, a := range annotations {
		n += len(a.Key) + len(a.Value)
	}
	return int64(n)
}

// block copies strings into one piece of memory of a size known beforehand.
type block struct{ strings.Builder }

func (b *block) keepAll(o *runtime.ObjectRef) {
	for _, s := range []*string{&o.Namespace, &o.Name, &o.UID, &o.FieldPath, &o.ResourceVersion} {
		*s = b.keep(*s)
	}
}

func (b *block) keep(s string) string {
	if s == "" {
		return ""
	}
	start := b.Len()
	b.WriteString(s)
	return b.String()[start:]
}
