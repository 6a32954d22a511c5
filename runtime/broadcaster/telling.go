package broadcaster

import (
	"sync"
	"time"
)

// lateAfter is how long a worker waits for an observer.
const lateAfter = time.Second

// telling watches over a worker's calls of observers. Its timer is that of the system: an observer holds up a goroutine, whatever
// Options.Clock says.
type telling struct {
	mu    sync.Mutex
	timer *time.Timer // nil before the first call
	to    *observer   // whom the worker calls; nil: nobody
	began time.Time
	left  *observer // has not come back, so that the worker has been left behind; nil: none
}

// begin notes a call. The function is called once it has lasted for lateAfter, in a goroutine of its own, and perhaps earlier.
func (t *telling) begin(o *observer, overdue func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.to, t.began = o, time.Now()
	if t.timer == nil {
		t.timer = time.AfterFunc(lateAfter, overdue)
		return
	}
	t.timer.Reset(lateAfter)
}

// end notes that the call has come back.
func (t *telling) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer.Stop()
	if t.to != nil && t.to == t.left {
		t.to.late.Add(-1)
	}
	t.to = nil
}

// leave leaves the worker behind if its call has lasted for too long: then it has another take over, and returns true.
func (t *telling) leave(replace func()) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.to == nil || t.left != nil || time.Since(t.began) < lateAfter {
		return false
	}
	t.left = t.to
	t.left.late.Add(1)
	replace() // under the lock: the worker can't end in between, and the group of workers not be empty
	return true
}

func (t *telling) isLeft() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.left != nil
}
