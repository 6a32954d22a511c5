package broadcaster

import (
	"cmp"
	"sync"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/dispatch"
)

// desk hands jobs to the workers. It wakes only as many workers as there is work for: while one worker looks for work, it takes what comes,
// and a recording goroutine need not wake another. A worker that is about to call the sink wakes another worker if
// work is left.
type desk struct {
	mu      sync.Mutex
	jobs    *dispatch.Dispatcher
	looking int // workers that have been woken and are not away
	resting []chan struct{}
	running int           // workers in all
	regular int           // workers that stay
	lookAt  time.Duration // when the scheduler has to wake a worker; negative: never
}

func newDesk(o *Options) *desk {
	return &desk{
		jobs: dispatch.New(dispatch.Options{
			Workers: o.Workers, Shards: o.Shards,
			Delay:       cmp.Or(o.Correlator.RetryDelay, correlator.DefaultRetryDelay),
			MaxDelay:    cmp.Or(o.Correlator.MaxRetryDelay, correlator.DefaultMaxRetryDelay),
			MaxPatience: correlator.DefaultMaxInterval,
		}),
		looking: o.Workers, running: o.Workers, regular: o.Workers, lookAt: -1,
	}
}

// ready takes up the lanes that have fallen due in a shard. It reports whether the scheduler has to wake earlier.
func (d *desk) ready(shard int, lanes []correlator.Lane, now time.Duration) (later bool) {
	if len(lanes) == 0 {
		return false
	}
	d.mu.Lock()
	sooner := false
	for i := range lanes {
		sooner = d.jobs.Ready(shard, &lanes[i], now) || sooner
	}
	wake, later := d.another()
	if sooner && d.looking == 0 {
		later = d.lookBy(d.jobs.NextTry(now)) || later
	}
	d.mu.Unlock()
	signal(wake)
	return later
}

// another returns a resting worker that has to look now, if any; it counts as looking from now on. If all workers are held up and
// there is work, stuck calls make room for other calls; later then reports whether the scheduler has to wake earlier.
// The lock is held.
func (d *desk) another() (wake chan struct{}, later bool) {
	if d.looking > 0 || !d.jobs.Busy() {
		return nil, false
	}
	if len(d.resting) == 0 {
		return nil, d.lookBy(d.jobs.Relief())
	}
	last := len(d.resting) - 1
	wake, d.resting = d.resting[last], d.resting[:last]
	d.looking++
	return wake, false
}

// signal wakes a resting worker. The channel has room for one value, and a resting worker is woken once.
func signal(wake chan struct{}) {
	if wake != nil {
		wake <- struct{}{}
	}
}

// take returns the next job of a worker that looks. If there is none, the worker rests until wake fires; rests is false if there are
// enough workers without this one. Later reports whether the scheduler has to wake earlier.
func (d *desk) take(wake chan struct{}, now time.Duration) (j dispatch.Job, found, later, rests bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	j, at, found := d.jobs.Take(now)
	if found {
		return j, true, d.lookBy(d.jobs.NextTry(now)), true
	}
	d.looking--
	later = d.lookBy(at)
	if d.running > d.regular {
		d.running--
		return j, false, later, false
	}
	d.resting = append(d.resting, wake)
	return j, false, later, true
}

// lookBy makes the scheduler wake a worker at a given time, and reports whether the scheduler has to wake earlier for that. The lock is held.
func (d *desk) lookBy(at time.Duration) bool {
	if at < 0 || (d.lookAt >= 0 && d.lookAt <= at) {
		return false
	}
	d.lookAt = at
	return true
}

// away is called by a worker that looks, before a call that may hold it up. It reports whether the scheduler has to wake earlier.
func (d *desk) away() (later bool) {
	d.mu.Lock()
	d.looking--
	wake, later := d.another()
	d.mu.Unlock()
	signal(wake)
	return later
}

// look is called by the scheduler. It wakes a worker if the time has come, and reports whether no worker is left to wake, so that
// the caller must start another. Next is the next time to look; negative: none.
func (d *desk) look(now time.Duration) (start bool, next time.Duration) {
	d.mu.Lock()
	if d.lookAt < 0 || d.lookAt > now {
		next = d.lookAt
		d.mu.Unlock()
		return false, next
	}
	d.lookAt = -1
	var wake chan struct{}
	switch {
	case d.looking > 0:
	case len(d.resting) > 0:
		last := len(d.resting) - 1
		wake, d.resting = d.resting[last], d.resting[:last]
		d.looking++
	case d.running < 2*d.regular && d.regular > 1:
		d.running++
		d.looking++
		start = true
	}
	d.mu.Unlock()
	signal(wake)
	return start, -1
}

// nothing takes back a job for which the shard had no write.
func (d *desk) nothing(j *dispatch.Job) {
	d.mu.Lock()
	d.jobs.Nothing(j)
	d.mu.Unlock()
}

// refused ends a job that refuses events; more is true if the shard has more to refuse.
func (d *desk) refused(j *dispatch.Job, more bool) {
	d.mu.Lock()
	d.jobs.Refused(j, more)
	d.mu.Unlock()
}

// answered takes up the answer to a job's write, from a worker that looks again.
func (d *desk) answered(j *dispatch.Job, w *runtime.Write, a *runtime.Answer, now time.Duration) dispatch.Verdict {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.looking++
	return d.jobs.Done(j, uint64(w.Ticket.Object)<<8|uint64(j.Shard), a, now)
}

// drain tells the dispatcher that recording has ended.
func (d *desk) drain() {
	d.mu.Lock()
	d.jobs.Drain()
	d.mu.Unlock()
}

// hopeless reports whether a lane's scope was tried in vain often enough, even if not every event in the lane was tried.
func (d *desk) hopeless(namespace string, door correlator.Door) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.jobs.Hopeless(namespace, door, lastTries)
}

// inDoubt reports whether anything waits for the answer whether a right is missing.
func (d *desk) inDoubt() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.jobs.InDoubt()
}
