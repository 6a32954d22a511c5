package broadcaster

import "sync"

// queue hands shards that have a write due to the workers. It wakes no more of them than there is work for: as long as one
// looks for work, what comes is its, and whoever records need not wake another. A worker that is about to be away, in the sink,
// first has another look in its place if something is left. So while anything is in the queue, a worker looks for it, or all are
// in the sink.
type queue struct {
	mu      sync.Mutex
	ring    []*shard // each shard is in it at most once
	head    int
	waiting int
	looking int // workers that have been woken and are not away
	resting []chan struct{}
}

func newQueue(shards int) *queue { return &queue{ring: make([]*shard, shards)} }

// push puts a shard forward.
func (q *queue) push(s *shard) {
	q.mu.Lock()
	q.ring[(q.head+q.waiting)%len(q.ring)] = s
	q.waiting++
	wake := q.another()
	q.mu.Unlock()
	signal(wake)
}

// another is a resting worker that has to look now, if one has to; it counts as looking from here on. The lock is held.
func (q *queue) another() (wake chan struct{}) {
	if q.waiting == 0 || q.looking > 0 || len(q.resting) == 0 {
		return nil
	}
	last := len(q.resting) - 1
	wake, q.resting = q.resting[last], q.resting[:last]
	q.looking++
	return wake
}

// signal ends the rest of a worker. The channel has room for one value, and a worker that rests is woken once.
func signal(wake chan struct{}) {
	if wake != nil {
		wake <- struct{}{}
	}
}

// take is the shard whose turn it is. If there is none, the worker, which has been looking, rests until wake fires.
func (q *queue) take(wake chan struct{}) *shard {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting == 0 {
		q.looking--
		q.resting = append(q.resting, wake)
		return nil
	}
	s := q.ring[q.head]
	q.ring[q.head] = nil
	q.head = (q.head + 1) % len(q.ring)
	q.waiting--
	return s
}

// away is called by a worker that looks, before it may be held up.
func (q *queue) away() {
	q.mu.Lock()
	q.looking--
	wake := q.another()
	q.mu.Unlock()
	signal(wake)
}

// back is called by a worker that begins to look, or does so again.
func (q *queue) back() {
	q.mu.Lock()
	q.looking++
	q.mu.Unlock()
}
