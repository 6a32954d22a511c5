package dispatch

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// world drives a dispatcher as a broadcaster does, in simulated time: shards with items, workers, and a server in trouble.
type world struct {
	rng    *rand.Rand
	d      *Dispatcher
	opts   Options
	now    time.Duration
	moves  moves
	serial int
	shards []*fakeShard
	flying int

	answer   func(*item) (runtime.Answer, time.Duration) // and how long it takes
	recorded []*item
	stored   []*item
	refused  []*item
	calls    []call
	trace    func(format string, args ...any)
}

// item is one write.
type item struct {
	namespace, object string
	reason            string // for what the server denies
	door              correlator.Door
	kind              correlator.Kind
	ready             time.Duration // when it was ready first
	attempts          int
}

// call is one call of the server.
type call struct {
	item       *item
	begin, end time.Duration
	outcome    runtime.Outcome
	try        bool
}

// fakeShard holds what waits, by lane.
type fakeShard struct {
	lanes map[laneKey]*fakeLane
	byID  []*fakeLane
}

type fakeLane struct {
	key   laneKey
	id    uint32
	items [correlator.Kinds][]*item
}

func (l *fakeLane) at(k correlator.Kind) *correlator.Lane {
	return &correlator.Lane{ID: l.id, Namespace: l.key.namespace, Door: l.key.door, Kind: k}
}

func (s *fakeShard) lane(key laneKey) *fakeLane {
	l := s.lanes[key]
	if l == nil {
		l = &fakeLane{key: key, id: uint32(len(s.byID))}
		s.byID = append(s.byID, l)
		s.lanes[key] = l
	}
	return l
}

// forget ends lanes that hold nothing, and gives their names to others.
func (s *fakeShard) forget() {
	var kept []*fakeLane
	for _, l := range s.byID {
		if len(l.items[correlator.Warning])+len(l.items[correlator.Normal])+len(l.items[correlator.Retry]) > 0 {
			kept = append(kept, l)
		}
	}
	if len(kept) > 0 {
		return // names in use stay
	}
	s.byID, s.lanes = nil, map[laneKey]*fakeLane{}
}

type move struct {
	at     time.Duration
	serial int
	do     func()
}

type moves []move

func (m moves) Len() int { return len(m) }
func (m moves) Less(i, j int) bool {
	return m[i].at < m[j].at || (m[i].at == m[j].at && m[i].serial < m[j].serial)
}
func (m moves) Swap(i, j int) { m[i], m[j] = m[j], m[i] }
func (m *moves) Push(x any)   { *m = append(*m, x.(move)) }
func (m *moves) Pop() any {
	v := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return v
}

func newWorld(rng *rand.Rand, workers, shards int) *world {
	w := &world{rng: rng, opts: Options{Workers: workers, Shards: shards, Delay: time.Second, MaxDelay: 10 * time.Second, MaxPatience: 5 * time.Minute}}
	w.d = New(w.opts)
	for range shards {
		w.shards = append(w.shards, &fakeShard{lanes: map[laneKey]*fakeLane{}})
	}
	w.trace = func(string, ...any) {}
	return w
}

func (w *world) at(t time.Duration, do func()) {
	w.serial++
	heap.Push(&w.moves, move{at: t, serial: w.serial, do: do})
}

func (w *world) shardOf(i *item) int {
	h := uint64(0)
	for _, c := range i.namespace + "/" + i.object {
		h = h*31 + uint64(c)
	}
	return int(h*0x9e3779b97f4a7c15>>33) % len(w.shards)
}

// offer makes an item ready.
func (w *world) offer(i *item, k correlator.Kind) {
	n := w.shardOf(i)
	l := w.shards[n].lane(laneKey{i.namespace, i.door})
	l.items[k] = append(l.items[k], i)
	if w.d.Ready(n, l.at(k), w.now) || w.d.Busy() { // else nobody looks, as at the desk
		w.work()
	}
}

// record offers a new item.
func (w *world) record(i *item) {
	i.ready = w.now
	w.recorded = append(w.recorded, i)
	w.offer(i, i.kind)
}

// work has every worker that is free take a job.
func (w *world) work() {
	for {
		j, at, ok := w.d.Take(w.now)
		if !ok {
			if at >= 0 {
				w.at(max(at, w.now), w.work)
			}
			return
		}
		w.serve(j)
	}
}

func (w *world) serve(j Job) {
	s := w.shards[j.Shard]
	var l *fakeLane
	if int(j.Lane.ID) < len(s.byID) {
		l = s.byID[j.Lane.ID]
	}
	if l == nil || l.key != (laneKey{j.Lane.Namespace, j.Lane.Door}) {
		if j.Refuse {
			w.d.Refused(&j, false)
			return
		}
		w.d.Nothing(&j)
		return
	}
	if j.Refuse {
		w.refuse(&j, l)
		return
	}
	if len(l.items[j.Lane.Kind]) == 0 {
		w.d.Nothing(&j)
		return
	}
	i := l.items[j.Lane.Kind][0]
	l.items[j.Lane.Kind] = l.items[j.Lane.Kind][1:]
	if len(l.items[j.Lane.Kind]) > 0 {
		w.d.Ready(j.Shard, l.at(j.Lane.Kind), w.now)
	}
	a, takes := w.answer(i)
	w.flying++
	begin := w.now
	w.at(w.now+takes, func() {
		w.flying--
		w.calls = append(w.calls, call{item: i, begin: begin, end: w.now, outcome: a.Outcome, try: j.try})
		w.done(&j, i, a)
		w.work()
	})
}

func (w *world) refuse(j *Job, l *fakeLane) {
	more := 2 // in small steps
	for k := range l.items {
		for len(l.items[k]) > 0 && more > 0 {
			w.refused = append(w.refused, l.items[k][0])
			l.items[k] = l.items[k][1:]
			more--
		}
	}
	w.d.Refused(j, len(l.items[0])+len(l.items[1])+len(l.items[2]) > 0)
}

func (w *world) done(j *Job, i *item, a runtime.Answer) {
	v := w.d.Done(j, objectHash(i), &a, w.now)
	w.trace("%v %s/%s door %d %v try %d: %v scope %v fate %d %v", w.now, i.namespace, i.object, i.door, j.Lane.Kind, i.attempts, a.Outcome, a.Scope, v.Fate, v.News)
	switch {
	case v.Fate == correlator.Kept:
		w.offer(i, i.kind)
	case v.Fate == correlator.Refused:
		w.refused = append(w.refused, i)
	case a.Outcome == runtime.Retry:
		i.attempts++
		delay := min(time.Second<<min(i.attempts-1, 10), 10*time.Second)
		w.at(w.now+delay, func() { w.offer(i, correlator.Retry) })
	default:
		w.stored = append(w.stored, i)
	}
	if w.rng.IntN(8) == 0 {
		w.shards[w.rng.IntN(len(w.shards))].forget()
	}
}

func objectHash(i *item) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range i.namespace + "/" + i.object {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// run plays until nothing is left to do, or the time is over.
func (w *world) run(until time.Duration) {
	for len(w.moves) > 0 && w.moves[0].at <= until {
		m := heap.Pop(&w.moves).(move)
		w.now = max(w.now, m.at)
		m.do()
	}
	w.now = until
}

func (w *world) waiting() (n int) {
	for _, s := range w.shards {
		for _, l := range s.byID {
			for k := range l.items {
				n += len(l.items[k])
			}
		}
	}
	return n
}

func (i *item) String() string {
	return fmt.Sprintf("%s/%s door %d ready %v tries %d", i.namespace, i.object, i.door, i.ready, i.attempts)
}
