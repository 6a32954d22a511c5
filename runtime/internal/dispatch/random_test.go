package dispatch

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

var (
	worldSeed = flag.Uint64("world.seed", 0, "seed of the first random world; 0: a new one")
	worlds    = flag.Int("world.count", 150, "number of random worlds")
)

// TestRandomWorlds plays random mixtures of trouble, and compares when writes of healthy scopes are done with what a plain model
// promises, and what sick scopes cost with what they may.
func TestRandomWorlds(t *testing.T) {
	if testing.Short() {
		*worlds = min(*worlds, 30)
	}
	first := *worldSeed
	if first == 0 {
		first = rand.Uint64()
	}
	t.Logf("%d worlds from -world.seed=%d", *worlds, first)
	written, kept := 0, 0
	for n := range uint64(*worlds) {
		m := newMixture(first + n)
		if *worlds == 1 {
			m.w.trace = t.Logf
		}
		m.play()
		if err := m.check(); err != nil {
			t.Fatalf("-world.seed=%d -world.count=1: %v\n%v", first+n, err, m)
		}
		written += len(m.w.stored)
		kept += m.promised
	}
	t.Logf("%d writes, %d of them promised", written, kept)
	if kept < *worlds*100 {
		t.Errorf("only %d writes were promised anything", kept)
	}
}

// state is what is wrong with a namespace.
type state uint8

const (
	fine state = iota
	down
	hanging
	atARate
	forbidden
	gone
	states
)

// mixture is a random world: which namespaces, objects and doors are in trouble, and when the server is.
type mixture struct {
	w        *world
	rng      *rand.Rand
	spaces   []space1
	badDoor  int           // fails everywhere, such as updates through one API group; -1: none
	badGroup int           // which namespaces' API group takes nothing: those of even or of odd number; -1: both are well
	denies   bool          // admission denies one reason everywhere for now, object by object
	starting time.Duration // until when the server refuses all
	outage   [2]time.Duration
	scope    runtime.Scope // what answers say, at the most
	promised int
	firsts   map[string]time.Duration // when a namespace was served first
}

type space1 struct {
	name   string
	number int
	state  state
	pure   bool // nothing at all fails there
	rate   float64
	tokens float64
	last   time.Duration
}

const playFor = 90 * time.Second

func newMixture(seed uint64) *mixture {
	rng := rand.New(rand.NewPCG(seed, seed^0xd15))
	m := &mixture{rng: rng, w: newWorld(rng, 8, 8), badDoor: -1, badGroup: -1}
	hang := 0
	for n := range 2 + rng.IntN(12) {
		s := space1{name: fmt.Sprint("n", n), number: n, pure: rng.IntN(2) == 0, rate: 1 + rng.Float64()*10}
		if n > 0 && rng.IntN(2) == 0 {
			s.state = state(rng.IntN(int(states)))
		}
		if s.state == hanging {
			if hang++; hang > 2 {
				s.state = down
			}
		}
		m.spaces = append(m.spaces, s)
	}
	if rng.IntN(4) == 0 {
		m.badDoor = rng.IntN(int(correlator.Doors))
	}
	if rng.IntN(4) == 0 {
		m.badGroup = rng.IntN(2)
	}
	m.denies = rng.IntN(4) == 0
	if rng.IntN(4) == 0 {
		m.starting = 300 * ms
	}
	if rng.IntN(3) == 0 {
		m.outage[0] = time.Duration(rng.IntN(30)) * time.Second
		m.outage[1] = m.outage[0] + time.Duration(rng.IntN(20))*time.Second
	}
	m.scope = []runtime.Scope{runtime.ScopeUnknown, runtime.ScopeNamespace, runtime.ScopeGroup}[rng.IntN(3)]
	m.w.answer = m.answer
	return m
}

func (m *mixture) String() string {
	return fmt.Sprintf("spaces %v, bad door %d, bad group %d, denies %v, starting %v, outage %v, scope %v",
		m.spaces, m.badDoor, m.badGroup, m.denies, m.starting, m.outage, m.scope)
}

// inBadGroup reports whether the API group of a namespace takes nothing.
func (m *mixture) inBadGroup(s *space1) bool { return m.badGroup >= 0 && s.number%2 == m.badGroup }

// denied reports whether admission denies an item.
func (m *mixture) denied(i *item) bool { return m.denies && i.reason == "bad" }

func (m *mixture) space(name string) *space1 {
	for i := range m.spaces {
		if m.spaces[i].name == name {
			return &m.spaces[i]
		}
	}
	return nil
}

// bad says which objects of namespaces that are not pure fail: fewer than make a namespace sick.
func (m *mixture) bad(i *item) bool {
	return (i.object == "o3" || i.object == "o7") && !m.space(i.namespace).pure
}

func (m *mixture) answer(i *item) (runtime.Answer, time.Duration) {
	s, now := m.space(i.namespace), m.w.now
	quick := time.Duration(1+m.rng.IntN(15)) * ms
	switch {
	case m.away(now):
		return away(runtime.ScopeServer), quick
	case now < m.starting:
		return runtime.Answer{Outcome: runtime.Forbidden, Scope: runtime.ScopeNamespace}, quick
	case m.inBadGroup(s):
		return away(runtime.ScopeGroup), quick
	case m.denied(i):
		return away(runtime.ScopeObject), quick
	case s.state == down:
		return away(m.scope), time.Duration(1+m.rng.IntN(300)) * ms
	case s.state == hanging:
		return away(runtime.ScopeUnknown), 10 * time.Second
	case s.state == forbidden:
		return runtime.Answer{Outcome: runtime.Forbidden, Scope: runtime.ScopeNamespace}, quick
	case s.state == gone && i.door == correlator.Creates:
		return runtime.Answer{Outcome: runtime.RefusedQuietly, Scope: runtime.ScopeNamespace}, quick
	case int(i.door) == m.badDoor:
		return away(runtime.ScopeGroup), quick
	case s.state == atARate && !s.take(now):
		return limited(runtime.ScopeNamespace, 0), quick
	case m.bad(i):
		return away(runtime.ScopeUnknown), quick
	}
	return done(), quick
}

func (m *mixture) away(now time.Duration) bool { return now >= m.outage[0] && now < m.outage[1] }

func (s *space1) take(now time.Duration) bool {
	s.tokens = min(5, s.tokens+(now-s.last).Seconds()*s.rate)
	s.last = now
	if s.tokens < 1 {
		return false
	}
	s.tokens--
	return true
}

func (m *mixture) play() {
	for n := range m.spaces {
		s := &m.spaces[n]
		if s.state != fine {
			m.burst(s.name, m.rng.IntN(300))
		}
		for at := time.Duration(m.rng.IntN(2000)) * ms; at < playFor-30*time.Second; at += time.Duration(m.rng.IntN(1500)) * ms {
			m.record(at, s.name, m.rng.IntN(12))
		}
	}
	m.w.run(playFor)
}

func (m *mixture) burst(namespace string, n int) {
	at := time.Duration(m.rng.IntN(30)) * time.Second
	for o := range n {
		m.record(at, namespace, o)
	}
}

func (m *mixture) record(at time.Duration, namespace string, object int) {
	i := &item{namespace: namespace, object: fmt.Sprint("o", object), door: correlator.Door(m.rng.IntN(int(correlator.Doors))), kind: correlator.Kind(m.rng.IntN(2)),
		reason: []string{"good", "other", "bad"}[m.rng.IntN(3)]}
	m.w.at(at, func() { m.w.record(i) })
}

// promise is by when a write must be done; false: nothing is promised.
func (m *mixture) promise(i *item) (time.Duration, bool) {
	s := m.space(i.namespace)
	if s.state != fine || m.bad(i) || int(i.door) == m.badDoor || m.inBadGroup(s) || m.denied(i) {
		return 0, false
	}
	if i.attempts > 0 && m.denies {
		return 0, false // it takes turns with what is denied again and again, at ten failed calls a second
	}
	wait := 2 * time.Second
	if i.attempts > 0 {
		wait += 12 * time.Second // it has a delay of its own
	}
	mixed := m.badDoor >= 0 || !m.space(i.namespace).pure
	if mixed {
		wait += 20 * time.Second // failures of its neighbours may make its namespace sick for a while
	}
	if first, ok := m.firsts[i.namespace]; !ok || first > i.ready {
		wait += 6 * time.Second // nobody can know yet that the namespace is well
	}
	by := i.ready + wait
	if m.starting > 0 && i.ready < 6*time.Second {
		by = 6*time.Second + wait
	}
	if m.outage[1] > m.outage[0] && by >= m.outage[0]-time.Second && i.ready < m.outage[1]+22*time.Second {
		// It may still have waited when the server went away. A namespace that was in an outage is found within the longest delay, and
		// its lanes then.
		by = m.outage[1] + 22*time.Second + wait
		if mixed {
			by += 20 * time.Second
		}
	}
	return by, true
}

func (m *mixture) check() error {
	ends := map[*item]time.Duration{}
	m.firsts = map[string]time.Duration{}
	for _, c := range m.w.calls {
		if c.outcome == runtime.Done {
			if _, ok := m.firsts[c.item.namespace]; !ok {
				m.firsts[c.item.namespace] = c.end
			}
			ends[c.item] = c.end
		}
	}
	for _, s := range m.w.recorded {
		by, ok := m.promise(s)
		if !ok || by > playFor {
			continue
		}
		m.promised++
		if end, ok := ends[s]; !ok || end > by {
			return fmt.Errorf("%v: promised by %v, done at %v", s, by, end)
		}
	}
	return m.checkCosts()
}

// checkCosts holds what sick scopes cost together within what they may.
func (m *mixture) checkCosts() error {
	for i, c := range m.w.calls {
		if !c.try {
			continue
		}
		flying, failed := 0, 0
		for _, o := range m.w.calls[max(0, i-400) : i+1] {
			if o.try && o.begin <= c.begin && o.begin > c.begin-stuckAfter && o.end > c.begin {
				flying++
			}
			if o.try && o.outcome != runtime.Done && o.end > c.end-time.Second && o.end <= c.end {
				failed++
			}
		}
		if flying > 2 || failed > 10 {
			return fmt.Errorf("at %v: %d tries in flight, %d failed within a second", c.end, flying, failed)
		}
	}
	return m.checkDown()
}

// checkDown holds the calls in a namespace where all fail to one at a time, and one a second, once it can be known.
func (m *mixture) checkDown() error {
	for n := range m.spaces {
		if s := &m.spaces[n]; (s.state == down || s.state == hanging) && !m.denies {
			if err := m.checkSick(s.name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *mixture) checkSick(namespace string) error {
	objects := map[string]bool{}
	known, last := time.Duration(-1), time.Duration(-1)
	for _, c := range m.w.calls {
		if c.item.namespace != namespace {
			continue
		}
		if known < 0 {
			objects[c.item.object] = true
			if c.outcome != runtime.Retry {
				clear(objects)
			}
			if len(objects) > several {
				known = c.end
			}
			continue
		}
		if c.begin <= known {
			continue
		}
		if c.begin < last || c.end < last+time.Second && last >= 0 {
			return fmt.Errorf("%v: a call from %v to %v, the last one ended at %v", c.item, c.begin, c.end, last)
		}
		last = c.end
	}
	return nil
}
