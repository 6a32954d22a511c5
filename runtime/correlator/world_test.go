package correlator

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/sink"
)

const ms = time.Millisecond

// world runs a correlator against a server in virtual time: calls take time, hang, fail, and come
// back late. It calls Next only when an owner would, so a late wake shows.
type world struct {
	t      testing.TB
	c      *Correlator
	rng    *rand.Rand
	now    time.Duration
	todo   plan
	serial int
	timer  time.Duration

	// answer decides the answer to a write, and its time.
	answer func(*sink.Write) (sink.Answer, time.Duration)

	judge *judge
	open  []openCall
	calls []worldCall
	// recording times of events that are not stored, by object and note
	recorded map[string]time.Duration
	stored   []worldStored
	notes    []notice.Notice
	flying   map[string]int // by namespace
	most     map[string]int // the most that were flying
}

// openCall is a call in flight.
type openCall struct {
	write *sink.Write
	began time.Duration
}

// worldCall is a call that has come back.
type worldCall struct {
	namespace, object string
	began, ended      time.Duration
	outcome           sink.Outcome
}

// worldStored is an event that was stored for the first time.
type worldStored struct {
	namespace, object string
	at, after         time.Duration
}

// plan holds later happenings, in order of time.
type plan []planned

type planned struct {
	at     time.Duration
	serial int
	do     func()
}

func (p plan) Len() int { return len(p) }
func (p plan) Less(i, j int) bool {
	return p[i].at < p[j].at || p[i].at == p[j].at && p[i].serial < p[j].serial
}
func (p plan) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p *plan) Push(x any)   { *p = append(*p, x.(planned)) }
func (p *plan) Pop() any {
	last := len(*p) - 1
	x := (*p)[last]
	*p = (*p)[:last]
	return x
}

func newWorld(t testing.TB, o Options, writer ...writerOptions) *world {
	return drawnWorld(t, o, newRand(t), writer...)
}

func drawnWorld(t testing.TB, o Options, rng *rand.Rand, writer ...writerOptions) *world {
	who := oneOf(writer)
	who.ReportingController, who.ReportingInstance, o.Burst = "example.com/world", "world-0", -1
	c, err := New(o, who)
	if err != nil {
		t.Fatal(err)
	}
	return &world{
		t: t, c: c, rng: rng, timer: clock.Never, judge: newJudge(c.opts.tuning.MaxInFlight), recorded: map[string]time.Duration{}, flying: map[string]int{}, most: map[string]int{},
		answer: func(*sink.Write) (sink.Answer, time.Duration) { return done(), 5 * ms },
	}
}

func (w *world) instant() clock.Instant {
	return clock.Instant{Mono: w.now, Wall: time.Unix(1_700_000_000, 0).Add(w.now)}
}

func (w *world) at(t time.Duration, do func()) {
	w.serial++
	heap.Push(&w.todo, planned{max(t, w.now), w.serial, do})
}

// run lets time pass until a moment.
func (w *world) run(until time.Duration) {
	for {
		next := w.timer
		if len(w.todo) > 0 && w.todo[0].at <= next {
			next = w.todo[0].at
		}
		if next > until {
			w.now = until
			return
		}
		w.now = max(w.now, next)
		if len(w.todo) > 0 && w.todo[0].at <= w.now {
			heap.Pop(&w.todo).(planned).do()
			continue
		}
		w.timer = clock.Never
		w.write()
	}
}

// follow handles a wake as an owner does.
func (w *world) follow(wake time.Duration) {
	if wake <= w.now {
		w.write()
		return
	}
	w.timer = min(w.timer, wake)
}

// write sends the writes that may go.
func (w *world) write() {
	for n := 0; ; n++ {
		var write sink.Write
		ok, wake := w.c.Next(w.instant(), &write)
		if ok {
			w.send(write)
		}
		if n > 1_000_000 {
			w.t.Fatalf("Next has no end at %v", w.now)
		}
		if wake > w.now {
			w.timer = wake
			return
		}
	}
}

func (w *world) send(write sink.Write) {
	began := w.now
	ns := write.Namespace
	if write.Regarding.Namespace == "" {
		ns = ""
	}
	w.flying[ns]++
	w.most[ns] = max(w.most[ns], w.flying[ns])
	a, after := w.answer(&write)
	if after > write.Timeout {
		a, after = fails(sink.ScopeUnknown), write.Timeout
	}
	if err := w.judge.begins(&write, w.now); err != nil {
		w.t.Errorf("a call into %s at %v: %v", write.Namespace, w.now, err)
	}
	w.open = append(w.open, openCall{&write, began})
	w.at(w.now+after, func() { w.answered(&write, a, began) })
}

// answered brings the answer to a call back, unless the call was cancelled.
func (w *world) answered(write *sink.Write, a sink.Answer, began time.Duration) {
	at := slices.IndexFunc(w.open, func(o openCall) bool { return o.write == write })
	if at < 0 {
		return
	}
	w.open = slices.Delete(w.open, at, at+1)
	ns, object := write.Namespace, write.Regarding.Name
	if write.Regarding.Namespace == "" {
		ns = ""
	}
	w.flying[ns]--
	w.calls = append(w.calls, worldCall{ns, object, began, w.now, a.Outcome})
	if key := object + "/" + string(write.Note); a.Outcome == sink.Done && write.Operation != sink.Read {
		if at, waits := w.recorded[key]; waits {
			delete(w.recorded, key)
			w.stored = append(w.stored, worldStored{ns, object, at, w.now - at})
		}
	}
	w.judge.ends(write, &a, w.now)
	w.notes = append(w.notes, w.c.Done(write, a, w.instant())...)
	w.write()
}

// drain begins to drain at a moment. Like an owner, it cancels slow calls.
func (w *world) drain(at, end time.Duration) {
	cancel := func() {
		slow := w.c.Drain(w.instant(), end)
		for _, o := range slices.Clone(w.open) {
			if slices.Contains(slow, o.write.Ticket) {
				w.answered(o.write, fails(sink.ScopeWrite), o.began)
			}
		}
		w.write()
	}
	w.at(at, func() { w.judge.drains(); cancel() })
	w.at(at+slowAfter, cancel)
}

// record records an event about an object.
func (w *world) record(namespace, object, text string) {
	w.recordEvent(normal, namespace, object, text)
}

func (w *world) recordEvent(def *eventrt.Definition, namespace, object, text string) {
	e := eventrt.NewEvent(def, eventrt.ReferenceOf(&corev1.ObjectReference{
		APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: object, UID: types.UID("uid-of-" + namespace + object),
	}), eventrt.ObjectRef{}, eventrt.String(text))
	internals.SetTime(&e, w.instant().Wall)
	key := object + "/" + text
	if _, before := w.recorded[key]; !before {
		w.recorded[key] = w.now
	}
	problem, wake := w.c.Observe(&e, w.instant())
	if problem != eventrt.NoProblem {
		w.t.Fatal(problem)
	}
	w.follow(wake)
}

// recordAt records n events in a namespace, each about an object of its own, at a moment.
func (w *world) recordAt(at time.Duration, namespace string, n int) {
	w.at(at, func() {
		for i := range n {
			w.record(namespace, fmt.Sprint(namespace, "-", w.now.Milliseconds(), "-", i), "text")
		}
	})
}

// slowest looks at a namespace's events recorded from a moment on. It returns the longest time that
// one took, and their number.
func (w *world) slowest(namespace string, from time.Duration) (longest time.Duration, n int) {
	for _, s := range w.stored {
		if s.namespace == namespace && s.at >= from {
			longest = max(longest, s.after)
			n++
		}
	}
	return longest, n
}

// failedIn returns the number of calls that failed between two moments.
func (w *world) failedIn(from, to time.Duration) (n int) {
	for _, c := range w.calls {
		if c.outcome != sink.Done && c.ended >= from && c.ended < to {
			n++
		}
	}
	return n
}

// expectAll holds that every event of the namespace was stored, or is counted, within a time of its
// recording.
func (w *world) expectWithin(namespace string, from, most time.Duration, want int) {
	w.t.Helper()
	slowest, n := w.slowest(namespace, from)
	if n != want || slowest > most {
		w.t.Errorf("%s: %d of %d events are stored, the slowest after %v, at most %v is promised", namespace, n, want, slowest, most)
	}
	w.t.Logf("%s: %d events, the slowest after %v", namespace, n, slowest)
}

// expectNamed holds that so many events of objects of a name were stored within a time.
func (w *world) expectNamed(prefix string, most time.Duration, want int) {
	w.t.Helper()
	n, slowest := 0, time.Duration(0)
	for _, s := range w.stored {
		if strings.HasPrefix(s.object, prefix) {
			n++
			slowest = max(slowest, s.after)
		}
	}
	if n != want || slowest > most {
		w.t.Errorf("%s: %d of %d events are stored, the slowest after %v", prefix, n, want, slowest)
	}
}

func (w *world) expectNothingLost(written int) {
	w.t.Helper()
	s := w.c.Stats()
	if s.Written != uint64(written) || s.Pending != 0 || s.Lost != (eventrt.Lost{}) {
		w.t.Errorf("written %d of %d, pending %d, lost %+v", s.Written, written, s.Pending, s.Lost)
	}
}

func done() sink.Answer { return sink.Answer{Outcome: sink.Done, ResourceVersion: 1, Mark: 1} }

func fails(s sink.Scope) sink.Answer {
	return sink.Answer{Outcome: sink.Retry, Scope: s, MaybeStored: true, Err: fmt.Errorf("it fails")}
}

func forbidden() sink.Answer {
	return sink.Answer{Outcome: sink.Forbidden, Scope: sink.ScopeNamespace, Err: fmt.Errorf("403")}
}

func gone() sink.Answer {
	return sink.Answer{Outcome: sink.RefusedQuietly, Scope: sink.ScopeNamespace, Err: fmt.Errorf("404")}
}

func hangs() (sink.Answer, time.Duration) { return fails(sink.ScopeUnknown), time.Hour }
