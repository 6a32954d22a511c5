package correlator

// index finds records by hash. Records with equal places in the table are chained through a field of their own, so that an
// entry costs little more than the table's four bytes.
type index[T any] struct {
	heads   []ref
	entries int
	records *slab[T]
	hash    func(*T) uint32
	next    func(*T) *ref
	sparse  bool // two entries for each place of the table, where look-ups are rare
}

const smallestIndex = 64

// first is the first record of the chain in which those with this hash are.
func (x *index[T]) first(hash uint32) ref {
	if len(x.heads) == 0 {
		return 0
	}
	return x.heads[hash&uint32(len(x.heads)-1)]
}

func (x *index[T]) insert(r ref) {
	if x.entries >= x.room() {
		x.resize(max(smallestIndex, 2*len(x.heads)))
	}
	x.entries++
	x.link(r)
}

func (x *index[T]) room() int {
	if x.sparse {
		return 2 * len(x.heads)
	}
	return len(x.heads)
}

func (x *index[T]) link(r ref) {
	record := x.records.at(r)
	head := &x.heads[x.hash(record)&uint32(len(x.heads)-1)]
	*x.next(record) = *head
	*head = r
}

func (x *index[T]) remove(r ref) {
	record := x.records.at(r)
	for p := &x.heads[x.hash(record)&uint32(len(x.heads)-1)]; *p != 0; p = x.next(x.records.at(*p)) {
		if *p == r {
			*p = *x.next(record)
			x.entries--
			break
		}
	}
	if len(x.heads) > smallestIndex && x.entries < len(x.heads)/8 {
		x.resize(len(x.heads) / 2)
	}
}

func (x *index[T]) resize(size int) {
	old := x.heads
	x.heads = make([]ref, size)
	for _, r := range old {
		for r != 0 {
			following := *x.next(x.records.at(r))
			x.link(r)
			r = following
		}
	}
}
