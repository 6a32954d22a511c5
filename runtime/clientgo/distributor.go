package clientgo

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// drainTime is the time for which Shutdown, Stop and the end of a context write pending events.
const drainTime = 10 * time.Second

// distributor is the common part of both groups' broadcasters: it hands events to recordings and
// watchers, accounts for those that reach neither, and ends them. It is safe for concurrent use.
type distributor struct {
	config   config
	log      klog.Logger
	defs     definitions
	asObject func(*eventrt.Event) k8sruntime.Object // what watchers see
	watchers *watchers

	rejected   atomic.Uint64
	unrecorded atomic.Bool // an event was, and that is logged

	// recordings, for who records; nil once the distributor was shut down
	current atomic.Pointer[[]*recording]

	// never held while an event is recorded, which may call the host's functions
	mu         sync.RWMutex
	recordings []*recording // changed by takeOn only
	stopping   map[*recording]struct{}
	past       eventrt.Stats // of recordings that have ended
	ended      bool
	detach     map[awaited]func() bool // from contexts whose end would do something

	drains       context.Context // of recordings that were stopped one by one
	cancelDrains context.CancelFunc
	done         chan struct{}
	result       error // once done is closed
}

func newDistributor(c config, merged bool, asObject func(*eventrt.Event) k8sruntime.Object) *distributor {
	d := &distributor{
		config:   c,
		log:      c.log,
		defs:     definitions{merged: merged},
		asObject: asObject,
		watchers: newWatchers(c.full, c.log),
		stopping: map[*recording]struct{}{},
		detach:   map[awaited]func() bool{},
		done:     make(chan struct{}),
	}
	d.takeOn(nil)
	d.drains, d.cancelDrains = context.WithCancel(context.Background())
	d.until(c.ctx, d, d.shutdownInTime)
	return d
}

// awaited is the end of a context, and its waiter.
type awaited struct {
	done <-chan struct{}
	by   any
}

// running returns an error once the distributor was shut down.
func (d *distributor) running() error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.ended {
		return errStopped
	}
	return nil
}

// until has f called when ctx ends, unless the distributor is shut down before. What is kept for
// that is let go then. It returns false, and does nothing, if the same end is awaited by the same
// already.
func (d *distributor) until(ctx context.Context, by any, f func()) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	k := awaited{ctx.Done(), by}
	if d.ended || k.done == nil {
		return true
	}
	if _, found := d.detach[k]; found {
		return false
	}
	d.detach[k] = context.AfterFunc(ctx, func() {
		d.forget(k)
		f()
	})
	return true
}

func (d *distributor) forget(k awaited) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.detach, k)
}

func (d *distributor) definition(k definitionKey) *eventrt.Definition { return d.defs.get(k) }

// redact calls the function of WithRedact. If it panics, a fixed word stands for the text.
func (d *distributor) redact(text string) (clean string) {
	if d.config.redact == nil {
		return text
	}
	clean = "<redacted>"
	defer func() { _ = recover() }()
	return d.config.redact(text)
}

// publish hands an event to recordings and watchers. It returns an error if recording has ended.
func (d *distributor) publish(e *eventrt.Event) error {
	internals.SetTime(e, time.Now().Round(0))
	if err := d.record(e); err != nil {
		return err
	}
	if d.watchers.any() {
		shown := *e // else every event would be allocated
		d.watchers.show(d.asObject(&shown))
	}
	return nil
}

// record hands an event to each recording. It holds no lock, since a key function may block.
func (d *distributor) record(e *eventrt.Event) error {
	list := d.current.Load()
	if list == nil {
		return errStopped
	}
	taken := false
	for _, r := range *list {
		taken = r.take(e) || taken
	}
	if !taken {
		d.rejected.Add(1)
		d.logUnrecorded()
	}
	return nil
}

// takeOn replaces the recordings that are handed events. The caller holds the lock.
func (d *distributor) takeOn(list []*recording) {
	d.recordings = list
	d.current.Store(&list)
}

func (d *distributor) logUnrecorded() {
	if !d.unrecorded.Swap(true) { // no Once, which would hold up others while a logger blocks
		d.log.Info("An event was recorded while no sink was started; watchers see it, but it is not stored. Others are only counted")
	}
}

// reject logs, in the words of client-go's recorders, that an event can't be recorded, and counts
// it.
func (d *distributor) reject(log klog.Logger, err error, text string, about ...any) {
	d.rejected.Add(1)
	log.Error(err, text, about...)
}

// start begins a recording. From now on it is handed each event.
func (d *distributor) start(opts broadcaster.Options, policy *policy) (*recording, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ended {
		return nil, errStopped
	}
	r, err := newRecording(d, opts, policy)
	if err != nil {
		return nil, err
	}
	d.takeOn(append(slices.Clip(d.recordings), r))
	return r, nil
}

// release takes a recording out, so that no event reaches it but those being recorded. It reports
// whether the recording was there.
func (d *distributor) release(r *recording) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.Index(d.recordings, r)
	if i < 0 {
		return false
	}
	d.takeOn(slices.Concat(d.recordings[:i], d.recordings[i+1:]))
	d.stopping[r] = struct{}{}
	return true
}

// settle keeps the accounts of a recording that has ended and gets no further event.
func (d *distributor) settle(r *recording) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, found := d.stopping[r]; !found {
		return // settled already, by the last call that came too late to be taken
	}
	delete(d.stopping, r)
	s := r.pipeline.Stats()
	s.Identities, s.Objects, s.Bytes = 0, 0, 0
	d.past.Add(&s)
}

// stats sums up the accounts of all recordings, and the events that no recording was handed.
func (d *distributor) stats() eventrt.Stats {
	d.mu.RLock()
	defer d.mu.RUnlock()
	sum := d.past
	for _, r := range slices.AppendSeq(slices.Clone(d.recordings), maps.Keys(d.stopping)) {
		s := r.stats()
		sum.Add(&s)
	}
	sum.Bytes += d.defs.held()
	rejected := d.rejected.Load()
	sum.Recorded += rejected
	sum.Lost.Rejected += rejected
	return sum
}
