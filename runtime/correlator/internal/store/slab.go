package store

// ref names a record of a slab; 0 names none. References stay valid until the record is freed, and a record never moves,
// so that a pointer to it stays valid as long.
type ref uint32

// A chunk holds one record less than references could name, which leaves room for the header that Go allocates with it:
// without that it would be rounded up to the next size, by a tenth.
const (
	chunkBits = 8
	chunkSize = 1<<chunkBits - 1
	chunkMask = 1<<chunkBits - 1
)

// slab holds records of one type in chunks, so that growing copies nothing and wastes at most a chunk.
type slab[T any] struct {
	chunks []*[chunkSize]T
	free   []ref
	next   ref // the first that was never handed out
	used   int // records handed out
	size   int64
	bytes  *int64 // grows by size with each record
}

func (s *slab[T]) at(r ref) *T { return &s.chunks[r>>chunkBits][r&chunkMask] }

// get is at, but nil for 0.
func (s *slab[T]) get(r ref) *T {
	if r == 0 {
		return nil
	}
	return s.at(r)
}

// found is what an index gives, with the record in place of its reference.
func (s *slab[T]) found(at uint32, r ref) (uint32, *T) { return at, s.get(r) }

// alloc returns a record with the contents it was freed with; the first time they are zero.
func (s *slab[T]) alloc() ref {
	s.used++
	*s.bytes += s.size
	if n := len(s.free); n > 0 {
		r := s.free[n-1]
		s.free = s.free[:n-1]
		return r
	}
	switch {
	case s.next == 0:
		s.next = 1
	case s.next&chunkMask == chunkSize:
		s.next++
	}
	if int(s.next>>chunkBits) == len(s.chunks) {
		s.chunks = append(s.chunks, new([chunkSize]T))
	}
	s.next++
	return s.next - 1
}

func (s *slab[T]) release(r ref) {
	s.used--
	*s.bytes -= s.size
	s.free = append(s.free, r)
}

// live is the number of records in use.
func (s *slab[T]) live() int { return s.used }

// known reports whether r names a record that was handed out once.
func (s *slab[T]) known(r ref) bool { return r != 0 && r < s.next && r&chunkMask != chunkSize }

// each goes through the records that were handed out once.
func (s *slab[T]) each(yield func(ref, *T) bool) {
	for r := ref(1); r < s.next; r++ {
		if s.known(r) && !yield(r, s.at(r)) {
			return
		}
	}
}
