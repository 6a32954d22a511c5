package clientgo

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// drainTime is the time for which Shutdown, Stop and the end of a context write pending events.
const drainTime = 10 * time.Second

// hub is the common part of both groups' broadcasters: it hands events to recordings and watchers, accounts for those that
// reach neither, and ends them. It is safe for concurrent use.
type hub struct {
	config   config
	say      voice
	defs     definitions
	asObject func(*runtime.Event) k8sruntime.Object // what watchers see
	watchers *watchers

	rejected atomic.Uint64
	unheard  sync.Once

	current atomic.Pointer[[]*recording] // recordings, for who records; nil once the hub was shut down

	mu         sync.RWMutex // never held while an event is recorded, which may call the host's functions
	recordings []*recording // changed by takeOn only
	stopping   map[*recording]struct{}
	past       runtime.Stats // of recordings that have ended
	ended      bool
	detach     map[awaited]func() bool // from contexts whose end would do something

	drains       context.Context // of recordings that were stopped one by one
	cancelDrains context.CancelFunc
	done         chan struct{}
	result       error // once done is closed
}

func newHub(c config, merged bool, asObject func(*runtime.Event) k8sruntime.Object) *hub {
	h := &hub{
		config:   c,
		say:      c.voice,
		defs:     definitions{merged: merged},
		asObject: asObject,
		watchers: newWatchers(c.full, c.voice),
		stopping: map[*recording]struct{}{},
		detach:   map[awaited]func() bool{},
		done:     make(chan struct{}),
	}
	h.takeOn(nil)
	h.drains, h.cancelDrains = context.WithCancel(context.Background())
	h.until(c.ctx, h, h.shutdownInTime)
	return h
}

// awaited is the end of a context, and its waiter.
type awaited struct {
	done <-chan struct{}
	by   any
}

// running returns an error once the hub was shut down.
func (h *hub) running() error {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.ended {
		return errStopped
	}
	return nil
}

// until has f called when ctx ends, unless the hub is shut down before. What is kept for that is let go then. It returns false,
// and does nothing, if the same end is awaited by the same already.
func (h *hub) until(ctx context.Context, by any, f func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	k := awaited{ctx.Done(), by}
	if h.ended || k.done == nil {
		return true
	}
	if _, found := h.detach[k]; found {
		return false
	}
	h.detach[k] = context.AfterFunc(ctx, func() {
		h.forget(k)
		f()
	})
	return true
}

func (h *hub) forget(k awaited) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.detach, k)
}

func (h *hub) definition(k definitionKey) *runtime.Definition { return h.defs.get(k) }

// publish hands an event to recordings and watchers. It returns an error if recording has ended.
func (h *hub) publish(e *runtime.Event) error {
	e.SetTime(h.config.clock.Now().Wall)
	if err := h.record(e); err != nil {
		return err
	}
	if h.watchers.any() {
		shown := *e // else every event would be allocated
		h.watchers.show(h.asObject(&shown))
	}
	return nil
}

// record hands an event to each recording. It holds no lock, since a key function may block.
func (h *hub) record(e *runtime.Event) error {
	list := h.current.Load()
	if list == nil {
		return errStopped
	}
	taken := false
	for _, r := range *list {
		taken = r.take(e) || taken
	}
	if !taken {
		h.rejected.Add(1)
		h.unheard.Do(h.sayUnheard)
	}
	return nil
}

// takeOn replaces the recordings that are handed events. The caller holds the lock.
func (h *hub) takeOn(list []*recording) {
	h.recordings = list
	h.current.Store(&list)
}

func (h *hub) sayUnheard() {
	h.say.info("An event was recorded while no sink was started; watchers see it, but it is not stored. Others are only counted")
}

// reject logs, in the words of client-go's recorders, that an event can't be recorded, and counts it.
func (h *hub) reject(say voice, err error, text string, about ...any) {
	h.rejected.Add(1)
	say.error(err, text, about...)
}

// start begins a recording. From now on it is handed each event.
func (h *hub) start(opts broadcaster.Options, folds *policy) (*recording, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return nil, errStopped
	}
	r, err := newRecording(h, opts, folds)
	if err != nil {
		return nil, err
	}
	h.takeOn(append(slices.Clip(h.recordings), r))
	return r, nil
}

// release takes a recording out, so that no event reaches it but those being recorded. It reports whether the recording was there.
func (h *hub) release(r *recording) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.Index(h.recordings, r)
	if i < 0 {
		return false
	}
	h.takeOn(slices.Concat(h.recordings[:i], h.recordings[i+1:]))
	h.stopping[r] = struct{}{}
	return true
}

// settle keeps the accounts of a recording that has ended and gets no further event.
func (h *hub) settle(r *recording) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, found := h.stopping[r]; !found {
		return // settled already, by the last call that came too late to be taken
	}
	delete(h.stopping, r)
	s := r.pipeline.Stats()
	s.Identities, s.Objects, s.Bytes = 0, 0, 0
	h.past.Add(&s)
}

// stats sums up the accounts of all recordings, and the events that no recording was handed.
func (h *hub) stats() runtime.Stats {
	h.mu.RLock()
	defer h.mu.RUnlock()
	sum := h.past
	for _, r := range slices.AppendSeq(slices.Clone(h.recordings), maps.Keys(h.stopping)) {
		s := r.stats()
		sum.Add(&s)
	}
	sum.Bytes += h.defs.held()
	rejected := h.rejected.Load()
	sum.Recorded += rejected
	sum.Lost.Rejected += rejected
	return sum
}
