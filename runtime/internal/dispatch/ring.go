package dispatch

// ring is a queue that uses its room again.
type ring[T any] struct {
	items []T
	head  int
	n     int
}

func (r *ring[T]) len() int { return r.n }

func (r *ring[T]) push(v T) {
	if r.n == len(r.items) {
		grown := make([]T, max(8, 2*r.n))
		for i := range r.n {
			grown[i] = r.items[(r.head+i)%r.n]
		}
		r.items, r.head = grown, 0
	}
	r.items[(r.head+r.n)%len(r.items)] = v
	r.n++
}

func (r *ring[T]) pop() (v T) {
	v, r.items[r.head] = r.items[r.head], v
	r.head = (r.head + 1) % len(r.items)
	r.n--
	return v
}
