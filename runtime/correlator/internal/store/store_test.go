package store

import (
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime"
)

// machine does random things to a store, beside a plain model of what is due and in which order.
type machine struct {
	t         *rapid.T
	s         *Store
	held      []*Identity
	later     map[*Identity]entry
	queued    map[slotKey][]*Identity // that are due
	announced map[slotKey]bool
	queues    map[*Object][]*Identity // that wait for their first create
	aside     map[*Object][]*Identity
	lists     [worths][]*Identity
	serial    uint32
	hash      uint32
}

// slotKey names a slot of a namespace.
type slotKey struct {
	namespace string
	slot      uint8
}

// TestStore compares a store with a plain model after each of many random calls.
func TestStore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{
			t: t, s: New(), later: map[*Identity]entry{}, queued: map[slotKey][]*Identity{}, announced: map[slotKey]bool{},
			queues: map[*Object][]*Identity{}, aside: map[*Object][]*Identity{},
		}
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			m.step()
			if err := m.s.check(); err != nil {
				t.Fatal(err)
			}
			m.compare()
		}
		for len(m.held) > 0 {
			m.remove(m.held[0])
		}
		if err := m.s.check(); err != nil || m.s.Bytes() != 0 || m.s.Objects() != 0 {
			t.Fatalf("%d bytes are left of nothing: %v", m.s.Bytes(), err)
		}
	})
}

var definitions = func() (list []*runtime.Definition) {
	for n := range 12 {
		list = append(list, &runtime.Definition{Reason: fmt.Sprint("Reason", n/3), Type: []string{runtime.Normal, runtime.Warning}[n%2], Forwarded: n%5 == 0})
	}
	return list
}()

func (m *machine) step() {
	calls := []func(*Identity){m.await, m.clearDue, m.ripen, m.work, m.queue, m.list, m.end, m.pickUp, m.announce, m.look, m.remove, m.fold}
	if len(m.held) < 3 || rapid.IntRange(0, 3).Draw(m.t, "add") == 0 {
		m.add()
		return
	}
	i := rapid.SampledFrom(m.held).Draw(m.t, "identity")
	rapid.SampledFrom(calls).Draw(m.t, "call")(i)
}

func (m *machine) add() {
	name := rapid.SampledFrom([]string{"a", "b", strings.Repeat("c", 60)}).Draw(m.t, "name")
	regarding := runtime.ReferenceOf(&corev1.ObjectReference{Namespace: rapid.SampledFrom([]string{"", "default", "x"}).Draw(m.t, "namespace"), Name: name, Kind: rapid.SampledFrom([]string{"Pod", "Node"}).Draw(m.t, "kind")})
	hash := uint32(len(name))
	at, o := m.s.FirstObject(hash)
	for o != nil && (!o.SameName(name) || m.s.Scope(o).Namespace != regarding.Namespace || m.s.Scope(o).Kind != regarding.TypeMeta()) {
		at, o = m.s.NextObject(hash, at)
	}
	if o == nil {
		o = m.s.AddObject(&regarding, hash, false)
	}
	d := rapid.SampledFrom(definitions).Draw(m.t, "definition")
	detail := m.s.NewDetail([]runtime.Arg{runtime.String(rapid.StringN(0, 3, 3).Draw(m.t, "args"))}, rapid.Uint64Max(3).Draw(m.t, "hash"), &More{FieldPath: rapid.StringN(0, 3, 3).Draw(m.t, "path"), Related: regarding})
	m.hash++
	g := m.s.Group(o, d)
	if m.s.Aggregate(g) == nil && rapid.Bool().Draw(m.t, "aggregate") {
		i := m.s.AddIdentity(o, g, d, detail.Aggregating(), m.hash%5, uint64(m.hash))
		m.s.SetAggregate(g, i)
		m.held = append(m.held, i)
		return
	}
	m.held = append(m.held, m.s.AddIdentity(o, g, d, detail, m.hash%5, uint64(m.hash)))
}

func (m *machine) fold(i *Identity) {
	if i.More().Folded == nil {
		return
	}
	detail := func() Detail {
		return m.s.NewDetail([]runtime.Arg{runtime.String("folded")}, 1, &More{Controller: "c"})
	}
	m.s.Fold(i, rapid.Uint32Range(0, 5).Draw(m.t, "hash"), i.Definition, detail)
}

func (m *machine) work(i *Identity) {
	if i.Idle() {
		m.s.StartWork(i).Pending = uint64(rapid.IntRange(0, 1).Draw(m.t, "pending"))
	}
}

func (m *machine) moment(label string) time.Duration {
	return time.Duration(rapid.Int64Range(-3, 10).Draw(m.t, label))
}

func (m *machine) await(i *Identity) {
	m.work(i)
	at, now := m.moment("at"), m.moment("now")
	if rapid.Bool().Draw(m.t, "at now") {
		at = now
	}
	slot := rapid.SampledFrom([]uint8{0, 1, Slots - 1}).Draw(m.t, "slot") // few, so that many are due in the same one
	a := m.s.Active(i)
	queued, was := m.isQueued(i), a.slot
	m.s.Await(a, slot, at, now)
	if queued && was == slot && at <= now {
		return
	}
	if first := m.first(); at <= now && (first == nil || m.later[first].at > now) {
		m.forget(i)
		m.enter(i, slot)
		return
	}
	m.forget(i)
	m.serial++
	m.later[i] = entry{at: at, serial: m.serial, ref: ref(slot)}
}

func (m *machine) isQueued(i *Identity) bool {
	for _, queue := range m.queued {
		if slices.Contains(queue, i) {
			return true
		}
	}
	return false
}

func (m *machine) enter(i *Identity, slot uint8) {
	key := slotKey{m.home(i).Name, slot}
	m.queued[key] = append(m.queued[key], i)
}

// forget takes an identity out of what is or will be due.
func (m *machine) forget(i *Identity) {
	delete(m.later, i)
	for key, queue := range m.queued {
		m.queued[key] = slices.DeleteFunc(queue, func(other *Identity) bool { return other == i })
	}
}

// ripen holds nothing by itself: what it does wrong shows in compare.
func (m *machine) ripen(*Identity) {
	now, most := m.moment("now"), rapid.IntRange(0, 3).Draw(m.t, "most")
	m.s.Ripen(now, most)
	for ; most > 0; most-- {
		first := m.first()
		if first == nil || m.later[first].at > now {
			return
		}
		slot := uint8(m.later[first].ref)
		delete(m.later, first)
		m.enter(first, slot)
	}
}

func (m *machine) clearDue(i *Identity) {
	if !i.Idle() {
		m.s.ClearDue(m.s.Active(i))
		m.forget(i)
	}
}

func (m *machine) queue(i *Identity) {
	m.work(i)
	a, o := m.s.Active(i), m.s.Object(i)
	switch {
	case a.WaitsForCreate() || a.IsAside():
		m.s.Unqueue(a)
		m.unqueue(i)
	case rapid.Bool().Draw(m.t, "create"):
		m.s.QueueCreate(a)
		m.queues[o] = append(m.queues[o], i)
	default:
		m.s.PutAside(a)
		m.aside[o] = append(m.aside[o], i)
	}
}

func (m *machine) pickUp(i *Identity) {
	if i.Idle() {
		return
	}
	o := m.s.Object(i)
	var want *Identity
	if len(m.aside[o]) > 0 {
		want, m.aside[o] = m.aside[o][0], m.aside[o][1:]
	}
	if got := m.s.PickUp(m.s.Active(i).Turns); got != want {
		m.t.Fatalf("picked up %v, want %v", got, want)
	}
}

func (m *machine) unqueue(i *Identity) {
	drop := func(other *Identity) bool { return other == i }
	o := m.s.Object(i)
	m.queues[o], m.aside[o] = slices.DeleteFunc(m.queues[o], drop), slices.DeleteFunc(m.aside[o], drop)
}

func (m *machine) list(i *Identity) {
	was := m.unlist(i)
	if rapid.IntRange(0, 4).Draw(m.t, "unlist") == 0 {
		m.s.Unlist(i)
		return
	}
	if was < worths && rapid.Bool().Draw(m.t, "renew") {
		m.s.Renew(i)
		m.lists[was] = append(m.lists[was], i)
		return
	}
	m.s.List(i)
	w := m.worth(i)
	m.lists[w] = append(m.lists[w], i)
}

func (m *machine) worth(i *Identity) Worth {
	pending := !i.Idle() && m.s.Active(i).Pending > 0
	switch warning := i.Definition.Type == runtime.Warning; {
	case pending && warning:
		return PendingWarning
	case pending:
		return PendingNormal
	case warning:
		return IdleWarning
	}
	return IdleNormal
}

// unlist takes an identity out of the model's lists, and returns where it was.
func (m *machine) unlist(i *Identity) Worth {
	for w, list := range m.lists {
		if at := slices.Index(list, i); at >= 0 {
			m.lists[w] = slices.Delete(list, at, at+1)
			return Worth(w)
		}
	}
	return unlisted
}

// compareLists holds that each list has what the model has, the oldest first.
func (m *machine) compareLists() {
	for w, want := range m.lists {
		var got []*Identity
		for i := m.s.Oldest(Worth(w)); i != nil && len(got) <= len(want); i = m.s.Younger(i) {
			got = append(got, i)
		}
		if !slices.Equal(got, want) {
			m.t.Fatalf("worth %d: listed are %v, want %v", w, got, want)
		}
	}
	all := slices.Concat(m.lists[:]...)
	if least := m.s.LeastWorth(); least == nil && len(all) > 0 || least != nil && least != all[0] {
		m.t.Fatalf("%v gives way first, want the first of %v", least, all)
	}
}

func (m *machine) end(i *Identity) {
	if i.Idle() {
		return
	}
	m.unqueue(i)
	m.forget(i)
	m.s.EndWork(m.s.Active(i))
	if !i.Idle() {
		m.t.Fatal("work goes on")
	}
}

// announce holds that slots are announced that have something and were not, and all of them.
func (m *machine) announce(*Identity) {
	fresh := map[slotKey]bool{}
	for key, queue := range m.queued {
		if len(queue) > 0 && !m.announced[key] {
			fresh[key] = true
		}
	}
	ns, slot, ok := m.s.Announce()
	if !ok && len(fresh) == 0 {
		return
	}
	if !ok || !fresh[slotKey{ns.Name, slot}] || m.s.ByID(m.s.ID(ns)) != ns {
		m.t.Fatalf("announced %v: %v slot %d, want one of %v", ok, ns, slot, fresh)
	}
	m.announced[slotKey{ns.Name, slot}] = true
}

// look holds that the first of a slot is found.
func (m *machine) look(i *Identity) {
	ns, slot := m.home(i), rapid.Uint8Range(0, Slots-1).Draw(m.t, "slot")
	key := slotKey{ns.Name, slot}
	var want *Identity
	if queue := m.queued[key]; len(queue) > 0 {
		want = queue[0]
	} else {
		delete(m.announced, key)
	}
	if got := m.s.Look(ns, slot); got != want {
		m.t.Fatalf("found %v, want %v", got, want)
	}
}

// first is the identity that falls due next; nil if there is none.
func (m *machine) first() (first *Identity) {
	for i, e := range m.later {
		if least := m.later[first]; first == nil || e.before(&least) {
			first = i
		}
	}
	return first
}

func (m *machine) remove(i *Identity) {
	m.unqueue(i)
	m.forget(i)
	m.unlist(i)
	ns := m.s.Scope(m.s.Object(i)).Home.Name
	m.s.Remove(i)
	m.held = slices.DeleteFunc(m.held, func(other *Identity) bool { return other == i })
	if m.s.byNamespace[ns] == nil {
		maps.DeleteFunc(m.announced, func(key slotKey, _ bool) bool { return key.namespace == ns })
	}
}

// compare holds that the first that is due, and the first that waits in each object, are those of the model.
func (m *machine) compare() {
	want := m.first()
	if at, ok := m.s.NextDue(); ok != (want != nil) || ok && at != m.later[want].at {
		m.t.Fatalf("due next at %d, %v, want %v", at, ok, want)
	}
	if now := m.later[want].at; want != nil && (m.s.Overdue(now) != want || m.s.Overdue(now-1) != nil) {
		m.t.Fatalf("overdue %v, want %v", m.s.Overdue(now), want)
	}
	m.compareSlots()
	m.compareLists()
	for _, i := range m.held {
		if i.Idle() {
			continue
		}
		a, queue := m.s.Active(i), m.queues[m.s.Object(i)]
		if first := m.s.FirstCreate(a.Turns); (first == nil) != (len(queue) == 0) || first != nil && (first != queue[0] || m.s.IsFirst(a) != (first == i)) {
			m.t.Fatalf("%v waits first, want %v", first, queue)
		}
	}
}

// compareSlots holds that each slot has what the model has, in its order, and that those are fresh that are not announced.
func (m *machine) compareSlots() {
	fresh := map[slotKey]*Identity{}
	for key, queue := range m.queued {
		ns := m.s.byNamespace[key.namespace]
		if len(queue) == 0 {
			continue
		}
		if !m.announced[key] {
			fresh[key] = queue[0]
		}
		r := ns.slots[key.slot].head
		for _, i := range queue {
			if m.s.worker(r) != i || !m.s.Active(i).IsDue() {
				m.t.Fatalf("%v: work %d, want that of identity %d", key, r, i.self)
			}
			r = m.s.works.at(r).line.next
		}
		if r != 0 {
			m.t.Fatalf("%v: more than %d are due", key, len(queue))
		}
	}
	m.compareOnly(slices.Collect(maps.Values(fresh)))
	for a := range m.s.Fresh {
		key := slotKey{a.Name, a.slot}
		if fresh[key] != a.Identity {
			m.t.Fatalf("%v: fresh is %v, want %v", key, a.Identity, fresh[key])
		}
		delete(fresh, key)
	}
	if len(fresh) > 0 {
		m.t.Fatalf("not fresh: %v", fresh)
	}
}

// compareOnly holds that the first of the fresh slots is known if there is one such slot.
func (m *machine) compareOnly(fresh []*Identity) {
	var want *Identity
	if len(fresh) == 1 {
		want = fresh[0]
	}
	if got := m.s.OnlyFresh(); got != want {
		m.t.Fatalf("only %v is fresh, want %v of %v", got, want, fresh)
	}
}

// TestAnObjectWithManyGroups adds and removes them in an order of its own.
func TestAnObjectWithManyGroups(t *testing.T) {
	const groups = 2000
	s := New()
	o := s.AddObject(&runtime.ObjectRef{Name: "a"}, 1, true)
	var held []*Identity
	for n := range groups {
		d := &runtime.Definition{Reason: fmt.Sprint("Reason", n)}
		held = append(held, s.AddIdentity(o, s.Group(o, d), d, Detail{}, uint32(n), 0))
	}
	for n := range held {
		if n%200 == 0 {
			if err := s.check(); err != nil {
				t.Fatal(err)
			}
		}
		s.Remove(held[(n*7)%groups])
	}
	if s.Bytes() != 0 {
		t.Errorf("%d bytes are left of nothing", s.Bytes())
	}
}

// TestGroupsOfOneObjectAreFoundInFewSteps holds as many groups as a shard does, and makes more while the oldest go. Among 16,384 groups a
// search that halves them takes 14 steps.
func TestGroupsOfOneObjectAreFoundInFewSteps(t *testing.T) {
	const most, all = 16384, 50_000
	s := New()
	o := s.AddObject(&runtime.ObjectRef{Name: "a"}, 1, true)
	held := make([]*Identity, most)
	longest, sum := 0, 0
	for n := range all {
		if old := held[n%most]; old != nil {
			s.Remove(old)
		}
		d := &runtime.Definition{Reason: strconv.Itoa(n), Forwarded: true}
		held[n%most] = s.AddIdentity(o, s.Group(o, d), d, Detail{}, uint32(n), 0)
		steps := s.groupSteps(o, d)
		longest, sum = max(longest, steps), sum+steps
	}
	if longest > 48 || sum > 20*all {
		t.Errorf("%d groups are compared to find one, %d on average", longest, sum/all)
	}
}

// groupSteps counts the groups on the way to a definition's group.
func (s *Store) groupSteps(o *Object, d *runtime.Definition) (n int) {
	r, hash := o.groups, groupHash(d)
	for n = 1; !sameGroup(s.groups.at(r).Definition, d); n++ {
		r, hash = s.groups.at(r).children[hash&1], bits.RotateLeft64(hash, -1)
	}
	return n
}

// home is where the event of an identity lives.
func (m *machine) home(i *Identity) *Namespace { return m.s.Scope(m.s.Object(i)).Home }

// TestTrimKeepsWhatIsHeld gives memory back between additions and removals.
func TestTrimKeepsWhatIsHeld(t *testing.T) {
	s := New()
	rng := rand.New(rand.NewPCG(1, 2))
	var held []*Identity
	for round := range 6 {
		for n := range 3000 {
			o := s.AddObject(&runtime.ObjectRef{Name: fmt.Sprint(round, n), Kind: fmt.Sprint("K", n)}, rng.Uint32(), true)
			d := definitions[n%len(definitions)]
			i := s.AddIdentity(o, s.Group(o, d), d, Detail{}, rng.Uint32(), 0)
			s.Await(s.StartWork(i), uint8(n%Slots), time.Duration(n%7), 3)
			held = append(held, i)
		}
		s.Slack() // as its owner asks now and then
		rng.Shuffle(len(held), func(a, b int) { held[a], held[b] = held[b], held[a] })
		left := held[:rng.IntN([]int{300, 3}[round%2])]
		for _, i := range held[len(left):] {
			s.Remove(i)
		}
		held = left
		chunks := func() (n int) {
			for _, c := range s.works.chunks {
				if c != nil {
					n++
				}
			}
			return n
		}
		before, slack := chunks(), s.Slack()
		s.Trim()
		if err := s.check(); err != nil {
			t.Fatal(err)
		}
		if !slack || s.Slack() || len(left) < 3 && chunks() >= before {
			t.Errorf("round %d, %d held: slack %v, and %v after; %d chunks, before %d", round, len(left), slack, s.Slack(), chunks(), before)
		}
	}
}
