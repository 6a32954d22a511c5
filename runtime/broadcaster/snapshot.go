package broadcaster

import (
	"cmp"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Snapshot is the state of a broadcaster, for people who look for trouble. It holds no text of a
// message, only texts of definitions, names of objects, and errors of the sink's answers.
type Snapshot struct {
	Time     time.Time
	Stats    eventrt.Stats
	Disabled bool // recording is switched off (SetEnabled)
	Ended    bool // Shutdown has begun
	// Filters holds the filter in force; those of several broadcasters, each once, if they were
	// joined; none: everything is recorded.
	Filters []Filter
	// Subscribers counts what subscribers have seen and missed since the start, by name. Stats does
	// not include it, because an event that a subscriber misses is not lost.
	Subscribers []SubscriberStats
	// Troubles are the scopes that take no events for now, the widest first; none: all do.
	Troubles []Trouble
	// Reasons and Objects are the noisiest reasons and objects that are held, the noisiest first.
	Reasons []Noise
	Objects []Noise
	// Waiting are the events that wait longest to be written, the longest first.
	Waiting []Waiting
	// Writers are the keys of the annotations in which events keep how many of their occurrences
	// were recorded here; none if names are Unique.
	Writers []string
	// Refusals are the last writes that were refused, and Rejections the last events that were
	// rejected, the latest first; equal ones are joined.
	Refusals   []Refusal
	Rejections []Refusal
}

// Trouble is a namespace, or the whole server, that takes no events: it fails, a right is missing,
// or the namespace is gone.
type Trouble struct {
	Namespace string // empty: all, which means that the server is away
	For       time.Duration
	Err       string // of the last call when it began
}

// Noise counts the held occurrences of a reason for one kind of object, or of an object.
type Noise struct {
	// Type and Reason are those of a reason, for which Regarding has only the kind.
	Type, Reason string
	Regarding    eventrt.ObjectRef
	Occurrences  uint64
	Events       int
}

// Waiting is an event with occurrences that are not written yet.
type Waiting struct {
	Type, Reason string
	Name         string // of the event
	Regarding    eventrt.ObjectRef
	Aggregate    bool
	Pending      uint64
	For          time.Duration
	Attempts     int  // tries that failed
	InFlight     bool // it is with the sink
	Stuck        bool // other events of its object no longer wait for it
}

// Refusal is a write that the sink's answer refused, or forbade for now; or an event that was
// rejected, because it is unusable or came after the end.
type Refusal struct {
	Time    time.Time // of the last
	Times   int       // the number of such answers
	Outcome string    // refused, forbidden or rejected
	// Type and Reason are those of the event. Of an event with a value that its enum does not have,
	// Type is empty and Reason is the event's name, since the value may pick the variant.
	Type   string
	Reason string
	// Regarding is the object of the last.
	Regarding eventrt.ObjectRef
	// Err is the logged error; if a right is missing, it names the rule to add. Of a rejected event
	// it is the problem.
	Err string
	// Missing is the right that the authorizer found missing; nil if the cause is another, or the
	// sink does not know it.
	Missing *sink.Right
}

// refusalOf returns the refusal that an answer is, if it is one.
func refusalOf(w *sink.Write, a *sink.Answer, at time.Time) (r Refusal, refused bool) {
	if a.Outcome != sink.Refused && a.Outcome != sink.Forbidden {
		return r, false
	}
	r = Refusal{Time: at, Times: 1, Outcome: a.Outcome.String(), Type: w.Type, Reason: w.Reason,
		Regarding: eventrt.ReferenceOf(&w.Regarding), Err: textOf(a.Err)}
	if a.Missing != nil {
		missing := *a.Missing
		r.Missing = &missing
	}
	return r, true
}

// joinRefusals joins a refusal and a later one of the same cause. For a missing right, these are
// all refusals of the namespace in the API group.
func joinRefusals(r, later Refusal) (Refusal, bool) {
	same := r.Outcome == later.Outcome && r.Type == later.Type && r.Reason == later.Reason && r.Err == later.Err &&
		r.Regarding.Kind == later.Regarding.Kind && r.Regarding.Namespace == later.Regarding.Namespace
	if r.Missing != nil && later.Missing != nil {
		same = *r.Missing == *later.Missing
	}
	later.Times += r.Times
	return later, same
}

// maxRecent bounds the number of remembered refusals, and of rejections.
const maxRecent = 32

// recent holds the last of what happened; equal ones are joined. It is safe for concurrent use.
type recent struct {
	mu   sync.Mutex
	last []Refusal // the latest last
}

// add adds x, or joins it with one that is there.
func (r *recent) add(x Refusal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.last {
		if joined, ok := joinRefusals(r.last[i], x); ok {
			r.last, x = slices.Delete(r.last, i, i+1), joined
			break
		}
	}
	if len(r.last) == maxRecent {
		r.last = slices.Delete(r.last, 0, 1)
	}
	r.last = append(r.last, x)
}

// list returns the latest first.
func (r *recent) list(most int) []Refusal {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := slices.Clone(r.last)
	slices.Reverse(list)
	return list[:min(len(list), most)]
}

// lookStep is the number of events that Snapshot reads under one hold of the lock. It takes some 30
// µs.
const lookStep = 256

// Snapshot returns the broadcaster's state, with at most the given number of entries in each list.
// It reads every held event, in steps of 256: each step holds the lock for some 30 µs, whatever the
// number of events. With 262,144 events Snapshot takes some 50 ms of processor time, so a program
// that offers it to others should bound how often. With 0 entries it reads no event and costs
// little.
func (b *Broadcaster) Snapshot(most int) Snapshot {
	now := b.clock.Now()
	h := b.hooks.load()
	v := survey{most: max(most, 0), reasons: map[reasonKey]*Noise{}, objects: map[corev1.ObjectReference]*Noise{}}
	step := make([]correlator.View, 0, lookStep)
	for from, more := 0, most > 0; more; more = from != 0 {
		step = step[:0]
		b.mu.Lock()
		from = b.c.Look(from, lookStep, now, func(g *correlator.View) { step = append(step, *g) })
		b.mu.Unlock()
		for i := range step {
			v.add(&step[i])
		}
	}
	b.mu.Lock()
	stats, ended := b.c.Stats(), b.draining
	var writers []string
	if b.opts.Identity != Unique {
		writers = []string{b.c.WriterKey()}
	}
	b.mu.Unlock()
	return Snapshot{
		Time:     now.Wall,
		Stats:    stats,
		Disabled: h != nil && h.disabled,
		Ended:    ended,
		Filters:  filtersOf(h),

		Subscribers: b.subscribers.stats(),

		Troubles:   b.troubles.list(now.Mono),
		Reasons:    noisiestReasons(v.reasons, v.most),
		Objects:    v.noisiestObjects(),
		Waiting:    v.waiting,
		Writers:    writers,
		Refusals:   b.refusals.list(v.most),
		Rejections: b.rejections.list(v.most),
	}
}

func filtersOf(h *hooks) []Filter {
	if h == nil || h.filter == nil {
		return nil
	}
	return []Filter{h.filter}
}

// survey gathers what the correlator holds.
type survey struct {
	most    int
	reasons map[reasonKey]*Noise
	objects map[corev1.ObjectReference]*Noise
	waiting []Waiting
}

type reasonKey struct{ eventType, reason, apiVersion, kind string }

// maxReasons bounds the number of {reason, kind} that are told apart, because forwarded reasons can
// be anything.
const maxReasons = 1 << 14

// add counts an event for its {reason, kind} and its object, and lists it if it waits.
func (v *survey) add(g *correlator.View) {
	v.addReason(g)
	key := g.Regarding.Reference()
	o := v.objects[key]
	if o == nil {
		o = &Noise{Regarding: g.Regarding}
		v.objects[key] = o
	}
	o.Occurrences += uint64(g.Count)
	o.Events++
	if g.Pending > 0 {
		v.waiting = insert(v.waiting, Waiting{
			Type: g.Definition.Type, Reason: g.Definition.Reason, Name: g.Name, Regarding: g.Regarding, Aggregate: g.Aggregate, Pending: g.Pending,
			For: g.Waited, Attempts: int(g.Attempts), InFlight: g.InFlight, Stuck: g.Stuck,
		}, v.most, waitsLonger)
	}
}

func (v *survey) addReason(g *correlator.View) {
	k := reasonKey{g.Definition.Type, g.Definition.Reason, g.Regarding.APIVersion, g.Regarding.Kind}
	n := v.reasons[k]
	if n == nil {
		if len(v.reasons) >= maxReasons {
			return
		}
		n = &Noise{Type: k.eventType, Reason: k.reason, Regarding: eventrt.ObjectRef{APIVersion: k.apiVersion, Kind: k.kind}}
		v.reasons[k] = n
	}
	n.Occurrences += uint64(g.Count)
	n.Events++
}

func (v *survey) noisiestObjects() (list []Noise) {
	for _, o := range v.objects {
		list = insert(list, *o, v.most, louder)
	}
	return list
}

func noisiestReasons(reasons map[reasonKey]*Noise, most int) (list []Noise) {
	for _, n := range reasons {
		list = insert(list, *n, most, func(a, b *Noise) int {
			return cmp.Or(cmp.Compare(b.Occurrences, a.Occurrences), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Regarding.Kind, b.Regarding.Kind))
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

func louder(a, b *Noise) int { return cmp.Compare(b.Occurrences, a.Occurrences) }

func waitsLonger(a, b *Waiting) int { return cmp.Compare(b.For, a.For) }

// JoinSnapshots joins the snapshots of several broadcasters, with at most the given number of
// entries in each list. The result is Disabled, or Ended, if all of them are.
func JoinSnapshots(most int, all ...Snapshot) (sum Snapshot) {
	reasons := map[reasonKey]*Noise{}
	for i := range all {
		s := &all[i]
		if i == 0 || s.Time.After(sum.Time) {
			sum.Time = s.Time
		}
		sum.Stats.Add(&s.Stats)
		sum.Disabled = s.Disabled && (i == 0 || sum.Disabled)
		sum.Ended = s.Ended && (i == 0 || sum.Ended)
		for _, f := range s.Filters {
			if !slices.Contains(sum.Filters, f) {
				sum.Filters = append(sum.Filters, f)
			}
		}
		sum.Subscribers = joinSubscribers(sum.Subscribers, s.Subscribers)
		sum.Troubles = append(sum.Troubles, s.Troubles...)
		sum.Writers = append(sum.Writers, s.Writers...)
		for _, n := range s.Reasons {
			k := reasonKey{n.Type, n.Reason, n.Regarding.APIVersion, n.Regarding.Kind}
			if reasons[k] == nil {
				reasons[k] = &Noise{Type: n.Type, Reason: n.Reason, Regarding: n.Regarding}
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
		for _, r := range s.Rejections {
			sum.Rejections = insert(sum.Rejections, r, most, func(a, b *Refusal) int { return b.Time.Compare(a.Time) })
		}
	}
	sum.Reasons = noisiestReasons(reasons, most)
	return sum
}
