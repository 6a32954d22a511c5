package correlator

// dueHeap orders identities by their key, the moment at which they are to be written: a binary heap in which each
// identity knows its place, so that it can be moved or taken out. Equal keys come out in the order they went in.
type dueHeap struct {
	entries []heapEntry
	actives *slab[active]
	serial  uint64
}

type heapEntry struct {
	key    int64
	serial uint64
	id     ref
	active ref
}

func (e *heapEntry) before(o *heapEntry) bool {
	if e.key != o.key {
		return e.key < o.key
	}
	return e.serial < o.serial
}

// set puts an identity at key, whether it was in the heap or not.
func (h *dueHeap) set(id, active ref, key int64) {
	i := int(h.actives.at(active).heapPlace) - 1
	if i < 0 {
		h.serial++
		h.entries = append(h.entries, heapEntry{key: key, serial: h.serial, id: id, active: active})
		h.up(len(h.entries) - 1)
		return
	}
	h.entries[i].key = key
	h.fix(i)
}

// remove takes an identity out, if it is in.
func (h *dueHeap) remove(active ref) {
	a := h.actives.at(active)
	i := int(a.heapPlace) - 1
	if i < 0 {
		return
	}
	a.heapPlace = 0
	last := len(h.entries) - 1
	moved := h.entries[last]
	h.entries = h.entries[:last]
	if i == last {
		return
	}
	h.place(i, moved)
	h.fix(i)
}

// min is the identity with the least key; none if the heap is empty.
func (h *dueHeap) min() (id ref, key int64, ok bool) {
	if len(h.entries) == 0 {
		return 0, 0, false
	}
	return h.entries[0].id, h.entries[0].key, true
}

func (h *dueHeap) fix(i int) {
	if i > 0 && h.entries[i].before(&h.entries[(i-1)/2]) {
		h.up(i)
		return
	}
	h.down(i)
}

func (h *dueHeap) up(i int) {
	e := h.entries[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(&h.entries[parent]) {
			break
		}
		h.place(i, h.entries[parent])
		i = parent
	}
	h.place(i, e)
}

func (h *dueHeap) down(i int) {
	e := h.entries[i]
	for {
		child := 2*i + 1
		if child >= len(h.entries) {
			break
		}
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

func (h *dueHeap) place(i int, e heapEntry) {
	h.entries[i] = e
	h.actives.at(e.active).heapPlace = uint32(i + 1)
}
