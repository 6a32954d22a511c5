package store

// heap orders records by key, equal keys by serial: a binary heap of references. Where each of them stands is noted in places,
// so that it can be moved or taken out. Heaps that never hold the same record share one places.
type heap struct {
	entries []entry
	places  *places
}

// places is where each record stands in its heap, plus one; 0: in none.
type places []uint32

type entry struct {
	key    int64
	serial uint32 // of a counter that may begin anew
	ref    ref
}

func (e *entry) before(o *entry) bool {
	if e.key != o.key {
		return e.key < o.key
	}
	return e.serial < o.serial
}

func (p *places) of(r ref) uint32 {
	if int(r) >= len(*p) {
		return 0
	}
	return (*p)[r]
}

// set puts a record where its key and serial say, whether it was in the heap or not.
func (h *heap) set(e entry) {
	if at := h.places.of(e.ref); at > 0 {
		h.fix(int(at-1), e)
		return
	}
	for int(e.ref) >= len(*h.places) {
		*h.places = append(*h.places, 0)
	}
	h.entries = append(h.entries, e)
	h.up(len(h.entries)-1, e)
}

// remove takes a record out, if it is in.
func (h *heap) remove(r ref) {
	i := int(h.places.of(r)) - 1
	if i < 0 {
		return
	}
	(*h.places)[r] = 0
	last := len(h.entries) - 1
	moved := h.entries[last]
	h.entries = h.entries[:last]
	if i != last {
		h.fix(i, moved)
	}
}

// first is the entry with the least key; false if there is none.
func (h *heap) first() (entry, bool) {
	if len(h.entries) == 0 {
		return entry{}, false
	}
	return h.entries[0], true
}

// fix finds the place of an entry from a free one.
func (h *heap) fix(i int, e entry) {
	if i > 0 && e.before(&h.entries[(i-1)/2]) {
		h.up(i, e)
		return
	}
	for child := 2*i + 1; child < len(h.entries); child = 2*i + 1 {
		if child+1 < len(h.entries) && h.entries[child+1].before(&h.entries[child]) {
			child++
		}
		if !h.entries[child].before(&e) {
			break
		}
		h.place(i, h.entries[child])
		i = child
	}
	h.place(i, e)
}

func (h *heap) up(i int, e entry) {
	for i > 0 && e.before(&h.entries[(i-1)/2]) {
		h.place(i, h.entries[(i-1)/2])
		i = (i - 1) / 2
	}
	h.place(i, e)
}

func (h *heap) place(i int, e entry) {
	h.entries[i] = e
	(*h.places)[e.ref] = uint32(i + 1)
}
