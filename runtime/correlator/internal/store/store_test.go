package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime"
)

// machine does random things to a store, beside a plain model of what is due and in which order.
type machine struct {
	t         *rapid.T
	s         *Store
	held      []*Identity
	due       map[*Identity]entry
	slots     map[*Identity]uint8
	announced map[string]map[uint8]bool
	queues    map[*Object][]*Identity // that wait for their first create
	aside     map[*Object][]*Identity
	serial    uint32
	hash      uint32
}

// TestStore compares a store with a plain model after each of many random calls.
func TestStore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{
			t: t, s: New(), due: map[*Identity]entry{}, slots: map[*Identity]uint8{}, announced: map[string]map[uint8]bool{},
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
	calls := []func(*Identity){m.setDue, m.clearDue, m.work, m.queue, m.list, m.end, m.pickUp, m.announce, m.look, m.remove, m.fold}
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
	detail := NewDetail([]byte(rapid.StringN(0, 3, 3).Draw(m.t, "args")), &More{FieldPath: rapid.StringN(0, 3, 3).Draw(m.t, "path"), Related: regarding})
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
	detail := func() Detail { return NewDetail([]byte("folded"), &More{Controller: "c"}) }
	m.s.Fold(i, rapid.Uint32Range(0, 5).Draw(m.t, "hash"), i.Definition, detail)
}

func (m *machine) work(i *Identity) {
	if i.Idle() {
		m.s.StartWork(i).Pending = uint64(rapid.IntRange(0, 1).Draw(m.t, "pending"))
	}
}

func (m *machine) setDue(i *Identity) {
	m.work(i)
	key := rapid.Int64Range(-3, 10).Draw(m.t, "key")
	slot := rapid.Uint8Range(0, Slots-1).Draw(m.t, "slot")
	m.s.SetDue(m.s.Active(i), slot, key)
	m.serial++
	m.due[i], m.slots[i] = entry{key: key, serial: m.serial}, slot
}

func (m *machine) clearDue(i *Identity) {
	if !i.Idle() {
		m.s.ClearDue(m.s.Active(i))
		delete(m.due, i)
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
	if rapid.IntRange(0, 4).Draw(m.t, "unlist") == 0 {
		m.s.Unlist(i)
		return
	}
	m.s.List(i)
	if youngest := m.s.identities.at(m.s.lists[m.s.Worth(i)].tail); youngest != i {
		m.t.Fatal("the youngest is another")
	}
}

func (m *machine) end(i *Identity) {
	if i.Idle() {
		return
	}
	m.unqueue(i)
	delete(m.due, i)
	m.s.EndWork(m.s.Active(i))
	if !i.Idle() {
		m.t.Fatal("work goes on")
	}
}

// announce holds that the slot with the least key is announced, if that is due.
func (m *machine) announce(*Identity) {
	now := rapid.Int64Range(-3, 12).Draw(m.t, "now")
	want := m.first(func(ns string, slot uint8) bool { return !m.announced[ns][slot] })
	ns, slot, ok := m.s.Announce(now)
	if isDue := want != nil && m.due[want].key <= now; ok != isDue {
		m.t.Fatalf("announced %v, want %v", ok, isDue)
	}
	if !ok {
		return
	}
	if ns != m.home(want) || slot != m.slots[want] || m.s.ByID(m.s.ID(ns)) != ns {
		m.t.Fatalf("announced %s slot %d, want %s slot %d", ns.Name, slot, m.home(want).Name, m.slots[want])
	}
	if m.announced[ns.Name] == nil {
		m.announced[ns.Name] = map[uint8]bool{}
	}
	m.announced[ns.Name][slot] = true
}

// look holds that the first of a slot is found, if it is due.
func (m *machine) look(i *Identity) {
	now := rapid.Int64Range(-3, 12).Draw(m.t, "now")
	ns, slot := m.home(i), m.slots[i]
	want := m.first(func(name string, other uint8) bool { return name == ns.Name && other == slot })
	if want != nil && m.due[want].key > now {
		want = nil
	}
	if got := m.s.Look(ns, slot, now); got != want {
		m.t.Fatalf("found %v, want %v", got, want)
	}
	if want == nil {
		delete(m.announced[ns.Name], slot)
	}
}

// first is the identity with the least key in the slots that are kept; nil if there is none.
func (m *machine) first(keep func(ns string, slot uint8) bool) (first *Identity) {
	for i, e := range m.due {
		if least := m.due[first]; keep(m.home(i).Name, m.slots[i]) && (first == nil || e.before(&least)) {
			first = i
		}
	}
	return first
}

func (m *machine) remove(i *Identity) {
	m.unqueue(i)
	delete(m.due, i)
	ns := m.s.Scope(m.s.Object(i)).Home.Name
	m.s.Remove(i)
	m.held = slices.DeleteFunc(m.held, func(other *Identity) bool { return other == i })
	if m.s.byNamespace[ns] == nil {
		delete(m.announced, ns)
	}
}

// compare holds that the first that is due, and the first that waits in each object, are those of the model.
func (m *machine) compare() {
	want := m.first(func(ns string, slot uint8) bool { return !m.announced[ns][slot] })
	got, key := m.s.FirstDue()
	if got != want || want != nil && key != m.due[want].key {
		m.t.Fatalf("due first: %v at %d, want %v", got, key, want)
	}
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

// home is where the event of an identity lives.
func (m *machine) home(i *Identity) *Namespace { return m.s.Scope(m.s.Object(i)).Home }
