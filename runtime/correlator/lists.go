package correlator

import (
	"container/heap"
	"maps"
)

// list is a list of values in order. A value has a link for each list that it can be in at once.
type list[T any] struct{ head, tail *link[T] }

type link[T any] struct {
	in         *list[T] // nil: none
	of         *T
	prev, next *link[T]
}

func (q *list[T]) push(l *link[T], v *T) {
	*l = link[T]{in: q, of: v, prev: q.tail}
	if q.tail == nil {
		q.head = l
	} else {
		q.tail.next = l
	}
	q.tail = l
}

// unshift puts a value before all others.
func (q *list[T]) unshift(l *link[T], v *T) {
	*l = link[T]{in: q, of: v, next: q.head}
	if q.head == nil {
		q.tail = l
	} else {
		q.head.prev = l
	}
	q.head = l
}

// leave takes a link out of its list, if it is in one.
func (l *link[T]) leave() {
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
	*l = link[T]{}
}

// following returns the next value; nil if there is none.
func (l *link[T]) following() *T {
	if l.next == nil {
		return nil
	}
	return l.next.of
}

func (q *list[T]) empty() bool { return q.head == nil }

// first returns the first value; nil if there is none.
func (q *list[T]) first() *T {
	if q.head == nil {
		return nil
	}
	return q.head.of
}

// last returns the last value; nil if there is none.
func (q *list[T]) last() *T {
	if q.tail == nil {
		return nil
	}
	return q.tail.of
}

// queue is a priority queue that knows the place of each value, so that any can be moved or taken
// out.
type queue[T any] struct {
	values []*T
	before func(a, b *T) bool
	place  func(*T) *int // in values, plus one; 0: not there
}

func (q *queue[T]) Len() int           { return len(q.values) }
func (q *queue[T]) Less(i, j int) bool { return q.before(q.values[i], q.values[j]) }

func (q *queue[T]) Swap(i, j int) {
	v := q.values
	v[i], v[j] = v[j], v[i]
	*q.place(v[i]), *q.place(v[j]) = i+1, j+1
}

func (q *queue[T]) Push(x any) {
	q.values = append(q.values, x.(*T))
	*q.place(x.(*T)) = len(q.values)
}

func (q *queue[T]) Pop() any {
	last := len(q.values) - 1
	v := q.values[last]
	q.values[last] = nil
	q.values = shrunk(q.values[:last])
	*q.place(v) = 0
	return v
}

// first returns the value that comes first; nil if there is none.
func (q *queue[T]) first() *T {
	if len(q.values) == 0 {
		return nil
	}
	return q.values[0]
}

// put adds a value, or moves it if it is there.
func (q *queue[T]) put(v *T) {
	if at := *q.place(v); at > 0 {
		heap.Fix(q, at-1)
		return
	}
	heap.Push(q, v)
}

// drop takes a value out, if it is there.
func (q *queue[T]) drop(v *T) {
	if at := *q.place(v); at > 0 {
		heap.Remove(q, at-1)
	}
}

// index finds values by hash. Values of one hash are a chain, which their next field links.
type index[T any] struct {
	first map[uint64]*T
	next  func(*T) **T
	peak  int // entries, since the map was copied last
}

func newIndex[T any](next func(*T) **T) index[T] {
	return index[T]{first: map[uint64]*T{}, next: next}
}

func (x *index[T]) insert(hash uint64, v *T) {
	*x.next(v) = x.first[hash]
	x.first[hash] = v
	x.peak = max(x.peak, len(x.first))
}

// remove copies a map that is under a quarter full, because maps do not shrink.
func (x *index[T]) remove(hash uint64, v *T) {
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

// shrunk gives memory back that a slice no longer needs.
func shrunk[T any](s []T) []T {
	if cap(s) > leastPeak && len(s) < cap(s)/4 {
		return append(make([]T, 0, 2*len(s)), s...)
	}
	return s
}
