package broadcaster

import (
	"testing"

	"pgregory.net/rapid"
)

// queueWorker is what a worker does, step by step.
type queueWorker struct {
	wake  chan struct{}
	state workerState
}

type workerState uint8

const (
	looks workerState = iota
	holds             // a shard, and looks on after it has been away
	isAway
	rests
)

// TestNothingWaitsUnseen steps workers and those who push in any order, and holds that whatever waits is looked for, and that no
// more workers are woken than that takes.
func TestNothingWaitsUnseen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shards := make([]shard, rapid.IntRange(1, 5).Draw(t, "shards"))
		q := newQueue(len(shards))
		workers := make([]queueWorker, rapid.IntRange(1, 4).Draw(t, "workers"))
		for i := range workers {
			workers[i].wake = make(chan struct{}, 1)
			q.back()
		}
		in := map[*shard]bool{}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			if s := &shards[rapid.IntRange(0, len(shards)-1).Draw(t, "shard")]; !in[s] && rapid.Bool().Draw(t, "push") {
				in[s] = true
				q.push(s)
			} else {
				workers[rapid.IntRange(0, len(workers)-1).Draw(t, "worker")].step(t, q, in)
			}
			checkQueue(t, q, workers, len(in))
		}
	})
}

func (w *queueWorker) step(t *rapid.T, q *queue, in map[*shard]bool) {
	switch w.state {
	case looks:
		s := q.take(w.wake)
		if s == nil {
			w.state = rests
			return
		}
		if !in[s] {
			t.Fatal("a shard was taken that is not in the queue")
		}
		delete(in, s)
		w.state = holds
	case holds:
		q.away()
		w.state = isAway
	case isAway:
		q.back()
		w.state = looks
	case rests:
		select {
		case <-w.wake:
			w.state = looks
		default:
		}
	}
}

func checkQueue(t *rapid.T, q *queue, workers []queueWorker, waiting int) {
	looking, resting := 0, 0
	for _, w := range workers {
		switch {
		case w.state == looks, w.state == holds, len(w.wake) > 0:
			looking++
		case w.state == rests:
			resting++
		}
	}
	if q.waiting != waiting || q.looking != looking || len(q.resting) != resting {
		t.Fatalf("%d wait, %d look and %d rest; the queue says %d, %d and %d", waiting, looking, resting, q.waiting, q.looking, len(q.resting))
	}
	if waiting > 0 && looking == 0 && resting > 0 {
		t.Fatalf("%d wait, and nobody looks, though %d rest", waiting, resting)
	}
}

// TestTheQueueIsFair takes shards in the order in which they were put forward.
func TestTheQueueIsFair(t *testing.T) {
	shards := make([]shard, 3)
	q := newQueue(len(shards))
	q.back()
	for round := range 5 {
		for i := range shards {
			q.push(&shards[(i+round)%len(shards)])
		}
		for i := range shards {
			if q.take(nil) != &shards[(i+round)%len(shards)] {
				t.Fatalf("round %d: shard %d is not the %dth", round, (i+round)%len(shards), i)
			}
		}
	}
}
