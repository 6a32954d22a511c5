package store

import "slices"

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
	gone   []ref // numbers of chunks that were given back
	kept   int   // free records that trim kept the last time
	next   ref   // the first that was never handed out
	used   int   // records handed out
	size   int64
	bytes  *int64 // grows by size with each record
}

func (s *slab[T]) at(r ref) *T { return &s.chunks[r>>chunkBits][r&chunkMask] }

// get is at, but returns nil for 0.
func (s *slab[T]) get(r ref) *T {
	if r == 0 {
		return nil
	}
	return s.at(r)
}

// found turns the result of an index into a place and a record.
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
	if n := len(s.gone); n > 0 {
		chunk := s.gone[n-1]
		s.gone = s.gone[:n-1]
		s.chunks[chunk] = new([chunkSize]T)
		for r := (chunk+1)<<chunkBits - 2; r > max(chunk<<chunkBits, 1); r-- {
			s.free = append(s.free, r)
		}
		return max(chunk<<chunkBits, 1)
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

// live returns the number of records in use.
func (s *slab[T]) live() int { return s.used }

// known reports whether r was handed out once, and its chunk was not given back.
func (s *slab[T]) known(r ref) bool {
	return r != 0 && r < s.next && r&chunkMask != chunkSize && s.chunks[r>>chunkBits] != nil
}

// each goes through all known records, free ones included.
func (s *slab[T]) each(yield func(ref, *T) bool) {
	for r := ref(1); r < s.next; r++ { // mutate: the next one is not known
		if s.known(r) && !yield(r, s.at(r)) {
			return
		}
	}
}

// slack reports whether enough records are free that whole chunks may be.
func (s *slab[T]) slack() bool {
	s.kept = min(s.kept, len(s.free))
	return len(s.free) > s.used && len(s.free) > s.kept+2*chunkSize
}

// trim gives back chunks without a record in use, except the last chunk.
func (s *slab[T]) trim() {
	if !s.slack() {
		return
	}
	free := make([]ref, len(s.chunks))
	for _, r := range s.free {
		free[r>>chunkBits]++
	}
	for chunk, n := range free[:len(free)-1] {
		if n == chunkSize || (chunk == 0 && n == chunkSize-1) {
			s.chunks[chunk] = nil
			s.gone = append(s.gone, ref(chunk))
		}
	}
	s.free = slices.Clone(slices.DeleteFunc(s.free, func(r ref) bool { return s.chunks[r>>chunkBits] == nil }))
	s.kept = len(s.free)
}
