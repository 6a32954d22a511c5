package dispatch

import (
	"container/heap"
)

// sickScopes are the sick scopes that hold lanes and have no try in flight. fresh are scopes with a lane that is not known to fail. They go
// first, because a healthy lane may be among theirs.
type sickScopes struct{ fresh, failing sickHeap }

func (s *sickScopes) heapOf(t *trouble) *sickHeap {
	if t.fresh {
		return &s.fresh
	}
	return &s.failing
}

// await queues a sick scope for its next try.
func (s *sickScopes) await(t *trouble) {
	s.remove(t)
	if t.sick && t.tries == 0 && t.holds() {
		t.fresh = t.holdsFresh()
		heap.Push(s.heapOf(t), t)
	}
}

func (s *sickScopes) remove(t *trouble) {
	if t.place > 0 {
		heap.Remove(s.heapOf(t), t.place-1)
	}
}

// sickHeap orders sick scopes that hold lanes by when they may be tried.
type sickHeap []*trouble

func (h sickHeap) Len() int           { return len(h) }
func (h sickHeap) Less(i, j int) bool { return h[i].due() < h[j].due() }
func (h sickHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i+1, j+1
}

func (h *sickHeap) Push(x any) {
	t := x.(*trouble)
	*h = append(*h, t)
	t.place = len(*h)
}

func (h *sickHeap) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	t.place = 0
	return t
}
