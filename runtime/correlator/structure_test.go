package correlator

import (
	"fmt"
	"math"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// tallies is counted anew from the identities. The store's own tests recount the rest.
type tallies struct {
	pending    uint64
	flight     int
	identities int
	objects    map[*store.Object]int
	warnings   map[*store.Turns]uint32 // that wait for their first create
	busy       map[*store.Turns]int
	listed     map[*store.Identity]store.Worth
}

// checkStructure recomputes redundant state, and checks that every identity is in its list and queue.
func checkStructure(c *Correlator) error {
	n := tallies{objects: map[*store.Object]int{}, warnings: map[*store.Turns]uint32{}, busy: map[*store.Turns]int{}, listed: map[*store.Identity]store.Worth{}}
	for worth := store.IdleNormal; worth <= store.PendingWarning; worth++ {
		for i := c.held.Oldest(worth); i != nil; i = c.held.Younger(i) {
			n.listed[i] = worth
		}
	}
	for i := range c.held.Each {
		n.identity(c, i)
		if err := n.check(c, i); err != nil {
			return fmt.Errorf("identity (%s): %w", show(c, i), err)
		}
	}
	for turns, warnings := range n.warnings {
		if turns.Warnings != warnings || turns.Busy != (n.busy[turns] == 1 || c.ended && turns.Busy) || n.busy[turns] > 1 {
			return fmt.Errorf("%d Warnings wait and %d writes are in flight of what says %+v", warnings, n.busy[turns], *turns)
		}
	}
	s := c.Stats()
	if n.pending != s.Pending || n.flight != s.InFlight || n.identities != s.Identities || len(n.objects) != s.Objects {
		return fmt.Errorf("recomputed: %+v, %d objects; kept: %+v", n, len(n.objects), s)
	}
	if (n.identities == 0) != (s.Bytes == 0) {
		return fmt.Errorf("%d identities, %d bytes", n.identities, s.Bytes)
	}
	return nil
}

func (n *tallies) identity(c *Correlator, i *store.Identity) {
	n.identities++
	n.objects[c.held.Object(i)]++
	if i.Idle() {
		return
	}
	a := c.held.Active(i)
	n.pending += a.Pending
	n.warnings[a.Turns] += 0
	if a.WaitsForCreate() && a.Warning() {
		n.warnings[a.Turns]++
	}
	if a.InFlight {
		n.flight++
		n.busy[a.Turns]++
	}
}

func show(c *Correlator, i *store.Identity) string {
	if i.Idle() {
		return fmt.Sprintf("%+v", *i)
	}
	return fmt.Sprintf("%+v %+v %+v", *i, *c.held.Active(i).Work, *c.held.Active(i).Turns)
}

func (n *tallies) check(c *Correlator, i *store.Identity) error {
	worth, listed := n.listed[i]
	if inFlight := !i.Idle() && c.held.Active(i).InFlight; inFlight == listed || listed && worth != c.held.Worth(i) {
		return fmt.Errorf("listed %v under %d, belongs to %d", listed, worth, c.held.Worth(i))
	}
	if i.Idle() {
		return nil
	}
	a := c.held.Active(i)
	switch {
	case a.Pending > uint64(i.Count) && i.Count < math.MaxUint32:
		return fmt.Errorf("more pending than recorded")
	case a.InFlight && (a.Carried > a.Pending || !a.Busy):
		return fmt.Errorf("in flight")
	case !c.ended && a.Pending == 0:
		return fmt.Errorf("has work for nothing")
	case a.Pending > 0 && !c.waits(a):
		return fmt.Errorf("pending, but nothing will write it")
	}
	return nil
}

// waits reports whether a pending identity is somewhere from where it will be written.
func (c *Correlator) waits(a store.Active) bool {
	return c.ended && !c.draining || a.InFlight || a.IsAside() || a.IsDue() || c.isWaiting(a) ||
		(a.WaitsForCreate() && (!c.held.IsFirst(a) || a.FirstAside))
}

// checkNothingDue holds that Next leaves nothing behind which could be written now.
func checkNothingDue(c *Correlator, now runtime.Instant) error {
	for i := range c.held.Each {
		if i.Idle() || c.held.Active(i).Busy {
			continue
		}
		a := c.held.Active(i)
		if a.Pending == 0 || a.InFlight || c.isWaiting(a) || (a.WaitsForCreate() && !c.held.IsFirst(a)) {
			continue
		}
		if a.Due <= now.Mono {
			return fmt.Errorf("was due at %v and is left behind: %s", a.Due, show(c, i))
		}
		if a.Attempts == 0 && a.Due > now.Mono+max(c.opts.MaxInterval, c.fixedInterval(i.Definition)) {
			return fmt.Errorf("due at %v, later than the cap from now: %s", a.Due, show(c, i))
		}
	}
	return nil
}

// checkShedding holds that nothing pending was shed while something acknowledged was there to go.
func checkShedding(c *Correlator) error {
	for i := range c.held.Each {
		if i.Idle() {
			return fmt.Errorf("shed a pending identity, though one is acknowledged: %s", show(c, i))
		}
	}
	return nil
}
