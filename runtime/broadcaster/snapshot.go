package broadcaster

import (
	"cmp"
	"slices"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// Snapshot is the state of a broadcaster, for people who look for trouble. It holds no text of a message, only texts of
// definitions, names of objects, and errors of the sink's answers.
type Snapshot struct {
	Time     time.Time
	Stats    runtime.Stats
	Disabled bool // recording is switched off (SetEnabled)
	Ended    bool // Shutdown has begun
	// Troubles are the scopes that take no events for now, the widest first; none: all do.
	Troubles []Trouble
	// Reasons and Objects are the noisiest reasons and objects that are held, the noisiest first.
	Reasons []ReasonNoise
	Objects []ObjectNoise
	// Waiting are the events that wait longest to be written, the longest first.
	Waiting []Waiting
	// Refusals are the last writes that were refused, the latest first; equal refusals are joined.
	Refusals []Refusal
}

// Trouble is a scope that takes no events.
type Trouble struct {
	Scope     string // server, API group or namespace
	Namespace string // of a namespace
	For       time.Duration
	Err       string // of the last call when it began
}

// ReasonNoise counts the held occurrences of a {reason, kind}.
type ReasonNoise struct {
	Type, Reason     string
	APIVersion, Kind string
	Occurrences      uint64
	Events           int
}

// ObjectNoise counts the held occurrences of a regarding object.
type ObjectNoise struct {
	Regarding   runtime.ObjectRef
	Occurrences uint64
	Events      int
}

// Waiting is an event with occurrences that are not written yet.
type Waiting struct {
	Type, Reason string
	Regarding    runtime.ObjectRef
	Aggregate    bool
	Pending      uint64
	For          time.Duration
	Attempts     int  // tries that failed
	InFlight     bool // it is with the sink
	Stuck        bool // other events of its object no longer wait for it
}

// lookStep is the number of records that Snapshot reads under one lock. It takes some 30 µs.
const lookStep = 256

// Snapshot returns the broadcaster's state, with at most the given number of entries in each list. It reads every identity, in steps of
// 256: each step holds the lock of one shard for some 30 µs, whatever the number. Stats then holds the locks of all shards for some µs.
// With 262,144 identities Snapshot takes some 50 ms of processor time, so a program that offers it to others should bound how often.
func (b *Broadcaster) Snapshot(most int) Snapshot {
	now := b.clock.Now()
	h := b.hooks.load()
	v := view{most: max(most, 0), reasons: map[reasonKey]*ReasonNoise{}}
	for i := range b.shards {
		v.look(&b.shards[i], now)
	}
	return Snapshot{
		Time:     now.Wall,
		Stats:    b.Stats(),
		Disabled: h != nil && h.disabled,
		Ended:    b.ending.Load(),
		Troubles: b.outages.list(now.Mono),
		Reasons:  v.noisiest(),
		Objects:  v.objects,
		Waiting:  v.waiting,
		Refusals: b.refusals.list(v.most),
	}
}

// view gathers the state of the shards.
type view struct {
	most    int
	reasons map[reasonKey]*ReasonNoise
	objects []ObjectNoise
	waiting []Waiting
}

type reasonKey struct{ eventType, reason, apiVersion, kind string }

// maxReasons bounds the number of {reason, kind} that are told apart, because forwarded reasons can be anything.
const maxReasons = 1 << 14

// look gathers the state of one shard.
func (v *view) look(s *shard, now runtime.Instant) {
	objects := map[uint32]*heard{}
	var waits []correlator.Glance
	step := make([]correlator.Glance, 0, lookStep)
	for from, more := uint32(0), true; more; more = from != 0 {
		from, step = s.look(from, step[:0], now)
		for i := range step {
			g := &step[i]
			v.hear(g)
			o := objects[g.Object]
			if o == nil {
				o = &heard{ticket: ticket{g.Identity, g.Generation}}
				objects[g.Object] = o
			}
			o.occurrences += uint64(g.Count)
			o.events++
			if g.Pending > 0 {
				waits = insert(waits, *g, v.most, func(a, b *correlator.Glance) int { return cmp.Compare(b.Waited, a.Waited) })
			}
		}
	}
	v.name(s, loudest(objects, v.most), waits)
}

// look appends what the next lookStep records hold, and returns where to go on.
func (s *shard) look(from uint32, to []correlator.Glance, now runtime.Instant) (next uint32, step []correlator.Glance) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next = s.c.Look(from, lookStep, now, func(g *correlator.Glance) { to = append(to, *g) })
	return next, to
}

// ticket names an identity of a shard.
type ticket struct{ identity, generation uint32 }

// regarding returns the objects of identities. An identity that is gone has a nil object.
func (s *shard) regarding(tickets []ticket) (refs []*runtime.ObjectRef) {
	for step := range slices.Chunk(tickets, lookStep) {
		refs = s.appendRegarding(refs, step)
	}
	return refs
}

func (s *shard) appendRegarding(refs []*runtime.ObjectRef, step []ticket) []*runtime.ObjectRef {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range step {
		if ref, ok := s.c.Regarding(t.identity, t.generation); ok {
			refs = append(refs, &ref)
			continue
		}
		refs = append(refs, nil)
	}
	return refs
}

// heard counts an object's occurrences, and holds one of its identities.
type heard struct {
	ticket
	occurrences uint64
	events      int
}

// hear counts an identity for its {reason, kind}.
func (v *view) hear(g *correlator.Glance) {
	k := reasonKey{g.Definition.Type, g.Definition.Reason, g.APIVersion, g.Kind}
	n := v.reasons[k]
	if n == nil {
		if len(v.reasons) >= maxReasons {
			return
		}
		n = &ReasonNoise{Type: k.eventType, Reason: k.reason, APIVersion: k.apiVersion, Kind: k.kind}
		v.reasons[k] = n
	}
	n.Occurrences += uint64(g.Count)
	n.Events++
}

func loudest(objects map[uint32]*heard, most int) (list []heard) {
	for _, o := range objects {
		list = insert(list, *o, most, func(a, b *heard) int { return cmp.Compare(b.occurrences, a.occurrences) })
	}
	return list
}

// name looks up the objects of the chosen identities, and joins them with those of other shards.
func (v *view) name(s *shard, loud []heard, waits []correlator.Glance) {
	tickets := make([]ticket, 0, len(loud)+len(waits))
	for i := range loud {
		tickets = append(tickets, loud[i].ticket)
	}
	for i := range waits {
		tickets = append(tickets, ticket{waits[i].Identity, waits[i].Generation})
	}
	refs := s.regarding(tickets)
	for i := range loud {
		if ref := refs[i]; ref != nil {
			n := ObjectNoise{Regarding: *ref, Occurrences: loud[i].occurrences, Events: loud[i].events}
			v.objects = insert(v.objects, n, v.most, louder)
		}
	}
	for i := range waits {
		g := &waits[i]
		if ref := refs[len(loud)+i]; ref != nil {
			w := Waiting{
				Type: g.Definition.Type, Reason: g.Definition.Reason, Regarding: *ref, Aggregate: g.Aggregate, Pending: g.Pending,
				For: g.Waited, Attempts: int(g.Attempts), InFlight: g.InFlight, Stuck: g.Stuck,
			}
			v.waiting = insert(v.waiting, w, v.most, waitsLonger)
		}
	}
}

func (v *view) noisiest() (list []ReasonNoise) {
	for _, n := range v.reasons {
		list = insert(list, *n, v.most, func(a, b *ReasonNoise) int {
			return cmp.Or(cmp.Compare(b.Occurrences, a.Occurrences), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Kind, b.Kind))
		})
	}
	return list
}

// insert inserts x into a sorted list, and keeps the first most entries.
func insert[T any](list []T, x T, most int, compare func(a, b *T) int) []T {
	if len(list) >= most && (most == 0 || compare(&x, &list[most-1]) >= 0) {
		return list
	}
	at, _ := slices.BinarySearchFunc(list, x, func(a, b T) int { return cmp.Or(compare(&a, &b), -1) })
	list = slices.Insert(list, at, x)
	return list[:min(len(list), most)]
}

// list returns the scopes that take no events.
func (o *outages) list(now time.Duration) (all []Trouble) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for name, x := range o.open {
		all = append(all, Trouble{Scope: name.scope, Namespace: name.namespace, For: now - x.since, Err: textOf(x.err)})
	}
	slices.SortFunc(all, func(a, b Trouble) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(b.For, a.For))
	})
	return all
}

// JoinSnapshots joins the snapshots of several broadcasters, with at most the given number of entries in each list. The result is Disabled,
// or Ended, if all of them are.
func JoinSnapshots(most int, all ...Snapshot) (sum Snapshot) {
	reasons := map[reasonKey]*ReasonNoise{}
	for i := range all {
		s := &all[i]
		if i == 0 || s.Time.After(sum.Time) {
			sum.Time = s.Time
		}
		sum.Stats.Add(&s.Stats)
		sum.Disabled = s.Disabled && (i == 0 || sum.Disabled)
		sum.Ended = s.Ended && (i == 0 || sum.Ended)
		sum.Troubles = append(sum.Troubles, s.Troubles...)
		for _, n := range s.Reasons {
			k := reasonKey{n.Type, n.Reason, n.APIVersion, n.Kind}
			if reasons[k] == nil {
				reasons[k] = &ReasonNoise{Type: n.Type, Reason: n.Reason, APIVersion: n.APIVersion, Kind: n.Kind}
			}
			reasons[k].Occurrences += n.Occurrences
			reasons[k].Events += n.Events
		}
		for _, n := range s.Objects {
			sum.Objects = insert(sum.Objects, n, most, louder)
		}
		for _, w := range s.Waiting {
			sum.Waiting = insert(sum.Waiting, w, most, waitsLonger)
		}
		for _, r := range s.Refusals {
			sum.Refusals = insert(sum.Refusals, r, most, func(a, b *Refusal) int { return b.Time.Compare(a.Time) })
		}
	}
	v := view{most: most, reasons: reasons}
	sum.Reasons = v.noisiest()
	return sum
}

func louder(a, b *ObjectNoise) int { return cmp.Compare(b.Occurrences, a.Occurrences) }

func waitsLonger(a, b *Waiting) int { return cmp.Compare(b.For, a.For) }
