// Package list has lists and queues whose values know their place, so that any can be taken out.
package list

import (
	"container/heap"
	"maps"
)

// List is a list of values in order. A value has a link for each list that it can be in at once.
type List[T any] struct{ head, tail *Link[T] }

// Link is the place of a value in a list.
type Link[T any] struct {
	in         *List[T] // nil: none
	of         *T
	prev, next *Link[T]
}

// Push puts a value behind all others.
func (q *List[T]) Push(l *Link[T], v *T) {
	*l = Link[T]{in: q, of: v, prev: q.tail}
	if q.tail == nil {
		q.head = l
	} else {
		q.tail.next = l
	}
	q.tail = l
}

// PushFront puts a value before all others.
func (q *List[T]) PushFront(l *Link[T], v *T) {
	*l = Link[T]{in: q, of: v, next: q.head}
	if q.head == nil {
		q.tail = l
	} else {
		q.head.prev = l
	}
	q.head = l
}

// Leave takes a link out of its list, if it is in one.
func (l *Link[T]) Leave() {
	q := l.in
	if q == nil {
		return
	}
	if l.prev == nil {
		q.head = l.next
	} else {
		l.prev.next = l.next
	}
	if l.next == nil {
		q.tail = l.prev
	} else {
		l.next.prev = l.prev
	}
	*l = Link[T]{}
}

// Following returns the next value; nil if there is none.
func (l *Link[T]) Following() *T {
	if l.next == nil {
		return nil
	}
	return l.next.of
}

// In reports whether a link is in a list.
func (l *Link[T]) In(q *List[T]) bool { return l.in == q && q != nil }

// Empty reports whether a list has no values.
func (q *List[T]) Empty() bool { return q.head == nil }

// First returns the first value; nil if there is none.
func (q *List[T]) First() *T {
	if q.head == nil {
		return nil
	}
	return q.head.of
}

// Last returns the last value; nil if there is none.
func (q *List[T]) Last() *T {
	if q.tail == nil {
		return nil
	}
	return q.tail.of
}

// Queue is a priority queue that knows the place of each value, so that any can be moved or taken
// out. Of values that compare as equal, the one that was put first comes first.
type Queue[T any] struct {
	entries []entry[T]
	serial  uint64
	compare func(a, b *T) int
	place   func(*T) *int // in entries, plus one; 0: not there
}

type entry[T any] struct {
	value  *T
	serial uint64
}

// NewQueue returns an empty queue. Place returns where a value keeps its place.
func NewQueue[T any](compare func(a, b *T) int, place func(*T) *int) Queue[T] {
	return Queue[T]{compare: compare, place: place}
}

// Len returns the number of values.
func (q *Queue[T]) Len() int { return len(q.entries) }

// First returns the value that comes first; nil if there is none.
func (q *Queue[T]) First() *T {
	if len(q.entries) == 0 {
		return nil
	}
	return q.entries[0].value
}

// Put adds a value, or moves it if it is there.
func (q *Queue[T]) Put(v *T) {
	q.serial++
	if at := *q.place(v); at > 0 {
		q.entries[at-1].serial = q.serial
	} else {
		q.entries = append(q.entries, entry[T]{v, q.serial})
		*q.place(v) = len(q.entries)
	}
	heap.Fix((*byPlace[T])(q), *q.place(v)-1)
}

// Drop takes a value out, if it is there.
func (q *Queue[T]) Drop(v *T) {
	if at := *q.place(v); at > 0 {
		heap.Remove((*byPlace[T])(q), at-1)
	}
}

// byPlace is a queue as package heap sees it.
type byPlace[T any] Queue[T]

func (q *byPlace[T]) Len() int { return len(q.entries) }

func (q *byPlace[T]) Less(i, j int) bool {
	a, b := q.entries[i], q.entries[j]
	c := q.compare(a.value, b.value)
	return c < 0 || c == 0 && a.serial < b.serial
}

func (q *byPlace[T]) Swap(i, j int) {
	e := q.entries
	e[i], e[j] = e[j], e[i]
	*q.place(e[i].value), *q.place(e[j].value) = i+1, j+1
}

// Push is not called.
func (q *byPlace[T]) Push(any) {}

// Pop takes the last entry out. It returns nothing, since that would cost an allocation.
func (q *byPlace[T]) Pop() any {
	last := len(q.entries) - 1
	*q.place(q.entries[last].value) = 0
	q.entries[last] = entry[T]{}
	q.entries = Shrunk(q.entries[:last])
	return nil
}

// Index finds values by hash. Values of one hash are a chain, which their next field links.
type Index[T any] struct {
	first map[uint64]*T
	next  func(*T) **T
	peak  int // entries, since the map was copied last
}

// NewIndex returns an empty index. Next returns where a value keeps the next of its hash.
func NewIndex[T any](next func(*T) **T) Index[T] {
	return Index[T]{first: map[uint64]*T{}, next: next}
}

// First returns the first value of a hash; nil if there is none.
func (x *Index[T]) First(hash uint64) *T { return x.first[hash] }

// Hashes returns the number of different hashes.
func (x *Index[T]) Hashes() int { return len(x.first) }

// Insert adds a value.
func (x *Index[T]) Insert(hash uint64, v *T) {
	*x.next(v) = x.first[hash]
	x.first[hash] = v
	x.peak = max(x.peak, len(x.first))
}

// Remove takes a value out. It copies a map that is under a quarter full, because maps do not
// shrink.
func (x *Index[T]) Remove(hash uint64, v *T) {
	link, head := x.next, x.first[hash]
	switch rest := *link(v); {
	case head != v:
		for *link(head) != v {
			head = *link(head)
		}
		*link(head) = rest
	case rest != nil:
		x.first[hash] = rest
	default:
		delete(x.first, hash)
	}
	if x.peak > leastPeak && len(x.first) < x.peak/4 {
		small := make(map[uint64]*T, len(x.first))
		maps.Copy(small, x.first)
		x.first, x.peak = small, len(small)
	}
}

// leastPeak is the size from which memory is given back.
const leastPeak = 256

// Shrunk gives memory back that a slice no longer needs.
func Shrunk[T any](s []T) []T {
	if cap(s) > leastPeak && len(s) < cap(s)/4 {
		return append(make([]T, 0, 2*len(s)), s...)
	}
	return s
}
