package store

import "time"

// heap orders works by moment, equal moments by serial: a binary heap of references. Each work notes where it stands, plus one, in line.prev, so that it can be
// moved or taken out.
type heap struct {
	entries []entry
	works   *slab[Work]
}

type entry struct {
	at     time.Duration
	serial uint32 // of a counter that may begin anew
	ref    ref
}

func (e *entry) before(o *entry) bool {
	if e.at != o.at {
		return e.at < o.at // mutate: they differ
	}
	return e.serial < o.serial // mutate: no two are equal
}

// set puts a work where its moment and serial say, whether it was in the heap or not.
func (h *heap) set(e entry) {
	if place := h.works.at(e.ref).line.prev; place > 0 {
		h.fix(int(place-1), e)
		return
	}
	h.entries = append(h.entries, e)
	h.fix(len(h.entries)-1, e)
}

// remove takes a work out, if it is in.
func (h *heap) remove(w *Work) {
	if w.line.prev > 0 {
		h.takeOut(w)
	}
}

func (h *heap) takeOut(w *Work) {
	i := int(w.line.prev - 1)
	w.line.prev = 0
	last := len(h.entries) - 1
	moved := h.entries[last]
	h.entries = h.entries[:last]
	if i != last {
		h.fix(i, moved)
	}
}

// first is the earliest entry; false if there is none.
func (h *heap) first() (entry, bool) {
	if len(h.entries) == 0 {
		return entry{}, false
	}
	return h.entries[0], true
}

// fix finds the place of an entry from a free one.
func (h *heap) fix(i int, e entry) {
	for ; i > 0 && e.before(&h.entries[(i-1)/2]); i = (i - 1) / 2 {
		h.place(i, h.entries[(i-1)/2])
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

func (h *heap) place(i int, e entry) {
	h.entries[i] = e
	h.works.at(e.ref).line.prev = ref(i + 1)
}
