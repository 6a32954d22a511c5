package store

import (
	"slices"
	"strings"
	"unsafe"

	"github.com/event-gen/event-gen/runtime"
)

// Detail is what an event says beyond its definition and object; the zero Detail is nothing.
type Detail struct {
	Args string // packed
	more *More  // nil where there is no more
}

// More is what few events say.
type More struct {
	Related     runtime.ObjectRef
	FieldPath   string
	Controller  string
	Annotations []runtime.Annotation
	Latest      []byte  // packed arguments of the latest occurrence; nil where they are those of the first
	Folded      *Folded // of an aggregate
	bytes       int64
}

// Folded is what an aggregate knows of the occurrences that it stands for.
type Folded struct {
	Definition *runtime.Definition // of the latest
	Latest     Detail
	hash       uint32 // of the latest
	distinct   map[uint32]struct{}
}

// MaxDistinct is how many distinct messages an aggregate tells apart.
const MaxDistinct = 1024

// Distinct is how many distinct messages have folded, MaxDistinct at the most.
func (f *Folded) Distinct() int { return len(f.distinct) }

var noMore = &More{}

// More is what the detail says beyond its arguments; not to be changed.
func (d *Detail) More() *More {
	if d.more == nil {
		return noMore
	}
	return d.more
}

// Unpack gives the arguments to show, those of the latest occurrence where they are kept. Their texts are those of the detail, or copies.
func (d *Detail) Unpack(definition *runtime.Definition, room *[runtime.MaxParams]runtime.Arg) []runtime.Arg {
	args := room[:min(len(definition.Params), runtime.MaxParams)]
	packed := d.Args
	if latest := d.More().Latest; latest != nil {
		packed = string(latest)
	}
	runtime.UnpackArgs(packed, args)
	return args
}

// bytes is what a detail costs beyond its record.
func (d *Detail) bytes() int64 { return allocated(len(d.Args)) + d.More().bytes }

const (
	moreBytes       = int64(unsafe.Sizeof(More{}))
	annotationBytes = int(unsafe.Sizeof(runtime.Annotation{}))
	// distinctBytes is what a message told apart costs, about.
	distinctBytes = 24
)

// NewDetail copies what an event says, so that no large text of the caller's is held alive by a short piece of it. Said is nil where that
// is no more than arguments.
func NewDetail(args []byte, said *More) Detail {
	d := Detail{Args: string(args)}
	if said != nil {
		d.more = said.copied()
	}
	return d
}

func (m *More) copied() *More {
	kept := *m
	kept.Annotations = slices.Clone(m.Annotations)
	kept.bytes = moreBytes + kept.copyTexts()
	return &kept
}

// texts goes through all texts.
func (m *More) texts(yield func(*string)) {
	r := &m.Related
	for _, text := range [...]*string{&r.Namespace, &r.Name, &r.UID, &r.FieldPath, &r.ResourceVersion, &r.APIVersion, &r.Kind, &m.FieldPath, &m.Controller} {
		yield(text)
	}
	for i := range m.Annotations {
		yield(&m.Annotations[i].Key)
		yield(&m.Annotations[i].Value)
	}
}

// copyTexts puts copies of the texts, in one piece of memory, in their places. It returns what that and the list of annotations cost.
func (m *More) copyTexts() int64 {
	size := 0
	m.texts(func(text *string) { size += len(*text) })
	var all strings.Builder
	all.Grow(size)
	m.texts(func(text *string) {
		from := all.Len()
		all.WriteString(*text)
		*text = all.String()[from:]
	})
	return allocated(size) + allocated(cap(m.Annotations)*annotationBytes)
}

// Aggregating is a detail that can take up what folds.
func (d Detail) Aggregating() Detail {
	if d.more == nil {
		d.more = &More{bytes: moreBytes}
	}
	d.more.Folded = &Folded{distinct: map[uint32]struct{}{}}
	return d
}

// Fold has an aggregate take up an occurrence: by its hash, and by its definition and detail, which is asked for where it is not that of the last.
func (s *Store) Fold(aggregate *Identity, hash uint32, definition *runtime.Definition, detail func() Detail) {
	m := aggregate.more
	f := m.Folded
	before := m.bytes
	if _, known := f.distinct[hash]; !known && len(f.distinct) < MaxDistinct {
		f.distinct[hash] = struct{}{}
		m.bytes += distinctBytes
	}
	if f.hash != hash || f.Definition == nil {
		m.bytes -= f.Latest.bytes()
		if f.Definition != nil {
			s.drop(f.Definition)
		}
		f.Definition, f.hash, f.Latest = s.hold(definition), hash, detail()
		m.bytes += f.Latest.bytes()
	}
	s.bytes += m.bytes - before
}

// SetLatest keeps the packed arguments of the latest occurrence of an identity that is no aggregate. The room is used again.
func (s *Store) SetLatest(i *Identity, args []byte) {
	m := i.more
	switch {
	case m == nil || m.Latest == nil:
		if string(args) == i.Args {
			return
		}
	case string(args) == string(m.Latest):
		return
	}
	if m == nil {
		m = &More{bytes: moreBytes}
		i.more = m
		s.bytes += moreBytes
	}
	before := m.bytes - allocated(cap(m.Latest))
	if m.Latest == nil || cap(m.Latest) < len(args) {
		m.Latest = make([]byte, 0, len(args)) // arguments that are all absent are packed as nothing
	}
	m.Latest = append(m.Latest[:0], args...)
	s.bytes += before + allocated(cap(m.Latest)) - m.bytes
	m.bytes = before + allocated(cap(m.Latest))
}
