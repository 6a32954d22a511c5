package store

// index finds records by hash: a table with open addressing that holds each record's hash beside its reference. So growing
// it reads no record, and looking up what is not there reads none either.
type index struct {
	places  []place // a power of two of them
	entries int
}

type place struct {
	hash uint32
	ref  ref // 0: free
}

const (
	smallestIndex = 64
	placeBytes    = 8
)

// first returns the place and the reference of the first record with a hash, and next those of the next. The reference is 0 if there is none.
func (x *index) first(hash uint32) (at uint32, r ref) {
	if len(x.places) == 0 {
		return 0, 0
	}
	return x.from(hash, hash)
}

func (x *index) next(hash, at uint32) (uint32, ref) { return x.from(hash, at+1) }

func (x *index) from(hash, at uint32) (uint32, ref) {
	mask := uint32(len(x.places) - 1)
	for ; ; at++ {
		if p := &x.places[at&mask]; p.ref == 0 || p.hash == hash {
			return at, p.ref
		}
	}
}

func (x *index) insert(hash uint32, r ref) {
	if 5*(x.entries+1) > 4*len(x.places) { // mutate: no power of two is divisible by five
		x.resize(max(smallestIndex, 2*len(x.places)))
	}
	x.entries++
	x.put(place{hash, r})
}

func (x *index) put(p place) {
	mask := uint32(len(x.places) - 1)
	at := p.hash & mask
	for x.places[at].ref != 0 {
		at = (at + 1) & mask
	}
	x.places[at] = p
}

// remove closes the gap that it makes with those that would have stood there.
func (x *index) remove(hash uint32, r ref) {
	mask := uint32(len(x.places) - 1)
	gap := hash & mask
	for x.places[gap].ref != r {
		gap = (gap + 1) & mask
	}
	for at := (gap + 1) & mask; x.places[at].ref != 0; at = (at + 1) & mask {
		if home := x.places[at].hash & mask; (at-home)&mask >= (at-gap)&mask {
			x.places[gap], gap = x.places[at], at
		}
	}
	x.places[gap] = place{}
	x.entries--
	if len(x.places) > smallestIndex &&
		x.entries < len(x.places)/8 { // mutate: with one entry more it may shrink, too
		x.resize(len(x.places) / 2)
	}
}

func (x *index) resize(size int) {
	old := x.places
	x.places = make([]place, size)
	for _, p := range old {
		if p.ref != 0 {
			x.put(p)
		}
	}
}
