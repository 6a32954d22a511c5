package store

import (
	"slices"
	"strings"
	"unsafe"

	"github.com/event-gen/event-gen/runtime"
)

// Detail holds an event's content beyond its definition and object. The zero Detail has none.
type Detail struct {
	Args string // packed
	more *More  // nil: none
}

// More holds content that few events have.
type More struct {
	Related     runtime.ObjectRef
	FieldPath   string
	Controller  string
	Annotations []runtime.Annotation
	Latest      []byte  // packed arguments of the latest occurrence; nil: those of the first
	Folded      *Folded // of an aggregate
	bytes       int64
}

// Folded describes the occurrences that an aggregate stands for.
type Folded struct {
	Definition *runtime.Definition // of the latest
	Latest     Detail
	hash       uint32 // of the latest
	distinct   map[uint32]struct{}
}

// MaxDistinct is the number of distinct messages that an aggregate tells apart.
const MaxDistinct = 1024

// Distinct returns the number of distinct messages that have folded, at most MaxDistinct.
func (f *Folded) Distinct() int { return len(f.distinct) }

var noMore = &More{}

// More returns the content beyond the arguments. It must not be changed.
func (d *Detail) More() *More {
	if d.more == nil {
		return noMore
	}
	return d.more
}

// Unpack returns the arguments to show: the latest occurrence's if they are kept, otherwise the first's. Their texts are pieces of the detail,
// or copies.
func (d *Detail) Unpack(definition *runtime.Definition, room *[runtime.MaxParams]runtime.Arg) []runtime.Arg {
	args := room[:min(len(definition.Params), runtime.MaxParams)]
	packed := d.Args
	if latest := d.More().Latest; latest != nil {
		packed = string(latest)
	}
	runtime.UnpackArgs(packed, args)
	return args
}

// bytes returns the memory of a detail beyond its record.
func (d *Detail) bytes() int64 { return allocated(len(d.Args)) + d.More().bytes }

const (
	moreBytes       = int64(unsafe.Sizeof(More{}))
	annotationBytes = int(unsafe.Sizeof(runtime.Annotation{}))
	// distinctBytes estimates the memory of one distinct message.
	distinctBytes = 24
)

// NewDetail copies an event's content, so that a short piece of a large text does not keep that alive. hash is a hash of the arguments, or
// of most of them. said is nil if there are only arguments.
func (s *Store) NewDetail(args []runtime.Arg, hash uint64, said *More) Detail {
	d := Detail{Args: s.packed(args, hash)}
	if said != nil {
		d.more = said.copied()
	}
	return d
}

// recent holds short arguments of the latest details, packed, by their hash: many objects are told the same, and share one text. Each detail
// counts all of it.
type recent [16]recentArgs

type recentArgs struct {
	hash uint64 // differs mostly where the text does, so that no text is compared in vain
	text string
}

// longestRecent is the length in bytes of the longest arguments that details share.
const longestRecent = 64

// packed returns the packed form of arguments.
func (s *Store) packed(args []runtime.Arg, hash uint64) string {
	held := &s.recent[hash%uint64(len(s.recent))]
	if held.hash == hash && // mutate: it saves comparing texts
		runtime.SamePackedArgs(held.text, args, 0) {
		return held.text
	}
	s.room = runtime.PackArgs(s.room[:0], args, 0)
	text := string(s.room)
	if len(text) <= longestRecent {
		*held = recentArgs{hash, text}
	}
	return text
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

// copyTexts replaces the texts by copies in one piece of memory. It returns the memory of that piece and of the list of annotations.
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

// Aggregating returns a detail that can take up folded occurrences.
func (d Detail) Aggregating() Detail {
	if d.more == nil {
		d.more = &More{bytes: moreBytes}
	}
	d.more.Folded = &Folded{distinct: map[uint32]struct{}{}}
	return d
}

// Fold makes an aggregate take up an occurrence: its hash, its definition and its detail. Fold calls detail only if the hash differs from the
// last occurrence's.
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

// SetLatest keeps the arguments of the latest occurrence of an identity that is no aggregate. The room is used again.
func (s *Store) SetLatest(i *Identity, args []runtime.Arg) {
	m := i.more
	first := m == nil || m.Latest == nil
	if first && runtime.SamePackedArgs(i.Args, args, 0) {
		return
	}
	s.room = runtime.PackArgs(s.room[:0], args, 0)
	if !first && string(s.room) == string(m.Latest) {
		return
	}
	if m == nil {
		m = &More{bytes: moreBytes}
		i.more = m
		s.bytes += moreBytes
	}
	before := m.bytes - allocated(cap(m.Latest))
	if m.Latest == nil || cap(m.Latest) < len(s.room) {
		m.Latest = make([]byte, 0, len(s.room)) // arguments that are all absent are packed as nothing
	}
	m.Latest = append(m.Latest[:0], s.room...)
	s.bytes += before + allocated(cap(m.Latest)) - m.bytes
	m.bytes = before + allocated(cap(m.Latest))
}
