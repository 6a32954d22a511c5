package correlator

// ref names a record of a slab; 0 names none. References stay valid until the record is freed, and a record never moves,
// so that a pointer to it stays valid as long.
type ref uint32

const (
	chunkBits = 8
	chunkSize = 1 << chunkBits
)

// slab holds records of one type in chunks, so that growing copies nothing and wastes at most a chunk.
type slab[T any] struct {
	chunks []*[chunkSize]T
	free   []ref
	used   int // records handed out at least once, the reserved record 0 included
}

func (s *slab[T]) at(r ref) *T { return &s.chunks[r>>chunkBits][r&(chunkSize-1)] }

// alloc returns a record with the contents it was freed with; the first time they are zero.
func (s *slab[T]) alloc() ref {
	if n := len(s.free); n > 0 {
		r := s.free[n-1]
		s.free = s.free[:n-1]
		return r
	}
	if s.used == 0 {
		s.used = 1
	}
	if s.used>>chunkBits == len(s.chunks) {
		s.chunks = append(s.chunks, new([chunkSize]T))
	}
	s.used++
	return ref(s.used - 1)
}

func (s *slab[T]) release(r ref) { s.free = append(s.free, r) }

// live is the number of records in use.
func (s *slab[T]) live() int { return max(s.used-1, 0) - len(s.free) }
